"""Which computation is the model? Writes it as an ONNX graph, straight from the weights.

6 layers, mean pooling and unit length, in standard operators only. With a fixed shape it is what
CoreML takes whole: positions are a constant, and the length is Mul-ReduceSum-Sqrt because CoreML
has no ReduceL2. `model_int8` writes the same network for CPUs in int8.
"""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

LAYERS, HEADS, WIDTH = 6, 12, 384
HEAD_WIDTH = WIDTH // HEADS
EPSILON = 1e-12
OPSET = 17  # the newest that onnxruntime's CoreML checker knows in full

Weights = dict[str, npt.NDArray[np.float32]]


def read_weights(path: Path) -> Weights:
    """The float tensors of a safetensors file: 8 bytes header length, JSON, then raw data."""
    raw = path.read_bytes()
    (size,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + size])
    weights: Weights = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = (8 + size + offset for offset in entry["data_offsets"])
            weights[name] = np.frombuffer(raw[start:end], "<f4").reshape(entry["shape"])
    return weights


class Graph:
    """Collects nodes and constants; every call returns the name of its output."""

    def __init__(self, weights: Weights, shape: tuple[int, int] | None) -> None:
        self.weights = weights
        self.shape = shape
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def add(self, kind: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        output = f"{kind}_{len(self.nodes)}"
        node = helper.make_node(kind, inputs, [output], name=output, domain=domain, **attributes)
        self.nodes.append(node)
        return output

    def constant(self, name: str, value: npt.ArrayLike, kind: Any = np.float32) -> str:
        array = np.ascontiguousarray(value, dtype=kind)
        self.constants.setdefault(name, numpy_helper.from_array(array, name))
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self.weights[name])

    def linear(self, x: str, name: str) -> str:
        """x times the transposed weight, without the bias."""
        return self.add(
            "MatMul", x, self.constant(f"{name}.weight", self.weights[f"{name}.weight"].T)
        )

    def model(self, output: str) -> onnx.ModelProto:
        batch, length = self.shape or ("batch", "length")
        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT32, [batch, length])
            for name in ("input_ids", "attention_mask")
        ]
        vectors = helper.make_tensor_value_info("vectors", TensorProto.FLOAT, [batch, WIDTH])
        self.nodes.append(helper.make_node("Identity", [output], ["vectors"], name="vectors"))
        graph = helper.make_graph(
            self.nodes, "all-MiniLM-L6-v2", inputs, [vectors], list(self.constants.values())
        )
        opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)


def build_plain(weights: Weights, shape: tuple[int, int] | None = None) -> onnx.ModelProto:
    """The network in standard operators; `shape` fixes batch and length."""
    graph = Graph(weights, shape)
    mask = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    inverted = graph.add("Sub", graph.constant("one", 1.0), mask)
    penalty = graph.add("Mul", inverted, graph.constant("penalty", -10_000.0))
    penalty = graph.add("Unsqueeze", penalty, graph.constant("axes_12", [1, 2], np.int64))
    x = _embed_tokens(graph)
    for layer in range(LAYERS):
        x = _plain_layer(graph, x, penalty, f"encoder.layer.{layer}")
    return graph.model(pool(graph, x, mask))


def _embed_tokens(graph: Graph) -> str:
    # Only segment 0 exists here: its row is added to the positions once, at build time.
    segment = graph.weights["embeddings.token_type_embeddings.weight"][0]
    table = graph.weights["embeddings.position_embeddings.weight"] + segment
    if graph.shape:
        positions = graph.constant("positions", table[: graph.shape[1]])
    else:
        # Slice, not Range and Gather: onnxruntime 1.31's embedding fusion breaks on the latter.
        length = graph.add("Shape", "input_ids", start=1, end=2)
        start = graph.constant("zero", [0], np.int64)
        positions = graph.add("Slice", graph.constant("positions", table), start, length)
    words = graph.weight("embeddings.word_embeddings.weight")
    tokens = graph.add("Gather", words, "input_ids")
    return _normalise(graph, graph.add("Add", tokens, positions), "embeddings.LayerNorm")


def _normalise(graph: Graph, x: str, name: str) -> str:
    scale, shift = graph.weight(f"{name}.weight"), graph.weight(f"{name}.bias")
    return graph.add("LayerNormalization", x, scale, shift, axis=-1, epsilon=EPSILON)


def _biased(graph: Graph, x: str, name: str) -> str:
    return graph.add("Add", graph.linear(x, name), graph.weight(f"{name}.bias"))


def _plain_layer(graph: Graph, x: str, penalty: str, name: str) -> str:
    heads = []
    batch, length = graph.shape or (0, 0)
    split = graph.constant("split", [batch, length, HEADS, HEAD_WIDTH], np.int64)
    for part in ("query", "key", "value"):
        one = _biased(graph, x, f"{name}.attention.self.{part}")
        order = [0, 2, 3, 1] if part == "key" else [0, 2, 1, 3]
        heads.append(graph.add("Transpose", graph.add("Reshape", one, split), perm=order))
    scores = graph.add("MatMul", heads[0], heads[1])
    scores = graph.add("Mul", scores, graph.constant("scale", HEAD_WIDTH**-0.5))
    shares = graph.add("Softmax", graph.add("Add", scores, penalty), axis=-1)
    mixed = graph.add("Transpose", graph.add("MatMul", shares, heads[2]), perm=[0, 2, 1, 3])
    mixed = graph.add("Reshape", mixed, graph.constant("join", [batch, length, WIDTH], np.int64))
    attended = _biased(graph, mixed, f"{name}.attention.output.dense")
    x = _normalise(graph, graph.add("Add", attended, x), f"{name}.attention.output.LayerNorm")
    inner = _biased(graph, x, f"{name}.intermediate.dense")
    bend = graph.add("Erf", graph.add("Div", inner, graph.constant("root_two", 2.0**0.5)))
    half = graph.add("Mul", inner, graph.constant("half", 0.5))
    inner = graph.add("Mul", half, graph.add("Add", bend, graph.constant("one", 1.0)))
    x = graph.add("Add", _biased(graph, inner, f"{name}.output.dense"), x)
    return _normalise(graph, x, f"{name}.output.LayerNorm")


def pool(graph: Graph, x: str, mask: str) -> str:
    """The mean over the real tokens, at unit length."""
    axis = graph.constant("axis_1", [1], np.int64)
    total = graph.add("MatMul", graph.add("Unsqueeze", mask, axis), x)
    # Dividing by the number of tokens would not change the direction, and unit length follows.
    total = graph.add("Squeeze", total, axis)
    squares = graph.add("ReduceSum", graph.add("Mul", total, total), axis, keepdims=1)
    return graph.add("Div", total, graph.add("Sqrt", squares))
