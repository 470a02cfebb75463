"""Proves of the chain from text to terms:

1. every kind of token of the table gives exactly these terms, in order;
2. the same text gives the same terms with and without offsets, and every offset holds its term;
3. terms are short, lower case and free of white space and NUL, whatever comes in;
4. unaccented and accented spellings reach the same terms in all Latin languages;
5. inflected forms reach one stem in the 18 languages.
"""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text import LONGEST_TERM, analyse, analyse_with_offsets, find_terms
from engine.text.languages import LANGUAGES
from engine.text.normalise import fold, to_nfkc

CODES = [row.code for row in LANGUAGES]
LATIN = [row.code for row in LANGUAGES if row.script == "latin"]

TOKENS = [
    ("getUserById", "getuserbyid get user by id"),
    ("XMLHttpRequest", "xmlhttprequest xml http request"),
    ("parse_json", "parsejson pars json"),
    ("parseJson", "parsejson pars json"),
    ("__init__", "init"),
    ("C++ C# F#", "c++ c# f#"),
    ("count++", "count++ count"),
    (".NET ASP.NET", ".net net asp.net asp net"),
    ("node.js", "node.js node js"),
    ("v1.2.3", "v1.2.3 1.2.3"),
    ("3.14 1,000,000", "3.14 1000000"),
    ("2026-03-01", "20260301 2026 03 01"),
    ("pages 10-20", "page 10 20"),
    ("user@example.com", "user@example.com user example.com exampl com"),
    ("Error-Handling", "error handl"),
    ("e-mail", "email e mail"),
    ("UTF-8 utf8", "utf8 utf 8 utf8 utf 8"),
    ("U.S.A. e.g.", "usa eg"),
    ("don't user's", "dont user"),
    ("O’Reilly", "oreilli o reilli"),
    ("PDFs pdfs URLs https", "pdf pdf url https"),
    ("iOS iPhone", "io iphon i phone"),
    ("python3", "python3 python 3"),
    ("IMG_20260301.jpg", "img20260301.jpg img20260301 img 20260301 jpg"),
    ("Straße ﬁne x²", "strass fine x2"),
    ("soft\u00adhyphen zero\u200dwidth", "softhyphen zerowidth"),
    ("ＦＵＬＬ　ｗｉｄｔｈ", "full width"),
    ("東京都 水", "東京 京都 水"),
    ("Python入門", "python 入門"),
    ("한국어는", "한국 국어 어는"),
    ("ﾊﾟｿｺﾝ", "パソ ソコ コン"),
    ("ภาษาไทย", "ภาษ าษา ษาไ าไท ไทย"),
    ("party 🎉", "parti 🎉"),
    ("— … !! ()", ""),
]


@pytest.mark.parametrize(("text", "terms"), TOKENS, ids=[text for text, _ in TOKENS])
def test_token_gives_these_terms(text: str, terms: str) -> None:
    assert analyse(text, "en") == terms.split()


def test_elided_articles_part_from_their_nouns() -> None:
    assert analyse("l'avion d’été", "fr") == ["l", "avion", "d", "ete"]
    assert analyse("dell'acqua", "it")[-1] == analyse("acqua", "it")[0]


def test_long_token_keeps_its_beginning() -> None:
    assert analyse("a" * 100, "en") == ["a" * LONGEST_TERM]


def test_encoded_data_does_not_explode() -> None:
    blob = "QmFzZTY0RW5jb2RlZERhdGFUaGF0SXNWZXJ5TG9uZw" * 20
    assert len(analyse(blob, "en")) <= 25


def test_long_slug_keeps_all_its_words() -> None:
    words = [f"w{number}x" for number in range(40)]
    assert set(words) <= set(analyse("-".join(words), "en"))


def test_stop_words_stay_in_the_index() -> None:
    assert analyse("to be or not to be", "en") == ["to", "be", "or", "not", "to", "be"]


def test_offsets_point_into_the_original_after_normalisation() -> None:
    text = "ﬁrst ½ café cafe\u0301 ﾊﾟｿｺﾝ ＡＢＣ end"
    found = {
        token.term: text[token.start : token.end] for token in analyse_with_offsets(text, "en")
    }
    assert found["first"] == "ﬁrst"
    assert found["cafe"] == "cafe\u0301"
    assert found["abc"] == "ＡＢＣ"
    assert found["end"] == "end"


def test_parts_of_an_identifier_have_their_own_offsets() -> None:
    text = "call getUserById now"
    spans = [text[token.start : token.end] for token in analyse_with_offsets(text, "en")]
    assert spans == ["call", "getUserById", "get", "User", "By", "Id", "now"]


@given(st.text(max_size=60), st.sampled_from(CODES))
def test_offsets_agree_with_terms(text: str, language: str) -> None:
    tokens = analyse_with_offsets(text, language)
    assert [token.term for token in tokens] == analyse(text, language)
    for token in tokens:
        assert 0 <= token.start < token.end <= len(text)
        again = analyse(text[token.start : token.end], language)
        assert any(token.term in other or other in token.term for other in again), token


@given(st.text(max_size=80), st.sampled_from(CODES))
def test_terms_are_clean(text: str, language: str) -> None:
    for term in analyse(text, language):
        assert 0 < len(term) <= LONGEST_TERM
        assert term.split() == [term]
        assert "\0" not in term
        assert not any(character.isupper() for character in term if character.lower() != character)


@given(st.text(alphabet="abcdeiounsßäöüéèêáàâíóúñçãõåøæłżşğıțő '-", max_size=40))
def test_accents_make_no_difference(text: str) -> None:
    for language in LATIN:
        assert analyse(text, language) == analyse(fold(to_nfkc(text)), language)


@given(st.text(max_size=60))
def test_composed_and_decomposed_forms_are_one(text: str) -> None:
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert analyse(composed, "en") == analyse(decomposed, "en")


INFLECTED = {
    "ar": "كتاب الكتاب", "da": "hest heste", "nl": "lichamelijk lichamelijke",
    "en": "handling handled", "fi": "talossa talot", "fr": "continuation continuer",
    "de": "Häuser Hauses", "el": "δρόμος δρόμου", "hu": "házak házat", "it": "gatto gatti",
    "no": "hester hestene", "pt": "menino meninos", "ro": "copil copilul",
    "ru": "книга книги", "es": "canción canciones", "sv": "hästar hästen",
    "ta": "வீடுகள் வீடு", "tr": "evler evlerin",
}  # fmt: skip


@pytest.mark.parametrize(("language", "words"), INFLECTED.items(), ids=INFLECTED)
def test_inflected_forms_share_a_stem(language: str, words: str) -> None:
    assert len(set(analyse(words, language))) == 1


@given(st.text(max_size=200), st.sampled_from(["en", "de", "zh", "th", "ru"]))
def test_finding_some_terms_gives_what_analysing_all_would(text: str, language: str) -> None:
    tokens = analyse_with_offsets(text, language)
    wanted = {token.term for token in tokens[::2]}
    assert find_terms(text, language, wanted) == [one for one in tokens if one.term in wanted]
