"""What kind of document is this archive? Names of formats by what is inside a zip or OLE file."""

import io
import zipfile
import zlib

from engine.errors import EncryptedFileError
from engine.extract.format import Limits
from engine.extract.ole import container_kind

_MARKS = (
    ("word/document.xml", "docx"),
    ("xl/workbook.xml", "xlsx"),
    ("xl/workbook.bin", "xlsb"),
    ("ppt/presentation.xml", "pptx"),
    ("index/document.iwa", "iwork"),
    ("index.zip", "iwork"),
    ("quicklook/preview.pdf", "iwork"),
    ("meta-inf/container.xml", "epub"),
)
_MIME = (
    (b"application/epub", "epub"),
    (b"application/vnd.oasis.opendocument.text", "odt"),
    (b"application/vnd.oasis.opendocument.spreadsheet", "ods"),
    (b"application/vnd.oasis.opendocument", "odp"),
)


def container_format(data: bytes, magic: str, limits: Limits) -> str:
    """The name of the format in the container `data`; empty when it is none of ours or broken."""
    if magic == "OLE":
        kind = container_kind(data, limits)
        if kind == "encrypted":
            raise EncryptedFileError()
        return kind
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.filelist) > limits.max_members:
                return ""
            names = {info.filename.lower().lstrip("/"): info for info in archive.filelist}
            for mark, kind in _MARKS:
                if mark in names:
                    return kind
            if "mimetype" in names and names["mimetype"].file_size < 200:
                mime = archive.read(names["mimetype"]).strip()
                return next((kind for start, kind in _MIME if mime.startswith(start)), "")
            if any(info.flag_bits & 1 for info in archive.filelist):
                raise EncryptedFileError()
    except (
        zipfile.BadZipFile,
        zlib.error,
        OSError,
        EOFError,
        ValueError,
        RuntimeError,
        NotImplementedError,
        KeyError,
        IndexError,
        OverflowError,
    ):
        return ""
    return ""
