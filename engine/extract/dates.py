"""When was it made, by its own words? Dates of the formats as POSIX seconds, None if unreadable."""

import re
from datetime import UTC, date, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

_PDF = re.compile(r"D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?)?")
_ISO = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?")


def parse_pdf_date(text: str) -> float | None:
    """D:20240131120000+01'00' as seconds."""
    found = _PDF.match(text.strip())
    if not found:
        return None
    year, month, day = int(found[1]), int(found[2] or 1), int(found[3] or 1)
    hour, minute, second = int(found[4] or 0), int(found[5] or 0), int(found[6] or 0)
    offset = timedelta(hours=int(found[8] or 0), minutes=int(found[9] or 0))
    try:
        zone = timezone(-offset if found[7] == "-" else offset)
        return datetime(year, month, day, hour, minute, second, tzinfo=zone).timestamp()
    except (ValueError, OverflowError):
        return None


def parse_date(value: object) -> float | None:
    """A date as documents write it (ISO 8601, a YAML date) as seconds; UTC if unsaid."""
    if isinstance(value, datetime):
        moment: datetime | None = value
    elif isinstance(value, date):
        moment = datetime(value.year, value.month, value.day)
    else:
        moment = _parse_iso(str(value).strip())
    if moment is None:
        return None
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def parse_mail_date(text: str) -> float | None:
    """The date in a mail header as seconds."""
    try:
        moment = parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _parse_iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        found = _ISO.match(text)
    try:
        return datetime(int(found[1]), int(found[2]), int(found[3] or 1)) if found else None
    except ValueError:
        return None
