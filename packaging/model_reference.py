"""What must the model answer? The network once more, in plain NumPy, and its stored answers.

`reference_vectors.json` was written by `python packaging/model_reference.py MODEL_SAFETENSORS
TOKENIZER_JSON`; the build compares every graph with it, so a mistake in a graph cannot hide.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

STORED = Path(__file__).with_name("reference_vectors.json")
SENTENCES = (
    "The invoice for the roof repair is due at the end of March.",
    "How do I roll back a failed database migration?",
    "Grandmother's recipe for plum cake with almonds and cinnamon.",
    "def parse_header(raw: bytes) -> dict[str, str]: return {}",
    "Die Besprechung wurde auf Donnerstag verschoben.",
    "写真はここにあります。",
    "Zebra",
    "The harbour was quiet in the early morning. Two fishing boats came in with the tide, and the "
    "men unloaded crates of herring while gulls circled over the pier. Nobody spoke much; the "
    "cold had settled into everything, and the first coffee of the day was still an hour away.",
)

Array = npt.NDArray[np.float32]


def read_reference() -> list[tuple[list[int], Array]]:
    """Token ids and the right vector of each stored sentence."""
    rows = json.loads(STORED.read_text(encoding="utf-8"))["sentences"]
    return [(row["ids"], np.asarray(row["vector"], np.float32)) for row in rows]


def compute_vector(weights: dict[str, Array], ids: list[int]) -> Array:
    """The unit vector of one text, step by step as the paper describes the network."""
    table = weights["embeddings.word_embeddings.weight"][ids]
    places = weights["embeddings.position_embeddings.weight"][: len(ids)]
    kind = weights["embeddings.token_type_embeddings.weight"][0]
    x = _normalise(weights, table + places + kind, "embeddings.LayerNorm")
    for number in range(6):
        name = f"encoder.layer.{number}"
        mixed = _attend(weights, x, f"{name}.attention.self")
        mixed = _linear(weights, mixed, f"{name}.attention.output.dense")
        x = _normalise(weights, x + mixed, f"{name}.attention.output.LayerNorm")
        inner = _linear(weights, x, f"{name}.intermediate.dense")
        bent = np.vectorize(math.erf, otypes=[np.float32])(inner / math.sqrt(2.0))
        inner = _linear(weights, 0.5 * inner * (1.0 + bent), f"{name}.output.dense")
        x = _normalise(weights, x + inner, f"{name}.output.LayerNorm")
    mean = x.mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean), np.float32)


def _linear(weights: dict[str, Array], x: Array, name: str) -> Array:
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def _normalise(weights: dict[str, Array], x: Array, name: str) -> Array:
    spread = np.sqrt(x.var(axis=-1, keepdims=True) + 1e-12)
    centred = (x - x.mean(axis=-1, keepdims=True)) / spread
    return np.asarray(centred * weights[f"{name}.weight"] + weights[f"{name}.bias"], np.float32)


def _attend(weights: dict[str, Array], x: Array, name: str) -> Array:
    heads = 12
    query, key, value = (
        _linear(weights, x, f"{name}.{part}").reshape(len(x), heads, -1).swapaxes(0, 1)
        for part in ("query", "key", "value")
    )
    scores = query @ key.swapaxes(1, 2) / math.sqrt(query.shape[-1])
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    return np.asarray((shares @ value).swapaxes(0, 1).reshape(len(x), -1), np.float32)


def _write_reference(weights_file: Path, tokenizer_file: Path) -> None:
    from model_graph import read_weights
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_padding()
    weights = read_weights(weights_file)
    rows = []
    for text in SENTENCES:
        ids = tokenizer.encode(text).ids
        vector = [round(float(number), 6) for number in compute_vector(weights, ids)]
        rows.append(json.dumps({"text": text, "ids": ids, "vector": vector}, ensure_ascii=False))
    body = ",\n".join(rows)
    STORED.write_text(f'{{"sentences": [\n{body}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    _write_reference(Path(sys.argv[1]), Path(sys.argv[2]))
