"""How is the app started? `python -m app`, or the bundle's own script."""

import sys

from app.launch import launch


def main() -> None:
    """Runs the app and ends the process with its exit code."""
    sys.exit(launch())


if __name__ == "__main__":
    main()
