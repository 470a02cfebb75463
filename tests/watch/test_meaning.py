"""Meaning follows behind, and moves with its file.

1. What is written gets its vectors without being asked. 2. A moved file and a moved folder keep
theirs: nothing is embedded twice. 3. What is deleted leaves no vector behind.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.api import Engine
from engine.config import EmbeddingSettings
from engine.embed.onnx import OnnxEmbedder
from tests.watch.conftest import CONFIG, Kept


def vectors(engine: Engine) -> dict[str, bytes]:
    rows = engine.database.connection().execute(
        "SELECT hex(hash), vector FROM vectors WHERE vector IS NOT NULL"
    )
    return dict(rows.fetchall())


def test_meaning_follows_and_moves_with_its_file(
    home: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = replace(CONFIG, embedding=EmbeddingSettings())
    with Engine.open(home, write=True, config=config) as engine:
        if engine.embedder() is None:
            pytest.skip(engine.semantic().reason)
        engine.start_keeping()
        engine.watch_root(str(folder))
        kept = Kept(engine)
        kept.until(lambda: len(vectors(engine)) == 2)
        before = vectors(engine)
        embedded: list[int] = []
        embed = OnnxEmbedder.iter_embed

        def count(self: OnnxEmbedder, passages: list[str]) -> object:
            embedded.append(len(passages))
            return embed(self, passages)

        monkeypatch.setattr(OnnxEmbedder, "iter_embed", count)
        (folder / "heron.md").rename(folder / "letters" / "ardea.md")
        (folder / "letters").rename(folder / "archive")
        kept.until_found("grey heron", "ardea.md")
        kept.until(lambda: "indexed," in engine.why(str(folder / "archive" / "ardea.md")))
        assert kept.keeper.wait_quiet(30)
        engine.settle()
        assert vectors(engine) == before
        assert embedded == []
        (folder / "archive" / "ardea.md").unlink()
        kept.until_found("grey heron")
        engine.settle()
        assert len(vectors(engine)) == 1
