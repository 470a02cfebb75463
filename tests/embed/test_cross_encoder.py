"""Any ONNX cross-encoder that a user brings can score pairs.

The one built here counts how many words of the pair are alike: the score of a pair is the number of
its tokens that equal 7592 ("hello"), so the right order is known.
1. Scores come in the order of the passages, padding does not count.
2. One score and two logits, int32 and int64 inputs, with and without token types.
3. The passage is cut, the query only beyond half of what the model reads.
4. What is missing or unfit is said.
"""

import shutil
from pathlib import Path

import onnx
import pytest
from onnx import TensorProto, helper

from engine.embed.catalogue import bundled_folder
from engine.embed.cross_encoder import CrossEncoder
from engine.errors import ModelDamagedError, ModelMissingError


def build_folder(
    folder: Path,
    kind: int = TensorProto.INT64,
    names: tuple[str, ...] = ("input_ids", "attention_mask"),
    logits: int = 1,
) -> Path:
    folder.mkdir(exist_ok=True)
    shutil.copyfile(bundled_folder() / "tokenizer.json", folder / "tokenizer.json")
    nodes = [
        helper.make_node("Equal", ["input_ids", "hello"], ["same"]),
        helper.make_node("Cast", ["same"], ["ones"], to=TensorProto.FLOAT),
        helper.make_node("Cast", [names[-1]], ["seen"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["seen", "nothing"], ["unused"]),
        helper.make_node("Add", ["ones", "unused"], ["kept"]),
        helper.make_node("ReduceSum", ["kept", "axis"], ["count"], keepdims=1),
        helper.make_node("Mul", ["count", "columns"], ["scores"]),
    ]
    constants = [
        helper.make_tensor("hello", kind, [1], [7592]),
        helper.make_tensor("nothing", TensorProto.FLOAT, [1], [0.0]),
        helper.make_tensor("axis", TensorProto.INT64, [1], [1]),
        helper.make_tensor("columns", TensorProto.FLOAT, [logits], [-1.0] * (logits - 1) + [1.0]),
    ]
    inputs = [helper.make_tensor_value_info(name, kind, ["b", "l"]) for name in names]
    output = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["b", logits])
    graph = helper.make_graph(nodes, "count", inputs, [output], constants)
    opsets = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), folder / "model.onnx")
    return folder


PASSAGES = ["hello hello there", "nothing here", "hello " * 40, "hello"]


@pytest.mark.parametrize("kind", [TensorProto.INT32, TensorProto.INT64], ids=["int32", "int64"])
@pytest.mark.parametrize("logits", [1, 2])
def test_scores_come_in_the_order_of_the_passages(tmp_path: Path, kind: int, logits: int) -> None:
    encoder = CrossEncoder(build_folder(tmp_path, kind=kind, logits=logits))
    assert encoder.score("who says hello", PASSAGES) == [3.0, 1.0, 41.0, 2.0]


def test_token_types_are_given_when_asked_for(tmp_path: Path) -> None:
    names = ("input_ids", "attention_mask", "token_type_ids")
    assert CrossEncoder(build_folder(tmp_path, names=names)).score("hello", ["hello"]) == [2.0]


def test_the_passage_is_cut_and_never_the_query(tmp_path: Path) -> None:
    encoder = CrossEncoder(build_folder(tmp_path), max_tokens=20)
    assert encoder.score("hello " * 10, ["word " * 100]) == [10.0]
    assert encoder.score("word " * 10, ["hello " * 100]) == [7.0]


def test_no_passages_give_no_scores(tmp_path: Path) -> None:
    assert CrossEncoder(build_folder(tmp_path)).score("hello", []) == []


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_missing_file_is_said_by_name(tmp_path: Path, name: str) -> None:
    (build_folder(tmp_path) / name).unlink()
    with pytest.raises(ModelMissingError, match=name):
        CrossEncoder(tmp_path)


def test_graph_that_asks_for_something_else_is_refused(tmp_path: Path) -> None:
    build_folder(tmp_path, names=("input_ids", "pixels"))
    with pytest.raises(ModelDamagedError, match="asks for pixels"):
        CrossEncoder(tmp_path)


def test_query_longer_than_the_model_reads_still_gets_scores(tmp_path: Path) -> None:
    encoder = CrossEncoder(build_folder(tmp_path), max_tokens=20)
    assert encoder.score("hello " * 100, ["hello", "bye"]) == [11.0, 10.0]
