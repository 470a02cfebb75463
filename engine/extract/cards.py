"""What do calendars, address cards and subtitles say? .ics, .vcf, .srt and .vtt."""

import quopri
import re
from collections.abc import Iterator

from engine.extract.format import Format, Gather, Source
from engine.extract.sniff import decode
from engine.models import Extracted

_FOLD = re.compile(r"\n[ \t]")
_SOFT_BREAK = re.compile(r"=\n")
_ESCAPED = re.compile(r"\\([nN,;\\:])")
_CUE = re.compile(
    r"^(?:\d+[ \t]*\n)?[ \t]*(?:\d{1,3}:)?\d{1,2}:\d\d[.,]\d{1,3}[ \t]*-->[^\n]*$", re.M
)
_CUE_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,80}>|\{\\[^{}\n]{0,80}\}")
# fmt: off
_SILENT = frozenset({
    "BEGIN", "END", "VERSION", "PRODID", "UID", "DTSTAMP", "SEQUENCE", "TRANSP", "CLASS",
    "STATUS", "PHOTO", "LOGO", "SOUND", "KEY", "REV", "CALSCALE", "METHOD", "TZID",
    "TZOFFSETFROM", "TZOFFSETTO", "RRULE", "TRIGGER", "ACTION", "CREATED", "LAST-MODIFIED", "N",
})
# fmt: on


def read_ics(source: Source) -> Extracted:
    """Every event, task or note as a section named after its summary."""
    return _read_blocks(source, "ics", ("VEVENT", "VTODO", "VJOURNAL"), "SUMMARY", "event")


def read_vcf(source: Source) -> Extracted:
    """Every card as a section named after its person."""
    return _read_blocks(source, "vcf", ("VCARD",), "FN", "card")


def _read_blocks(
    source: Source, name: str, blocks: tuple[str, ...], title_key: str, kind: str
) -> Extracted:
    gather = Gather(source.limits)
    lines: list[str] = []
    title, head = "", ""
    for key, value, line in _properties(decode(source.data)):
        if key == "BEGIN" and value.upper() in blocks:
            lines, title = [], ""
        elif key == "END" and value.upper() in blocks:
            if not gather.add("\n".join(lines), title, depth=1, kind=kind, line=line):
                break
            lines = []
        elif key == title_key:
            title = title or value
        elif key in ("X-WR-CALNAME", "NAME") and not head:
            head = value
        if key not in _SILENT and key != title_key and value:
            lines.append(f"{key.capitalize()}: {value}")
    if lines:
        gather.add("\n".join(lines), title, depth=1, kind=kind)
    return Extracted(name, tuple(gather.sections), head, note=gather.note())


def _properties(text: str) -> Iterator[tuple[str, str, int]]:
    """Name, value and line of every property, folded lines joined and escapes resolved."""
    if "ENCODING=QUOTED-PRINTABLE" in text.upper():
        text = _SOFT_BREAK.sub("", text)
    text = _FOLD.sub("", text)
    for number, line in enumerate(text.split("\n"), 1):
        head, colon, value = line.partition(":")
        if not colon or len(head) > 300:
            continue
        key, *options = head.upper().split(";")
        if any(option in ("ENCODING=B", "ENCODING=BASE64") for option in options):
            continue
        if "ENCODING=QUOTED-PRINTABLE" in options:
            value = decode(quopri.decodestring(value.encode("utf-8", "replace")))
        if key in ("ADR", "ORG", "N"):
            value = ", ".join(part for part in value.split(";") if part.strip())
        value = _ESCAPED.sub(lambda m: "\n" if m[1] in "nN" else m[1], value)
        yield key.rsplit(".", 1)[-1], value.removeprefix("mailto:").strip(), number


def read_subtitles(source: Source) -> Extracted:
    """What is said, without the times."""
    text = decode(source.data)
    if text.startswith("WEBVTT"):
        text = text.partition("\n\n")[2] or text
    gather = Gather(source.limits)
    spoken = _CUE_TAG.sub("", _CUE.sub("", text))
    lines = [line.strip() for line in spoken.split("\n") if line.strip()]
    gather.add("\n".join(lines))
    return Extracted("subtitles", tuple(gather.sections), note=gather.note())


ICS = Format("ics", (".ics", ".ifb", ".vcs"), read_ics, mime=("text/calendar",), text=True)
VCF = Format("vcf", (".vcf", ".vcard"), read_vcf, mime=("text/vcard", "text/x-vcard"), text=True)
SUBTITLES = Format("subtitles", (".srt", ".vtt", ".sbv"), read_subtitles, text=True)
