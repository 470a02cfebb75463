"""Which languages do we know? One row each: stemmer, stop list and script.

18 languages are those of Snowball that ra names; 33 have a stop list; Thai, Lao, Khmer and Burmese
are here because they are cut into n-grams instead of words. A code that is not in the table is
analysed like one without a stemmer.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """How one language is written and stemmed."""

    code: str  # ISO 639-1
    name: str
    script: str  # latin, cyrillic, greek, arabic, hebrew, han, hangul, thai …
    stemmer: str = ""  # Snowball's name; empty: words are kept as they are
    stopwords: bool = False  # resources/stopwords/<code>.txt exists


LANGUAGES: tuple[Language, ...] = (
    Language("ar", "Arabic", "arabic", "arabic", True),
    Language("bg", "Bulgarian", "cyrillic", "", True),
    Language("ca", "Catalan", "latin", "catalan", True),
    Language("cs", "Czech", "latin", "", True),
    Language("da", "Danish", "latin", "danish", True),
    Language("de", "German", "latin", "german", True),
    Language("el", "Greek", "greek", "greek", True),
    Language("en", "English", "latin", "english", True),
    Language("es", "Spanish", "latin", "spanish", True),
    Language("fa", "Persian", "arabic", "", True),
    Language("fi", "Finnish", "latin", "finnish", True),
    Language("fr", "French", "latin", "french", True),
    Language("gu", "Gujarati", "gujarati", "", True),
    Language("he", "Hebrew", "hebrew", "", True),
    Language("hi", "Hindi", "devanagari", "hindi", True),
    Language("hu", "Hungarian", "latin", "hungarian", True),
    Language("id", "Indonesian", "latin", "indonesian", True),
    Language("it", "Italian", "latin", "italian", True),
    Language("ja", "Japanese", "kana", "", True),
    Language("km", "Khmer", "khmer"),
    Language("ko", "Korean", "hangul", "", True),
    Language("lo", "Lao", "lao"),
    Language("ms", "Malay", "latin", "", True),
    Language("my", "Burmese", "myanmar"),
    Language("nl", "Dutch", "latin", "dutch", True),
    Language("no", "Norwegian", "latin", "norwegian", True),
    Language("pl", "Polish", "latin", "", True),
    Language("pt", "Portuguese", "latin", "portuguese", True),
    Language("ro", "Romanian", "latin", "romanian", True),
    Language("ru", "Russian", "cyrillic", "russian", True),
    Language("sk", "Slovak", "latin", "", True),
    Language("sv", "Swedish", "latin", "swedish", True),
    Language("ta", "Tamil", "tamil", "tamil"),
    Language("th", "Thai", "thai"),
    Language("tr", "Turkish", "latin", "turkish", True),
    Language("uk", "Ukrainian", "cyrillic", "", True),
    Language("vi", "Vietnamese", "latin", "", True),
    Language("zh", "Chinese", "han", "", True),
)

DEFAULT_LANGUAGE = "en"

_BY_CODE = {language.code: language for language in LANGUAGES}


def find_language(code: str) -> Language | None:
    """The row of a code such as `de`, `de-AT` or `DE_at`; None when we do not know it."""
    return _BY_CODE.get(code.replace("_", "-").partition("-")[0].lower())
