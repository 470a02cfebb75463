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


def find_browser() -> str | None:
    """The path of a Chromium, if there is one."""
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    return MAC if os.path.exists(MAC) else None


def install() -> bool:
    """Install Chromium with the system's own tool, where that needs no question."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return False
    print("Installing Chromium for the page's tests …")
    silent = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update"], ["apt-get", "install", "-y", *PACKAGES]):
        done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, env=silent)
        if done.returncode != 0:
            return False
    return find_browser() is not None


def main() -> int:
    """0 when there is a browser now."""
    if find_browser() or install():
        return 0
    print("The page's tests need Chromium: apt install chromium, or brew install --cask chromium.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
