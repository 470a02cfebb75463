"""What does a mail say? Headers, body and attachments of .eml, and every message of an .mbox.

Attachments go through the same readers, one level deep. The standard parser never refuses a
message; what it cannot make sense of is left out and noted.
"""

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.header import decode_header
from email.message import Message

from engine.errors import FileError
from engine.extract.dates import parse_mail_date
from engine.extract.format import Format, Gather, Source
from engine.extract.html import parse_html
from engine.extract.sniff import decode
from engine.models import Extracted

_SHOWN = ("From", "To", "Cc", "Bcc", "Reply-To", "Subject", "Date")
_FROM_LINE = re.compile(
    rb"^From [^\n]*\d{2}:\d{2}[^\n]*$|^From -[^\n]*$|^From \S+@\S+[^\n]*$", re.M
)
_MAX_PARTS = 500
_MAX_HEADER = 10_000  # decoding encoded words takes quadratic time
_MAX_NESTING = 8
_MIME_ENDINGS = {
    "application/pdf": ".pdf",
    "text/calendar": ".ics",
    "text/vcard": ".vcf",
    "text/csv": ".csv",
    "application/json": ".json",
    "application/rtf": ".rtf",
    "text/rtf": ".rtf",
    "application/msword": ".doc",
    "application/xml": ".xml",
    "text/xml": ".xml",
}


def read_eml(source: Source) -> Extracted:
    """One message."""
    gather = Gather(source.limits)
    data = source.data
    count = data[:32].partition(b"\n")[0]
    if count.strip().isdigit():  # Apple Mail's .emlx: the size, the message, a property list
        data = data[len(count) + 1 :][: int(count)]
    message = message_from_bytes(data)
    _Reader(source, gather).add(message, depth=0)
    return _describe("eml", message, gather)


def read_mbox(source: Source) -> Extracted:
    """Every message of a mailbox, one section each."""
    gather = Gather(source.limits)
    reader = _Reader(source, gather)
    for number, data in enumerate(_split_mbox(source.data), 1):
        reader.add(message_from_bytes(data), depth=1, number=number)
        if gather.full:
            break
    reader.close()
    return Extracted("mbox", tuple(gather.sections), note=gather.note())


def _describe(name: str, message: "Message[str, str]", gather: Gather) -> Extracted:
    date = parse_mail_date(header(message, "Date"))
    return Extracted(
        name,
        tuple(gather.sections),
        header(message, "Subject"),
        header(message, "From"),
        created=date,
        modified=date,
        note=gather.note(),
    )


def _split_mbox(data: bytes) -> Iterator[bytes]:
    starts = [m.start() for m in _FROM_LINE.finditer(data)] or [0]
    for begin, end in zip(starts, [*starts[1:], len(data)], strict=True):
        piece = data[begin:end]
        yield piece.partition(b"\n")[2] if piece.startswith(b"From ") else piece


def header(message: "Message[str, str]", name: str) -> str:
    """A header as readable text, encoded words decoded."""
    raw = message.get(name)
    if raw is None:
        return ""
    parts: list[str] = []
    try:
        for value, charset in decode_header(raw[:_MAX_HEADER] if isinstance(raw, str) else raw):
            if isinstance(value, str):
                parts.append(value)
            elif charset in (None, "unknown-8bit"):
                parts.append(decode(value))
            else:
                parts.append(decode(value, str(charset)))
    except (ValueError, LookupError, AttributeError, TypeError):
        parts = [str(raw)]
    return " ".join("".join(parts).encode("utf-8", "replace").decode("utf-8").split())


class _Reader:
    """Adds messages to a gathering; counts what it could not read."""

    def __init__(self, source: Source, gather: Gather) -> None:
        self._source = source
        self._gather = gather
        self._attachments = source.limits.max_attachments
        self._left_out: list[str] = []

    def add(
        self, message: "Message[str, str]", depth: int, number: int | None = None, nesting: int = 0
    ) -> None:
        """The message's headers and body as a section, attachments below it."""
        heads = [f"{name}: {value}" for name in _SHOWN if (value := header(message, name))]
        bodies: list[str] = []
        others: list[Message[str, str]] = []
        self._collect(message, bodies, others, [0])
        text = "\n".join(heads) + "\n\n" + "\n\n".join(bodies)
        subject = header(message, "Subject") if depth else ""
        self._gather.add(text.strip(), subject, depth=depth, kind="message", number=number)
        for part in others:
            if part.get_content_type() == "message/rfc822":
                self._add_enclosed(part, depth + 1, nesting + 1)
            else:
                self._add_attachment(part, depth + 1)
        if nesting == 0 and not depth:
            self.close()

    def close(self) -> None:
        """Notes what was left out."""
        if self._left_out:
            shown = ", ".join(self._left_out[:5])
            more = f" and {len(self._left_out) - 5} more" if len(self._left_out) > 5 else ""
            self._gather.notes.append(f"attachments without text: {shown}{more}")

    def _collect(
        self,
        part: "Message[str, str]",
        bodies: list[str],
        others: list["Message[str, str]"],
        count: list[int],
    ) -> None:
        count[0] += 1
        if count[0] > _MAX_PARTS:
            return
        kind = part.get_content_type()
        inner = part.get_payload()
        if kind == "message/rfc822" or _is_attachment(part):
            others.append(part)
        elif part.is_multipart() and isinstance(inner, list):
            children = [child for child in inner if isinstance(child, Message)]
            if kind == "multipart/alternative":
                self._collect_best(children, bodies, others, count)
            else:
                for child in children:
                    self._collect(child, bodies, others, count)
        elif kind.startswith("text/"):
            bodies.append(self._body(part))
        else:
            others.append(part)

    def _collect_best(
        self,
        children: list["Message[str, str]"],
        bodies: list[str],
        others: list["Message[str, str]"],
        count: list[int],
    ) -> None:
        """Of alternatives the plainest, and others only if they say something else."""
        known: set[str] = set()
        for child in sorted(children, key=lambda one: one.get_content_type() != "text/plain"):
            found: list[str] = []
            self._collect(child, found, others, count)
            words = set("\n".join(found).lower().split())
            if len(words - known) > len(words) / 2:
                bodies += found
                known |= words

    def _body(self, part: "Message[str, str]") -> str:
        text = decode(_payload(part), part.get_content_charset("") or "")
        if part.get_content_type() == "text/html":
            page = parse_html(text, self._source)
            parts = [f"{s.title}\n{s.text}".strip() for s in page.sections]
            return "\n".join([page.title, *parts]).strip()
        return text.strip()

    def _add_enclosed(self, part: "Message[str, str]", depth: int, nesting: int) -> None:
        inner = part.get_payload()
        if nesting > _MAX_NESTING or not isinstance(inner, list):
            self._left_out.append("a forwarded message")
            return
        for child in inner:
            if isinstance(child, Message):
                self.add(child, depth, nesting=nesting)

    def _add_attachment(self, part: "Message[str, str]", depth: int) -> None:
        kind = part.get_content_type()
        name = _file_name(part) or f"attachment{_MIME_ENDINGS.get(kind, '')}"
        if kind.startswith(("image/", "audio/", "video/")):
            return
        self._attachments -= 1
        try:
            if self._attachments < 0:
                raise FileError()
            found = self._source.read_inner(name, _payload(part))
        except FileError:
            self._left_out.append(name)
            return
        self._gather.add("", name, depth=depth, kind="attachment")
        for section in found.sections:
            self._gather.add(
                section.text,
                section.title,
                depth=depth + 1 + section.depth,
                kind=section.kind,
                number=section.number,
                code=section.code,
            )


def _is_attachment(part: "Message[str, str]") -> bool:
    return part.get_content_disposition() == "attachment" or (
        bool(_file_name(part))
        and not part.get_content_type().startswith("text/plain")
        and not part.is_multipart()
    )


def _file_name(part: "Message[str, str]") -> str:
    try:
        name = part.get_filename() or ""
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""
    return " ".join(name.replace("/", " ").replace("\0", "").split())[:200]


def _payload(part: "Message[str, str]") -> bytes:
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError, TypeError):
        data = None
    return data if isinstance(data, bytes) else b""


EML = Format(
    "eml", (".eml", ".emlx", ".mht", ".mhtml"), read_eml, mime=("message/rfc822",), text=True
)
MBOX = Format("mbox", (".mbox", ".mbx"), read_mbox, mime=("application/mbox",), text=True)
