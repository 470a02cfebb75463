"""What does an Outlook message say? Subject, people, body and attachments of a .msg file."""

import re
import struct
from datetime import UTC, datetime, timedelta

from engine.errors import DamagedFileError, FileError, NoTextError
from engine.extract.format import Format, Gather, Source
from engine.extract.html import parse_html
from engine.extract.ole import Compound
from engine.extract.rtf import parse_rtf
from engine.extract.sniff import decode
from engine.models import Extracted

_SUBJECT, _SENDER, _TO, _CC, _BODY = "0037", "0C1A", "0E04", "0E03", "1000"
_RTF_BODY, _HTML_BODY = "1009", "1013"
_ATTACHED_NAMES = ("3707", "3704")
_ATTACHED_DATA = "37010102"
_SENT, _DELIVERED = 0x00390040, 0x0E060040
_STREAM = "__substg1.0_"
# The dictionary that compressed RTF starts with, fixed by the format.
_RTF_START = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)


def read_msg(source: Source) -> Extracted:
    """The message with its attachments below it."""
    compound = Compound(source.data, "Outlook message", source.limits)
    if not compound.has("__properties_version1.0"):
        raise DamagedFileError(format="Outlook message")
    subject, sender = _text(compound, "", _SUBJECT), _text(compound, "", _SENDER)
    lines = [
        f"{label}: {value}"
        for label, value in (
            ("From", sender),
            ("To", _text(compound, "", _TO)),
            ("Cc", _text(compound, "", _CC)),
            ("Subject", subject),
        )
        if value
    ]
    gather = Gather(source.limits)
    body = _body(compound, source)
    gather.add(("\n".join(lines) + "\n\n" + body).strip(), kind="message")
    _add_attachments(compound, source, gather)
    if not gather.sections:
        raise NoTextError(what="a message without words")
    sent = _date(compound)
    return Extracted(
        "msg",
        tuple(gather.sections),
        subject,
        sender,
        created=sent,
        modified=sent,
        note=gather.note(),
    )


def _text(compound: Compound, folder: str, key: str) -> str:
    wide = compound.read(f"{folder}{_STREAM}{key}001F")
    if wide:
        return wide.decode("utf-16-le", "replace").strip("\0 ").replace("\r\n", "\n")
    return decode(compound.read(f"{folder}{_STREAM}{key}001E")).strip("\0 ")


def _body(compound: Compound, source: Source) -> str:
    plain = _text(compound, "", _BODY)
    if plain.strip():
        return plain
    page = compound.read(f"{_STREAM}{_HTML_BODY}0102")
    if page:
        found = parse_html(decode(page), source)
    else:
        packed = compound.read(f"{_STREAM}{_RTF_BODY}0102")
        if not packed:
            return ""
        found = parse_rtf(
            _unpack_rtf(packed, source.limits.max_text_bytes).decode("latin-1"), source
        )
    return "\n".join(f"{s.title}\n{s.text}".strip() for s in found.sections)


def _unpack_rtf(packed: bytes, most: int) -> bytes:
    """Microsoft's LZ compression of RTF bodies ([MS-OXRTFCP])."""
    if len(packed) < 16:
        return b""
    if packed[8:12] == b"MELA":
        return packed[16:]
    ring = bytearray(_RTF_START.ljust(4096, b"\0"))
    write, at = len(_RTF_START), 16
    out = bytearray()
    while at < len(packed) and len(out) < most:
        control = packed[at]
        at += 1
        for bit in range(8):
            if not control >> bit & 1:
                if at >= len(packed):
                    return bytes(out)
                run = packed[at : at + 1]
                at += 1
            else:
                if at + 2 > len(packed):
                    return bytes(out)
                token = packed[at] << 8 | packed[at + 1]
                at += 2
                offset, length = token >> 4, (token & 15) + 2
                if offset == write:
                    return bytes(out)
                run = bytes(0)
                for step in range(length):
                    byte = ring[(offset + step) % 4096]
                    ring[write] = byte
                    write = (write + 1) % 4096
                    out.append(byte)
                continue
            out += run
            ring[write] = run[0]
            write = (write + 1) % 4096
    return bytes(out)


def _add_attachments(compound: Compound, source: Source, gather: Gather) -> None:
    folders = sorted({n.split("/", 1)[0] for n in compound.names() if n.startswith("__attach")})
    left_out: list[str] = []
    for folder in folders[: source.limits.max_attachments]:
        prefix = folder + "/"
        name = next(
            (n for key in _ATTACHED_NAMES if (n := _text(compound, prefix, key))), "attachment"
        )
        name = re.sub(r"[/\0\s]+", " ", name)[:200]
        try:
            found = source.read_inner(name, compound.read(f"{prefix}{_STREAM}{_ATTACHED_DATA}"))
        except FileError:
            left_out.append(name)
            continue
        gather.add("", name, depth=1, kind="attachment")
        for s in found.sections:
            gather.add(
                s.text, s.title, depth=2 + s.depth, kind=s.kind, number=s.number, code=s.code
            )
    if left_out:
        gather.notes.append(f"attachments without text: {', '.join(left_out[:5])}")


def _date(compound: Compound) -> float | None:
    rows = compound.read("__properties_version1.0")[32:]
    for at in range(0, len(rows) - 15, 16):
        key, _, ticks = struct.unpack_from("<IIQ", rows, at)
        if key in (_SENT, _DELIVERED) and ticks:
            try:
                moment = datetime(1601, 1, 1, tzinfo=UTC) + timedelta(microseconds=ticks // 10)
                return moment.timestamp()
            except OverflowError:
                return None
    return None


FORMAT = Format("msg", (".msg",), read_msg, mime=("application/vnd.ms-outlook",))
