"""How is the app started? `python -m app`, or the bundle's own script."""

import os
import sys


def main() -> None:
    """Runs the app and ends the process with its exit code."""
    # Our products are small: shared out over busy cores they wait a hundred times longer.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from app.launch import launch  # after the line above, which NumPy reads when it is loaded

    sys.exit(launch())


if __name__ == "__main__":
    main()
