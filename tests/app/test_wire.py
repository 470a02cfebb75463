"""Messages on the wire: 1 what the page sends becomes its record; 2 unknown names and fields,
missing ones, wrong kinds and ranges are refused by name; 3 any JSON is a message or a refusal;
4 the page's own list of messages and fields is part of ours; 5 answers have one envelope.
"""

import json
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import messages as m
from app.wire import MAX_MESSAGE, answer_text, parse_message, parse_text, refusal_text
from engine.errors import InvalidValueError, NotFoundError, QuerySyntaxError

PAGE = Path(__file__).resolve().parents[2] / "resources" / "panel" / "messages.js"


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"name": "search", "query": "tax"}, m.Search("tax")),
        (
            {"name": "search", "query": "", "limit": 5, "filters": {"kind": "pdf"}, "sequence": 9,
             "ignore_chips": ["kind:pdf"], "stage": "words"},
            m.Search("", 5, filters={"kind": "pdf"}, sequence=9, ignore_chips=("kind:pdf",),
                     stage="words"),
        ),
        ({"name": "open", "id": "7", "page": None, "line": 3}, m.Open("7", line=3)),
        ({"name": "copy_path", "ids": ["a", "b"]}, m.CopyPath(("a", "b"))),
        ({"name": "context_pack", "query": "q", "chunks": [1, 2]}, m.ContextPack("q", (), (1, 2))),
        ({"name": "settings_set", "key": "k", "value": True}, m.SettingsSet("k", True)),
        ({"name": "settings_set", "key": "k", "value": 1.5}, m.SettingsSet("k", 1.5)),
        ({"name": "settings_set", "key": "k", "value": ["a"]}, m.SettingsSet("k", ("a",))),
        ({"name": "hide"}, m.Hide()),
    ],
)  # fmt: skip
def test_understood(raw: object, message: m.Message) -> None:
    assert parse_text(json.dumps(raw)) == message


def test_true_is_not_a_number() -> None:
    assert parse_message({"name": "settings_set", "key": "k", "value": True}) != m.SettingsSet(
        "k", 2
    )
    with pytest.raises(InvalidValueError, match=r"search\.limit"):
        parse_message({"name": "search", "query": "", "limit": True})


@pytest.mark.parametrize(
    ("raw", "where"),
    [
        ([], "message"),
        ({}, "name"),
        ({"name": "rm"}, "name"),
        ({"name": "__class__"}, "name"),
        ({"name": "search"}, "search.query"),
        ({"name": "search", "query": "a", "__init__": 1}, "search.__init__"),
        ({"name": "search", "query": 3}, "search.query"),
        ({"name": "search", "query": "a", "limit": 501}, "search.limit"),
        ({"name": "search", "query": "a", "limit": 0}, "search.limit"),
        ({"name": "search", "query": "a\0b"}, "search.query"),
        ({"name": "search", "query": "x" * 10_001}, "search.query"),
        ({"name": "search", "query": "a", "filters": {"kind": 3}}, "search.filters"),
        ({"name": "search", "query": "a", "filters": []}, "search.filters"),
        ({"name": "copy_path", "ids": "abc"}, "copy_path.ids"),
        ({"name": "copy_path", "ids": ["a"] * 201}, "copy_path.ids"),
        ({"name": "copy_path", "ids": [1]}, "copy_path.ids"),
        ({"name": "settings_set", "key": "k", "value": {}}, "settings_set.value"),
        ({"name": "resize", "height": 9}, "resize.height"),
    ],
)
def test_refused_by_name(raw: object, where: str) -> None:
    with pytest.raises(InvalidValueError, match=re.escape(where)):
        parse_message(raw)


@pytest.mark.parametrize("text", ["", "{", "nul", "[" * 100_000, "x" * (MAX_MESSAGE + 1)])
def test_broken_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidValueError):
        parse_text(text)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
)


@given(st.sampled_from(m.MESSAGES), st.data())
def test_any_object_is_a_message_or_a_refusal(kind: type[m.Message], data: st.DataObject) -> None:
    fields = [name for name in kind.__dataclass_fields__ if name != "name"]
    raw = {name: data.draw(values) for name in fields if data.draw(st.booleans())}
    with suppress(InvalidValueError):
        assert isinstance(parse_message({"name": kind.name, **raw}), kind)


def test_names_are_unique_and_explained() -> None:
    assert len(m.BY_NAME) == len(m.MESSAGES)
    assert all(kind.__doc__ for kind in m.MESSAGES)


def test_everything_the_page_may_send_is_known_here() -> None:
    if not PAGE.exists():
        pytest.skip("the page is not here yet")
    script = PAGE.read_text(encoding="utf-8")
    block = script[script.index("export const MESSAGES") : script.index("export const EVENTS")]
    sent = re.findall(r"^  (\w+): \{\s*fields: \[([^\]]*)\]", block, re.MULTILINE)
    assert len(sent) > 30
    for name, listed in sent:
        fields = set(re.findall(r'"(\w+)"', listed))
        unknown = fields - set(m.BY_NAME[name].__dataclass_fields__)
        assert not unknown, f"{name}: {unknown}"


def test_every_event_of_the_page_is_known_here() -> None:
    if not PAGE.exists():
        pytest.skip("the page is not here yet")
    script = PAGE.read_text(encoding="utf-8")
    block = script[
        script.index("export const EVENTS") : script.index("export function buildMessage")
    ]
    assert set(re.findall(r"^  (\w+): \{ shape", block, re.MULTILINE)) == set(m.EVENTS)


def test_one_envelope() -> None:
    assert json.loads(answer_text({"a": (1, "é")})) == {"ok": True, "value": {"a": [1, "é"]}}
    refusal = json.loads(refusal_text(NotFoundError(what="document", fix="Look again.")))
    assert refusal == {
        "ok": False,
        "error": {"kind": "NotFoundError", "say": "document not found", "hint": "Look again."},
    }


def test_a_query_error_keeps_its_place() -> None:
    error = QuerySyntaxError(problem="no closing quote", fix="Close it.", query='"a', position=0)
    assert json.loads(refusal_text(error))["error"]["position"] == 0
