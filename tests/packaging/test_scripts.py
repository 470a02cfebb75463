"""The scripts around the bundle: 1 the property lists are whole and ask for little; 2 the image is
made in order, signed from the inside out, each step left out with a word; 3 a cask is only written
for an image that exists; 4 icons have all sizes, the .icns is well formed, the menu bar's image is
black and clear; drawing them again gives the same; 5 the wheel check reads markers as a Mac does.
"""

import hashlib
import importlib.util
import os
import plistlib
import struct
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
ICONS = ROOT / "resources" / "icons"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "packaging" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_entitlements_ask_for_one_thing() -> None:
    asked = plistlib.loads((ROOT / "packaging" / "entitlements.plist").read_bytes())
    assert asked == {"com.apple.security.cs.allow-unsigned-executable-memory": True}


def test_launch_agent_starts_the_service() -> None:
    agent = plistlib.loads((ROOT / "packaging" / "org.sagasu.service.plist").read_bytes())
    assert agent["ProgramArguments"][-1] == "exec sagasu server"
    assert agent["KeepAlive"] == {"SuccessfulExit": False}


def test_systemd_unit_starts_the_service() -> None:
    unit = (ROOT / "packaging" / "sagasu.service").read_text(encoding="utf-8")
    assert "ExecStart=%h/.local/bin/sagasu server\n" in unit
    assert "WantedBy=default.target" in unit


def run_dmg(tools: Path, *names: str, **more: str) -> str:
    tools.mkdir(exist_ok=True)
    for name in names:
        (tools / name).write_text("#!/bin/sh\nexit 0\n")
        (tools / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", **more}
    done = subprocess.run(
        ["sh", str(ROOT / "packaging" / "make_dmg.sh"), "--dry-run"],
        env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


needs_model = pytest.mark.skipif(
    not (ROOT / "resources" / "model" / "model-int8.onnx").exists(), reason="needs the model"
)


@needs_model
def test_missing_tools_are_said(tmp_path: Path) -> None:
    said = run_dmg(tmp_path)
    if os.uname().sysname == "Linux":
        assert said.count("left out:") == 3
    assert "setup_py2app.py" in said


@needs_model
def test_without_identity_nothing_is_sent_to_apple(tmp_path: Path) -> None:
    said = run_dmg(tmp_path, "codesign", "ditto", "hdiutil", "xcrun", SAGASU_IDENTITY="")
    assert "signed for this Mac only" in said
    assert "notarytool" not in said
    assert "hdiutil create" in said


@needs_model
def test_with_identity_all_steps_come_in_order(tmp_path: Path) -> None:
    said = run_dmg(
        tmp_path, "codesign", "ditto", "hdiutil", "xcrun",
        SAGASU_IDENTITY="Developer ID Application: Ada (TEAM)", SAGASU_PROFILE="ada",
    )  # fmt: skip
    marks = [
        "setup_py2app.py", "libonnxruntime", "*.dylib", "MacOS/python", "--verify", "ditto",
        "notarytool submit dist/notarise.zip", "stapler staple dist/Sagasu.app",
        "hdiutil create", "notarytool submit dist/Sagasu-", "stapler staple dist/Sagasu-0",
    ]  # fmt: skip
    places = [said.index(mark) for mark in marks]
    assert places == sorted(places)
    assert "left out" not in said
    assert "--deep --sign" not in said


def test_cask_is_written_for_an_image_that_exists(tmp_path: Path) -> None:
    make_cask = load("make_cask")
    image = tmp_path / "Sagasu-1.2.3-arm64.dmg"
    image.write_bytes(b"image")
    cask = make_cask.build_cask(
        image, "https://example.com/1.2.3/Sagasu-1.2.3-arm64.dmg", "https://example.com"
    )
    assert 'version "1.2.3"' in cask
    assert hashlib.sha256(b"image").hexdigest() in cask
    assert 'url "https://example.com/#{version}/Sagasu-#{version}-arm64.dmg"' in cask
    with pytest.raises(SystemExit, match="not named"):
        make_cask.build_cask(tmp_path / "other.dmg", "https://a", "https://b")
    with pytest.raises(SystemExit, match="not an https"):
        make_cask.build_cask(image, "http://a", "https://b")
    with pytest.raises(FileNotFoundError):
        make_cask.build_cask(tmp_path / "Sagasu-9.9-arm64.dmg", "https://a", "https://b")


def png_size(data: bytes) -> tuple[int, int]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def test_iconset_has_every_size() -> None:
    make_icons = load("make_icons")
    for name, pixels in make_icons.ICONSET.items():
        assert png_size((ICONS / "Sagasu.iconset" / name).read_bytes()) == (pixels, pixels)


def test_icns_is_well_formed() -> None:
    data = (ICONS / "Sagasu.icns").read_bytes()
    assert data[:4] == b"icns"
    assert struct.unpack(">I", data[4:8])[0] == len(data)
    at, found = 8, {}
    while at < len(data):
        kind, size = data[at : at + 4], struct.unpack(">I", data[at + 4 : at + 8])[0]
        found[kind] = png_size(data[at + 8 : at + size])[0]
        at += size
    assert found == dict(load("make_icons").ICNS)


def test_menu_bar_image_is_black_and_clear() -> None:
    import pymupdf

    image = pymupdf.Pixmap(str(ICONS / "menubarTemplate.png"))  # type: ignore[no-untyped-call]  # has no types
    assert (image.width, image.height, image.alpha) == (40, 40, 1)
    samples = bytes(image.samples)
    assert set(samples[0::4]) | set(samples[1::4]) | set(samples[2::4]) == {0}
    assert {0, 255} <= set(samples[3::4])
    corners = (0, 39, 40 * 39, 40 * 40 - 1)
    assert all(samples[4 * at + 3] == 0 for at in corners)


def test_drawing_again_gives_the_same() -> None:
    make_icons = load("make_icons")
    drawn = make_icons.draw_icon(64)
    assert drawn == make_icons.draw_icon(64)
    assert make_icons.draw_template(40) == (ICONS / "menubarTemplate.png").read_bytes()


def test_wheel_check_reads_markers_as_a_mac_does() -> None:
    check = load("check_wheels")
    listed = [
        Requirement("a; sys_platform == 'darwin'"),
        Requirement("b; sys_platform == 'linux'"),
        Requirement("c; platform_machine == 'arm64'"),
        Requirement("d; extra == 'symbolic'"),
        Requirement("e; python_version < '3.12'"),
        Requirement("f"),
    ]
    assert [one.name for one in check.wanted(listed, "arm64", "3.12")] == ["a", "c", "f"]


def test_wheel_check_asks_for_everything_in_pyproject() -> None:
    names = {one.name for one in load("check_wheels").read_requirements()}
    assert {"onnxruntime", "usearch", "pymupdf", "rumps", "pyobjc-framework-Cocoa"} <= names
