"""Is there a browser for the page's tests? Finds the system's Chromium, or installs it.

On Debian and its like apt-get installs it when that is allowed; elsewhere one sentence says what to
do. The tests themselves find it the same way.
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
PACKAGES = ("chromium",)
# The engine family of the Mac's web view, in a window without a screen; tests skip without it.
WEBKIT = ("gir1.2-webkit2-4.1", "python3-gi", "xvfb")


def find_browser() -> str | None:
    """The path of a Chromium, if there is one."""
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    return MAC if os.path.exists(MAC) else None


def install(packages: tuple[str, ...]) -> bool:
    """Install packages with the system's own tool, where that needs no question."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return False
    print(f"Installing {' '.join(packages)} for the page's tests …")
    silent = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update"], ["apt-get", "install", "-y", *packages]):
        done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, env=silent)
        if done.returncode != 0:
            return False
    return True


def main() -> int:
    """0 when there is a browser now."""
    if not shutil.which("xvfb-run"):
        install(WEBKIT)
    if find_browser() or (install(PACKAGES) and find_browser()):
        return 0
    print("The page's tests need Chromium: apt install chromium, or brew install --cask chromium.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
