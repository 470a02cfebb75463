"""How large do the activations get? Measures them over text, once, for the int8 graph.

    python packaging/model_ranges.py MODEL_SAFETENSORS TOKENIZER_JSON FOLDER_OF_TEXT

writes `activation_ranges.npz`: for each layer that is quantised the least and the largest value of
each input channel. Stored, so that every build gives the same vectors.
"""

import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from model_graph import Weights, build_plain, read_weights
from model_int8 import RANGES

ODD_TEXTS = (
    "", "a", "invoice 2021", "写真はここにあります。東京の天気", "Привет мир, как дела?",
    "مرحبا بالعالم", "x = [1,2,3]; print(x)", "1234567890 0000 11", "!!!! ---- ====",
    "https://example.org/a/b?c=d", "Die Rechnung für März liegt bei.", "La réunion est reportée.",
    "SELECT name FROM users WHERE id = 4;", "🎉 party", "the the the the the", "0.1 0.2 0.3 17 99",
)  # fmt: skip


def measure_ranges(weights: Weights, batches: list[list[int]]) -> dict[str, Any]:
    """For each layer a [2, channels] array: least and largest input over all texts."""
    import onnxruntime

    model = build_plain(weights)
    constants = {tensor.name for tensor in model.graph.initializer}
    taps: dict[str, str] = {}
    for node in model.graph.node:
        if node.op_type == "MatMul" and node.input[1] in constants:
            taps[node.input[1].removesuffix(".weight")] = node.input[0]
    for tensor in set(taps.values()):
        value = onnx.helper.make_tensor_value_info(tensor, onnx.TensorProto.FLOAT, None)
        model.graph.output.append(value)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    found: dict[str, Any] = {}
    for ids in batches:
        tokens = np.asarray([ids], np.int32)
        inputs = {"input_ids": tokens, "attention_mask": np.ones_like(tokens)}
        for name, value in zip(taps, session.run(list(taps.values()), inputs), strict=True):
            pair = np.stack([value[0].min(axis=0), value[0].max(axis=0)])
            if name in found:
                low, high = found[name]
                pair = np.stack([np.minimum(pair[0], low), np.maximum(pair[1], high)])
            found[name] = pair
    return {name: pair for name, pair in found.items() if not name.endswith((".key", ".value"))}


def read_passages(folder: Path, count: int) -> list[str]:
    """Passages of 5 to 150 words from random places of random files, and the odd ones."""
    draw = random.Random(5)
    files = sorted(path for path in folder.rglob("*") if path.suffix in {".md", ".txt", ".rst"})
    draw.shuffle(files)
    texts = list(ODD_TEXTS)
    for path in files[:count]:
        words = path.read_text(encoding="utf-8", errors="replace").split() or [""]
        start = draw.randrange(len(words))
        texts.append(" ".join(words[start : start + draw.choice((5, 30, 100, 150))]))
    return texts


def _main(weights_file: Path, tokenizer_file: Path, folder: Path) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_padding()
    tokenizer.enable_truncation(256)
    batches = [tokenizer.encode(text).ids for text in read_passages(folder, 500)]
    ranges = measure_ranges(read_weights(weights_file), batches)
    np.savez_compressed(RANGES, **{name: pair.astype("f2") for name, pair in ranges.items()})


if __name__ == "__main__":
    _main(*map(Path, sys.argv[1:4]))
