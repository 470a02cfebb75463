"""What does a Pages, Numbers or Keynote document say? What its preview shows.

Apple's own format is not documented; every such document may carry a PDF for Quick Look, and that
is read. A document saved without one cannot be read here, and the reason says how to get one.
"""

import os

from engine.errors import FileTooLargeError, UnsupportedFormatError
from engine.extract.format import Format, Source
from engine.extract.package import Package
from engine.extract.pdf import read_pdf
from engine.models import Extracted

PREVIEW = "QuickLook/Preview.pdf"


def read_iwork(source: Source) -> Extracted:
    """The pages of the preview."""
    data = _read_folder(source) if os.path.isdir(source.path) else _read_package(source)
    found = read_pdf(Source(source.path, data, source.limits))
    return Extracted(
        "iwork",
        found.sections,
        found.title,
        found.author,
        found.language,
        found.created,
        found.modified,
        note=found.note,
    )


def _read_package(source: Source) -> bytes:
    if source.data[:2] != b"PK":
        # Private keys end in .key too, and must not be read as anything.
        raise UnsupportedFormatError(format="this file: not a Pages, Numbers or Keynote document")
    with Package(source.data, source.limits, "iWork") as package:
        if not package.has(PREVIEW):
            raise _without_preview()
        return package.read(PREVIEW, source.limits.max_file_bytes)


def _read_folder(source: Source) -> bytes:
    path = os.path.join(source.path, *PREVIEW.split("/"))
    if not os.path.isfile(path):
        raise _without_preview()
    with open(path, "rb") as file:
        data = file.read(source.limits.max_file_bytes + 1)
    if len(data) > source.limits.max_file_bytes:
        raise FileTooLargeError(what="its preview")
    return data


def _without_preview() -> UnsupportedFormatError:
    words = "Pages, Numbers and Keynote documents without a preview: export a PDF beside it"
    return UnsupportedFormatError(format=words)


FORMAT = Format(
    "iwork",
    (".pages", ".numbers", ".key"),
    read_iwork,
    refuses_text=True,
    folders=True,
)
