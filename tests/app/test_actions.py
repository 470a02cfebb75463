"""Files and clipboard off macOS: 1 each call reaches the desktop's tool with the path whole, spaces
and quotes too; 2 without the file manager the folder is opened; 3 applications come from the
desktop's own list; 4 what is missing or fails is said; 5 a vanished file is not handed on.
"""

from pathlib import Path

import pytest

from app.actions import FreeDesktop
from engine.errors import DesktopError, NotFoundError


class Tools:
    """Programs in a folder of their own that write down how they were called."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder / "bin", folder / "calls"
        self.folder.mkdir()
        self.share = folder / "share"
        (self.share / "applications").mkdir(parents=True)

    def add(self, name: str, *, exit: int = 0, say: str = "") -> None:
        script = self.folder / name
        script.write_text(
            "#!/bin/sh\n"
            f'echo {name} >> "{self.log}"\n'
            f'for one in "$@"; do echo "$one" >> "{self.log}"; done\n'
            f'[ -t 0 ] || /bin/cat >> "{self.log}"\n'
            f"echo '{say}'\nexit {exit}\n"
        )
        script.chmod(0o755)

    def calls(self) -> list[str]:
        return self.log.read_text().splitlines() if self.log.exists() else []

    def desktop(self) -> FreeDesktop:
        return FreeDesktop({"PATH": str(self.folder), "XDG_DATA_DIRS": str(self.share)})


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    return Tools(tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / 'it\'s a "tax" return.txt'
    path.write_text("x")
    return path


def test_opens_with_the_path_whole(tools: Tools, file: Path) -> None:
    tools.add("xdg-open")
    tools.desktop().open(file)
    assert tools.calls() == ["xdg-open", str(file)]


def test_reveals_in_the_file_manager(tools: Tools, file: Path) -> None:
    tools.add("gdbus")
    tools.desktop().reveal(file)
    assert tools.calls()[-2] == f"['{file.as_uri()}']"
    assert "'" not in file.as_uri().removeprefix("file://")


def test_without_file_manager_opens_the_folder(tools: Tools, file: Path) -> None:
    tools.add("gdbus", exit=1)
    tools.add("xdg-open")
    tools.desktop().reveal(file)
    assert tools.calls()[-2:] == ["xdg-open", str(file.parent)]


def test_copies_text_and_paths(tools: Tools, file: Path) -> None:
    tools.add("xclip")
    tools.desktop().copy_text("the passage")
    assert tools.calls() == ["xclip", "-selection", "clipboard", "the passage"]
    tools.desktop().copy_files([file, file.parent])
    assert tools.calls()[-2:] == [str(file), str(file.parent)]


def test_applications_come_from_the_desktops_list(tools: Tools, file: Path) -> None:
    assert tools.desktop().applications(file) == ()
    tools.add("xdg-mime", say="text/plain")
    tools.add("gtk-launch")
    (tools.share / "applications" / "mimeinfo.cache").write_text(
        "[MIME Cache]\ntext/plain=gedit.desktop;vim.desktop;\nimage/png=gimp.desktop;\n"
    )
    assert tools.desktop().applications(file) == ("gedit", "vim")
    tools.desktop().open_with(file, "vim")
    assert tools.calls()[-3:] == ["gtk-launch", "vim", str(file)]
    with pytest.raises(NotFoundError):
        tools.desktop().open_with(file, "rm")


def test_missing_tools_are_said(tools: Tools, file: Path) -> None:
    with pytest.raises(DesktopError, match="there is no xdg-open"):
        tools.desktop().open(file)
    with pytest.raises(DesktopError, match="no clipboard program"):
        tools.desktop().copy_text("x")


def test_failing_tool_is_said(tools: Tools, file: Path) -> None:
    tools.add("xdg-open", exit=3)
    with pytest.raises(DesktopError, match="exit 3"):
        tools.desktop().open(file)
    with pytest.raises(DesktopError, match="exit 3"):
        tools.desktop().open_address("https://example.com")


def test_vanished_file_is_not_handed_on(tools: Tools, tmp_path: Path) -> None:
    tools.add("xdg-open")
    for act in (tools.desktop().open, tools.desktop().reveal):
        with pytest.raises(NotFoundError, match="not found"):
            act(tmp_path / "gone.txt")
    assert tools.calls() == []
