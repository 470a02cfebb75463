"""How well does this passage answer this query? Reads both together, with a model the user brings.

The folder holds `model.onnx` (inputs among input_ids, attention_mask, token_type_ids; one score or
several logits for each pair) and `tokenizer.json`. None comes with Sagasu.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine.embed.batches import iter_batches
from engine.embed.catalogue import TOKENIZER_NAME
from engine.embed.session import count_cores, open_session, run_session
from engine.embed.wordpiece import load_tokenizer
from engine.errors import ModelDamagedError, ModelMissingError

GRAPH_NAME = "model.onnx"
BATCH_TOKENS = 2048
KNOWN_INPUTS = ("input_ids", "attention_mask", "token_type_ids")


class CrossEncoder:
    """Scores of query and passage pairs; higher is better."""

    def __init__(self, folder: Path, *, max_tokens: int = 512, threads: int = 0) -> None:
        for name in (GRAPH_NAME, TOKENIZER_NAME):
            if not (folder / name).exists():
                raise ModelMissingError(path=folder / name)
        self._path = folder / GRAPH_NAME
        self._longest_query = max_tokens // 2
        self._plain = load_tokenizer(folder)
        self._tokenizer = load_tokenizer(folder)
        # The passage gives way; the query only where it would leave less than half for it.
        self._tokenizer.enable_truncation(max_tokens, strategy="only_second")
        self._session = open_session(self._path, threads or count_cores())
        self._inputs = {one.name: one.type for one in self._session.get_inputs()}
        unknown = sorted(set(self._inputs) - set(KNOWN_INPUTS))
        if unknown:
            problem = f"it asks for {', '.join(unknown)}"
            raise ModelDamagedError(path=self._path, problem=problem)

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        """One score for each passage, in order."""
        query = self._shorten(query)
        pairs = [(query, passage) for passage in passages]
        encoded = self._tokenizer.encode_batch(pairs)
        scores = np.zeros(len(passages), np.float32)
        for batch in iter_batches([len(one.ids) for one in encoded], BATCH_TOKENS):
            scores[batch] = self._run([encoded[place] for place in batch])
        if not np.isfinite(scores).all():
            raise ModelDamagedError(path=self._path, problem="it gives scores without a value")
        return [float(score) for score in scores]

    def _shorten(self, query: str) -> str:
        offsets = self._plain.encode(query, add_special_tokens=False).offsets
        if len(offsets) <= self._longest_query:
            return query
        return query[: offsets[self._longest_query - 1][1]]

    def _run(self, encoded: Sequence[Any]) -> Any:
        width = max(len(one.ids) for one in encoded)
        rows = {name: np.zeros((len(encoded), width), np.int64) for name in KNOWN_INPUTS}
        for row, one in enumerate(encoded):
            size = len(one.ids)
            rows["input_ids"][row, :size] = one.ids
            rows["attention_mask"][row, :size] = 1
            rows["token_type_ids"][row, :size] = one.type_ids
        inputs = {
            name: rows[name].astype(np.int32 if kind == "tensor(int32)" else np.int64)
            for name, kind in self._inputs.items()
        }
        output = run_session(self._session, inputs, self._path)
        # Two logits are "no" and "yes": the last one ranks, as does a single score.
        return np.asarray(output, np.float32).reshape(len(encoded), -1)[:, -1]
