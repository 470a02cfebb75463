"""Text in every common encoding.

1. UTF-8, UTF-16 and UTF-32 with and without byte order mark.
2. Windows, ISO, DOS and Mac code pages, KOI8-R and the East Asian encodings, for short texts too.
3. Declared encodings of web pages; line ends; cut and slightly broken UTF-8.
4. Binary data is not text.
"""

import pytest

from engine.extract import extract
from engine.extract.sniff import decode, is_text

GERMAN = "Die Straße führt über die Brücke, und später können wir größere Häuser schön sehen."
FRENCH = "Après l'été, le garçon a reçu une lettre de sa mère où elle était très fâchée."
SPANISH = "El niño comió una manzana mañana; después salió a la montaña con su tía. ¿Quién es?"
POLISH = "Zażółć gęślą jaźń, powiedział pan młody, a później poszedł do żony i dzieci w świąt."
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy, protože dnes budou psát důležitou písemku."
TURKISH = "Işığı görünce çocuklar şaşırdı; öğretmen güldü ve İstanbul'a doğru yürüdü, çünkü geçti."
RUSSIAN = "Эйнштейн прибыл в город, и отношение учителей к нему было самым хорошим с начала."
GREEK = "Ο διαδικτυακός μας τόπος απασχόλησε για πολύ καιρό τους αναγνώστες της πόλης."
HEBREW = "העברית היא שפה שמית הידועה כשפתם של היהודים ונכתבת בכתב עברי מימין לשמאל."
ARABIC = "وقالت الكتائب في بيان لها إن المدينة شهدت يوما هادئا بعد أيام من العمل المتواصل."
JAPANESE = (
    "これは日本語の文章です。アプリケーションのバージョンを確認してください。正面入口の写真。"
)
CHINESE = "这是一个关于花园预算的简短说明，我们在春天种下了许多花，大家都很喜欢这里的风景。"
TAIWANESE = "臺灣是位於東亞的島嶼，四面環海，許多遊客喜歡到夜市品嚐各種小吃，體驗不同的文化。"
KOREAN = "대한민국은 동아시아의 한반도 남부에 위치한 나라이다. 많은 사람들이 방문하고 있다."


@pytest.mark.parametrize("mark", [True, False], ids=["marked", "unmarked"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", [GERMAN, RUSSIAN + " (1879) and so on in the records of the town"])
def test_unicode_with_and_without_mark(text: str, encoding: str, mark: bool) -> None:
    if not mark and encoding.startswith("utf-16") and text != GERMAN:
        text = GERMAN + " " + text  # zero bytes give unmarked UTF-16 away: it needs Latin letters
    data = (("\ufeff" if mark else "") + text).encode(encoding)
    assert decode(data) == text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1252", GERMAN),
        ("latin-1", GERMAN),
        ("iso8859_15", FRENCH),
        ("mac_roman", FRENCH),
        ("cp850", GERMAN),
        ("cp1252", FRENCH),
        ("cp1252", SPANISH),
        ("cp1252", "“Quoted” words – with a dash…"),
        ("cp1250", POLISH),
        ("iso8859_2", POLISH),
        ("cp1250", CZECH),
        ("iso8859_2", CZECH),
        ("cp1254", TURKISH),
        ("cp1251", RUSSIAN),
        ("koi8_r", RUSSIAN),
        ("cp866", RUSSIAN),
        ("iso8859_5", RUSSIAN),
        ("cp1253", GREEK),
        ("iso8859_7", GREEK),
        ("cp1255", HEBREW),
        ("cp1256", ARABIC),
        ("shift_jis", JAPANESE),
        ("cp932", JAPANESE),
        ("euc_jp", JAPANESE),
        ("iso2022_jp", JAPANESE),
        ("gb18030", CHINESE),
        ("gb2312", CHINESE),
        ("big5", TAIWANESE),
        ("euc_kr", KOREAN),
    ],
)
@pytest.mark.parametrize("size", [40, 1000])
def test_legacy_encodings(encoding: str, text: str, size: int) -> None:
    text = (text * (size // len(text) + 1))[:size]
    assert decode(text.encode(encoding)) == text


def test_declared_encoding_of_a_page_counts() -> None:
    page = (
        f'<html><head><meta charset="windows-1252"></head><body>Naïve {GREEK[:0]}café</body></html>'
    )
    assert "Naïve café" in extract("/x/a.html", page.encode("cp1252")).sections[0].text
    unknown = b'<meta charset="no-such-thing"><p>caf\xe9 and more caf\xe9s'
    assert "café" in extract("/x/a.html", unknown).sections[0].text


def test_all_line_ends_become_one() -> None:
    assert decode(b"a\r\nb\rc\nd") == "a\nb\nc\nd"


def test_cut_and_slightly_broken_utf8_stays_utf8() -> None:
    data = (RUSSIAN * 3).encode()
    assert decode(data[:-1]).startswith(RUSSIAN)
    assert decode(data[:100] + b"\xff" + data[100:]).count("\N{REPLACEMENT CHARACTER}") <= 2


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", True),
        (b"plain words\n", True),
        (GERMAN.encode("utf-16-le"), True),
        (bytes(range(256)), False),
        (b"\0" * 100, False),
        (b"text" + b"\0" * 40, False),
    ],
)
def test_binary_is_told_from_text(data: bytes, expected: bool) -> None:
    assert is_text(data) is expected
