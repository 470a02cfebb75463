"""What does a binary Excel workbook say? .xls (Excel 97 to 2003) and .xlsb, sheet by sheet.

xlrd reads .xls: it is Python all through, and a broken file can at worst raise. .xlsb goes through
calamine, after the parts of the archive were counted and sized.
"""

import io
import struct
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from engine.errors import DamagedFileError, EncryptedFileError, NoTextError
from engine.extract.format import Format, Gather, Source
from engine.extract.ole import OLE_MAGIC, Compound
from engine.extract.package import Package
from engine.extract.xlsx import add_sheet
from engine.models import Extracted

_DATE, _BOOLEAN, _ERROR, _NUMBER = 3, 4, 5, 2  # xlrd's kinds of cells


def read_xls(source: Source) -> Extracted:
    """An Excel 97–2003 workbook."""
    import xlrd
    from xlrd.biffh import XLRDError
    from xlrd.compdoc import CompDocError

    if source.data.startswith(OLE_MAGIC):
        _refuse_encrypted(Compound(source.data, "Excel", source.limits))
    gather = Gather(source.limits)
    try:
        book = xlrd.open_workbook(
            file_contents=source.data, logfile=io.StringIO(), on_demand=True, ragged_rows=True
        )
        for number, name in enumerate(book.sheet_names(), 1):
            sheet = book.sheet_by_index(number - 1)
            add_sheet(gather, name, number, _xls_rows(sheet, book.datemode))
            book.unload_sheet(number - 1)
            if gather.full:
                break
    except (XLRDError, CompDocError, AssertionError, struct.error) as exc:
        if "encrypted" in str(exc).lower():
            raise EncryptedFileError() from exc
        raise DamagedFileError(format="Excel") from exc
    if not any(section.text for section in gather.sections):
        raise NoTextError(what="a workbook without values")
    return Extracted("xls", tuple(gather.sections), note=gather.note())


def _refuse_encrypted(compound: Compound) -> None:
    """EncryptedFileError when a FILEPASS record stands among the first records of the workbook."""
    stream = compound.read("Workbook") or compound.read("Book")
    at = 0
    for _ in range(20):
        if at + 4 > len(stream):
            return
        kind, size = struct.unpack_from("<HH", stream, at)
        if kind == 0x2F:
            raise EncryptedFileError()
        at += 4 + size


def _xls_rows(sheet: Any, datemode: int) -> Iterator[list[str]]:
    for index in range(sheet.nrows):
        kinds = sheet.row_types(index)
        yield [
            text
            for kind, value in zip(kinds, sheet.row_values(index), strict=True)
            if (text := _show(kind, value, datemode))
        ]


def _show(kind: int, value: Any, datemode: int) -> str:
    if kind == _NUMBER:
        return f"{value:.15g}"
    if kind == _BOOLEAN:
        return "TRUE" if value else "FALSE"
    if kind == _ERROR:
        return ""
    if kind == _DATE:
        import xlrd

        try:
            moment = xlrd.xldate_as_datetime(value, 1 if datemode else 0)
        except (ValueError, OverflowError, xlrd.xldate.XLDateError):
            return f"{value:.15g}"
        return moment.isoformat(" ").removesuffix(" 00:00:00")
    return str(value)


def read_xlsb(source: Source) -> Extracted:
    """A workbook in the binary form of newer Excel versions."""
    import python_calamine as calamine

    with Package(source.data, source.limits, "Excel") as package:
        for name in package.names:
            package.read(name)
    gather = Gather(source.limits)
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(source.data))
        for number, name in enumerate(book.sheet_names, 1):
            rows = book.get_sheet_by_name(name).iter_rows()
            add_sheet(gather, name, number, ([_show_value(v) for v in row] for row in rows))
    except calamine.CalamineError as exc:
        raise DamagedFileError(format="Excel") from exc
    except BaseException as exc:
        # A panic inside the Rust library is no Exception, but means the same: the file is broken.
        if type(exc).__name__ != "PanicException":
            raise
        raise DamagedFileError(format="Excel") from exc
    if not any(section.text for section in gather.sections):
        raise NoTextError(what="a workbook without values")
    return Extracted("xlsb", tuple(gather.sections), note=gather.note())


def _show_value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    return str(value)


XLS = Format("xls", (".xls", ".xlt"), read_xls, mime=("application/vnd.ms-excel",))
XLSB = Format("xlsb", (".xlsb",), read_xlsb)
