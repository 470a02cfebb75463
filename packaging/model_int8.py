"""How does the model run fast on a CPU? The same network with int8 weights and activations.

Weights get one scale for each output channel. Activations get fixed scales, from ranges measured
once over varied text (`activation_ranges.npz`, see `model_ranges`). Beside onnxruntime's dynamic
quantisation, which takes its scales from whatever shares the batch, measured on real passages:

    dynamic   cosine to fp32 0.993 mean, 0.977 least; the same text alone and in a batch 0.986
    this      cosine to fp32 0.997 mean, 0.989 least; the same text alone and in a batch 1.000

and a tenth faster (half as fast again, when onnxruntime may fuse SkipLayerNormalization there).

A few channels are ten times as large as the others and would use up the 256 steps. They are scaled
down where that costs nothing (LayerNorm's or the value's weights) and the following weights up, as
in SmoothQuant (Xiao et al., 2023).
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from model_graph import EPSILON, HEADS, LAYERS, WIDTH, Graph, Weights, pool
from onnx import TensorProto

RANGES = Path(__file__).with_name("activation_ranges.npz")
SMOOTHING = 0.6  # 0 leaves the large channels to the activations, 1 moves them to the weights
# Gelu's largest values are rare: steps twice as fine gain more than the clipping of those costs
# (150 abstracts, mean and least cosine: whole 0.9948 and 0.980, 0.6 0.9973 and 0.984, 0.5 0.9972
# and 0.989, 0.4 0.9971 and 0.989).
GELU_KEPT = 0.5

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Range:
    """The least and the largest value of each channel of one activation."""

    low: Array
    high: Array

    def divided(self, scale: Array) -> "Range":
        """The range after the channels are divided by `scale`."""
        return Range(self.low / scale, self.high / scale)


def read_ranges() -> dict[str, Range]:
    """The stored ranges, by the name of the layer that takes the activation."""
    with np.load(RANGES) as stored:
        pairs = {name: stored[name].astype(np.float32) for name in stored.files}
    return {name: Range(pair[0], pair[1]) for name, pair in pairs.items()}


def build_int8(weights: Weights, ranges: dict[str, Range]) -> onnx.ModelProto:
    """The network in int8, any batch and length; the mask keeps padding out."""
    graph = Graph(weights, None)
    mask = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    x, norm = _embed_tokens(graph), "embeddings.LayerNorm"
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        x = _attend(graph, x, norm, name, ranges)
        x = _widen(graph, x, name, ranges)
        norm = f"{name}.output.LayerNorm"
    return graph.model(pool(graph, _normalise(graph, x, norm, np.ones(WIDTH, np.float32)), mask))


def _embed_tokens(graph: Graph) -> str:
    """Words, one scale for each, plus positions; not yet normalised."""
    table = graph.weights["embeddings.word_embeddings.weight"]
    scales = np.abs(table).max(axis=1, keepdims=True) / 127
    rows = graph.constant("words", np.round(table / scales), np.int8)
    tokens = graph.add("Cast", graph.add("Gather", rows, "input_ids"), to=TensorProto.FLOAT)
    sizes = graph.add("Gather", graph.constant("word_scales", scales), "input_ids")
    places = graph.weights["embeddings.position_embeddings.weight"]
    places = places + graph.weights["embeddings.token_type_embeddings.weight"][0]
    length = graph.add("Shape", "input_ids", start=1, end=2)
    first = graph.constant("zero", [0], np.int64)
    positions = graph.add("Slice", graph.constant("positions", places), first, length)
    return graph.add("Add", graph.add("Mul", tokens, sizes), positions)


def _attend(graph: Graph, x: str, norm: str, name: str, ranges: dict[str, Range]) -> str:
    """Attention and its residual; `norm` is still due on x."""
    parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
    weight = np.concatenate([graph.weights[f"{part}.weight"].T for part in parts], axis=1)
    bias = np.concatenate([graph.weights[f"{part}.bias"] for part in parts])
    outer = f"{name}.attention.output.dense"
    outer_weight = graph.weights[f"{outer}.weight"].T
    inside, outside = ranges[parts[0]], ranges[outer]
    smooth, outer_smooth = _smooth(inside, weight), _smooth(outside, outer_weight)
    weight = weight * smooth[:, None]
    weight[:, 2 * WIDTH :] /= outer_smooth  # the value's channels are those of the outcome
    bias[2 * WIDTH :] /= outer_smooth
    scaled = _normalise(graph, x, norm, smooth)
    q, scale, zero = _quantise(graph, scaled, parts[0], inside.divided(smooth))
    w, w_scale, w_zero = _quantise_weight(graph, f"{name}.attention.self", weight)
    biases = graph.constant(f"{name}.attention.self.bias", bias)
    inputs = (q, w, biases, scale, w_scale, "attention_mask", zero, w_zero)
    mixed = graph.add("QAttention", *inputs, domain="com.microsoft", num_heads=HEADS)
    weight, limits = outer_weight * outer_smooth[:, None], outside.divided(outer_smooth)
    mixed = _linear(graph, mixed, outer, weight, limits)
    return graph.add("Add", mixed, _unscale(graph, scaled, norm, smooth))


def _widen(graph: Graph, x: str, name: str, ranges: dict[str, Range]) -> str:
    """The two wide layers and their residual."""
    inner, outer = f"{name}.intermediate.dense", f"{name}.output.dense"
    norm = f"{name}.attention.output.LayerNorm"
    weight = graph.weights[f"{inner}.weight"].T
    smooth = _smooth(ranges[inner], weight)
    scaled = _normalise(graph, x, norm, smooth)
    limits = ranges[inner].divided(smooth)
    wide = _linear(graph, scaled, inner, weight * smooth[:, None], limits)
    wide = graph.add("Gelu", wide, domain="com.microsoft")
    limits = Range(ranges[outer].low, ranges[outer].high * GELU_KEPT)
    narrow = _linear(graph, wide, outer, graph.weights[f"{outer}.weight"].T, limits)
    return graph.add("Add", narrow, _unscale(graph, scaled, norm, smooth))


def _smooth(limits: Range, weight: Array) -> Array:
    """By how much to divide each channel, so that neither side has outliers; mean 1 (geometric)."""
    large = np.maximum(np.maximum(-limits.low, limits.high), 1e-5)
    scale = large**SMOOTHING / np.abs(weight).max(axis=1) ** (1 - SMOOTHING)
    return np.asarray(scale / np.exp(np.log(scale).mean()), np.float32)


def _normalise(graph: Graph, x: str, name: str, divisor: Array) -> str:
    """LayerNorm whose channels come out divided; the division is in its weights."""
    scale = graph.constant(f"{name}.weight", graph.weights[f"{name}.weight"] / divisor)
    shift = graph.constant(f"{name}.bias", graph.weights[f"{name}.bias"] / divisor)
    return graph.add("LayerNormalization", x, scale, shift, axis=-1, epsilon=EPSILON)


def _unscale(graph: Graph, x: str, name: str, factor: Array) -> str:
    return graph.add("Mul", x, graph.constant(f"{name}.unscale", factor))


def _linear(graph: Graph, x: str, name: str, weight: Array, limits: Range) -> str:
    q, scale, zero = _quantise(graph, x, name, limits)
    w, w_scale, w_zero = _quantise_weight(graph, name, weight)
    inputs = (q, w, scale, w_scale, zero, w_zero, graph.weight(f"{name}.bias"))
    return graph.add("MatMulIntegerToFloat", *inputs, domain="com.microsoft")


def _quantise(graph: Graph, x: str, name: str, limits: Range) -> tuple[str, str, str]:
    """x as uint8 with one fixed scale and zero point; their names."""
    low, high = min(0.0, float(limits.low.min())), max(0.0, float(limits.high.max()))
    step = (high - low) / 255
    scale = graph.constant(f"{name}.input_scale", step)
    zero = graph.constant(f"{name}.input_zero", round(-low / step), np.uint8)
    return graph.add("QuantizeLinear", x, scale, zero), scale, zero


def _quantise_weight(graph: Graph, name: str, weight: Array) -> tuple[str, str, str]:
    """A weight as int8 with one scale for each column; names of weight, scales, zero points."""
    scale = np.abs(weight).max(axis=0) / 127
    return (
        graph.constant(f"{name}.weight", np.round(weight / scale), np.int8),
        graph.constant(f"{name}.weight_scale", scale),
        graph.constant(f"{name}.weight_zero", np.zeros(len(scale)), np.int8),
    )
