"""How does the app become a bundle? py2app, with everything that it needs inside.

    python setup_py2app.py py2app            dist/Sagasu.app, complete
    python setup_py2app.py py2app --alias    for development: links to these files

Model, page, icons and word lists lie beside the engine's own folder, where it looks for them: the
bundle needs neither network nor another Python. The options stand here as data, so that tests can
read them on any system.
"""

import sys
from pathlib import Path
from typing import Any

from setuptools import setup

from engine import __version__

ROOT = Path(__file__).resolve().parent
NAME = "Sagasu"
IDENTIFIER = "org.sagasu.Sagasu"
OLDEST_MACOS = "14.0"
SCRIPT = "packaging/Sagasu.py"

# Whole folders, not zipped: they load libraries or data from beside their own files.
PACKAGES = [
    "app",
    "engine",
    "rumps",
    "objc",
    "numpy",
    "onnxruntime",
    "usearch",
    "pymupdf",
    "tokenizers",
    "lxml",
    "docx",
    "openpyxl",
    "pptx",
    "selectolax",
    "Stemmer",
    "charset_normalizer",
    "rapidfuzz",
    "python_calamine",
    "networkx",
    "sqlite_utils",
    "yaml",
    "ruamel",
    "uvicorn",
    "fastapi",
    "starlette",
    "pydantic",
    "pydantic_core",
    "mcp",
    "anyio",
    "click",
    "rich",
    "msgspec",
    "olefile",
    "xlrd",
    "doublemetaphone",
]

# Modules that are only imported when they are needed, where no import statement shows it.
MAC_MODULES = [
    "AppKit",
    "Foundation",
    "CoreFoundation",
    "WebKit",
    "Quartz",
    "Quartz.QuickLookUI",
    "FSEvents",
    "ServiceManagement",
    "UserNotifications",
    "PyObjCTools.AppHelper",
]
INCLUDES = [*MAC_MODULES, "striprtf.striprtf", "pathspec"]

EXCLUDES = [
    "tkinter",
    "test",
    "tests",
    "unittest",
    "PyObjCTest",
    "setuptools",
    "pip",
    "py2app",
    "pytest",
    "hypothesis",
    "mypy",
    "ruff",
    "playwright",
    "onnx",
    "torch",
    "matplotlib",
    "IPython",
]

# Of resources/, what a person's Mac needs; judged sets and drawings stay at home.
RESOURCES = ("extract", "files", "icons", "model", "panel", "stopwords")
LEFT_OUT = (".iconset",)

FOLDER_REASON = "Sagasu reads the folders that you choose, so that you can search them."

PLIST: dict[str, Any] = {
    "CFBundleName": NAME,
    "CFBundleDisplayName": NAME,
    "CFBundleIdentifier": IDENTIFIER,
    "CFBundleShortVersionString": __version__,
    "CFBundleVersion": __version__,
    "CFBundleDevelopmentRegion": "en",
    "CFBundleURLTypes": [
        {
            "CFBundleURLName": f"{IDENTIFIER}.search",
            "CFBundleURLSchemes": ["sagasu"],
            "CFBundleTypeRole": "Viewer",
        }
    ],
    "LSUIElement": True,  # lives in the menu bar: no Dock icon, no menu of its own
    "LSMinimumSystemVersion": OLDEST_MACOS,
    "LSApplicationCategoryType": "public.app-category.productivity",
    "LSMultipleInstancesProhibited": True,
    "NSHighResolutionCapable": True,
    "NSSupportsAutomaticTermination": False,
    "NSSupportsSuddenTermination": False,
    "NSMainNibFile": "",  # py2app names one that does not exist
    "NSHumanReadableCopyright": "AGPL-3.0-or-later",
    "NSDesktopFolderUsageDescription": FOLDER_REASON,
    "NSDocumentsFolderUsageDescription": FOLDER_REASON,
    "NSDownloadsFolderUsageDescription": FOLDER_REASON,
    "NSRemovableVolumesUsageDescription": FOLDER_REASON,
    "NSNetworkVolumesUsageDescription": FOLDER_REASON,
    "NSFileProviderDomainUsageDescription": FOLDER_REASON,
    "NSAppTransportSecurity": {"NSAllowsLocalNetworking": True},
}

OPTIONS: dict[str, Any] = {
    "packages": PACKAGES,
    "includes": INCLUDES,
    "excludes": EXCLUDES,
    "plist": PLIST,
    "iconfile": "resources/icons/Sagasu.icns",
    "arch": "arm64",
    "argv_emulation": False,  # breaks on Apple silicon
    "semi_standalone": False,
    "site_packages": False,
    "strip": False,  # would break the signatures of the libraries
    "optimize": 1,
    "emulate_shell_environment": False,
}


def data_files() -> list[tuple[str, list[str]]]:
    """Every file of RESOURCES with its place in the bundle, beside the engine's folder."""
    beside = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/resources"
    places: dict[str, list[str]] = {}
    for name in RESOURCES:
        for path in sorted((ROOT / "resources" / name).rglob("*")):
            inside = path.relative_to(ROOT / "resources")
            if path.is_file() and not any(part.endswith(LEFT_OUT) for part in inside.parts):
                target = f"{beside}/{inside.parent.as_posix()}"
                places.setdefault(target, []).append(path.relative_to(ROOT).as_posix())
    return sorted(places.items())


def command_classes() -> dict[str, type]:
    """py2app's command, minus its refusal of a pyproject.toml with dependencies beside it."""
    from py2app.build_app import py2app as original

    class Build(original):  # type: ignore[misc]  # py2app has no types
        """py2app as it is, but for the dependencies that pip has installed already."""

        def finalize_options(self) -> None:
            self.distribution.install_requires = []
            super().finalize_options()

    return {"py2app": Build}


if __name__ == "__main__":
    setup(
        name=NAME,
        version=__version__,
        app=[SCRIPT],
        data_files=data_files(),
        packages=[],
        options={"py2app": OPTIONS},
        cmdclass=command_classes(),
    )
