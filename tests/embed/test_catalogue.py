"""A model that cannot be used says why, in words, and never passes for a good one.

1. Missing folder, missing file, unreadable facts, wrong checksum, wrong dimensions.
2. A graph that gives no numbers is refused.
3. The bundled model is one of MODELS, as model.json says.
"""

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import onnx
import pytest

from engine.config import EmbeddingSettings
from engine.embed import open_embedder
from engine.embed.catalogue import MODELS, bundled_folder, model_folder, read_facts
from engine.errors import ModelDamagedError, ModelMismatchError, ModelMissingError


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    for name in ("model.json", "tokenizer.json", "model-int8.onnx"):
        shutil.copyfile(bundled_folder() / name, folder / name)
    return folder


def replace_file(folder: Path, name: str, content: bytes) -> None:
    """Writes a file and gives model.json its checksum, so that only the content is wrong."""
    (folder / name).write_bytes(content)
    facts = json.loads((folder / "model.json").read_text())
    facts["files"][name] = hashlib.sha256(content).hexdigest()
    (folder / "model.json").write_text(json.dumps(facts))


def test_bundled_model_is_in_the_catalogue() -> None:
    facts = read_facts(bundled_folder())
    (known,) = [model for model in MODELS if model.name == facts.name]
    assert (facts.dimensions, facts.max_tokens) == (known.dimensions, known.max_tokens)
    raw = json.loads((bundled_folder() / "model.json").read_text())
    assert raw["weights_sha256"] == known.weights_sha256
    assert (raw["pooling"], raw["licence"]) == (known.pooling, known.licence)


def test_settings_may_name_another_folder(copy: Path) -> None:
    settings = EmbeddingSettings(model_path=str(copy))
    assert model_folder(settings) == copy
    assert open_embedder(settings).fingerprint == read_facts(bundled_folder()).fingerprint


def test_missing_folder_is_said_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(ModelMissingError, match=r"no model at .*nowhere") as caught:
        open_embedder(EmbeddingSettings(), tmp_path / "nowhere")
    assert caught.value.advice == "Run: make model"


@pytest.mark.parametrize("name", ["model-int8.onnx", "tokenizer.json"])
def test_missing_file_is_said_by_name(copy: Path, name: str) -> None:
    (copy / name).unlink()
    with pytest.raises(ModelMissingError, match=name):
        open_embedder(EmbeddingSettings(), copy)


def test_graph_that_was_not_built_is_said_by_name(copy: Path) -> None:
    with pytest.raises(ModelMissingError, match="model-fp32"):
        open_embedder(EmbeddingSettings(use_quantization=False), copy)


@pytest.mark.parametrize("name", ["model-int8.onnx", "tokenizer.json"])
def test_one_changed_byte_is_noticed(copy: Path, name: str) -> None:
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    with pytest.raises(ModelDamagedError, match="checksum is wrong"):
        open_embedder(EmbeddingSettings(), copy)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"name": 1, "files": 3}', "\x00"])
def test_unreadable_facts_are_damage(copy: Path, content: str) -> None:
    (copy / "model.json").write_text(content)
    with pytest.raises(ModelDamagedError, match=r"model\.json cannot be read"):
        open_embedder(EmbeddingSettings(), copy)


def test_other_dimensions_are_a_mismatch() -> None:
    with pytest.raises(ModelMismatchError, match="384 dimensions, the index has 512"):
        open_embedder(EmbeddingSettings(dimensions=512))


def test_graph_that_is_no_graph_is_damage(copy: Path) -> None:
    replace_file(copy, "model-int8.onnx", b"not a graph")
    with pytest.raises(ModelDamagedError, match="cannot be loaded"):
        open_embedder(EmbeddingSettings(), copy).embed_query("tea")


def test_tokenizer_that_is_none_is_damage(copy: Path) -> None:
    replace_file(copy, "tokenizer.json", b"{}")
    with pytest.raises(ModelDamagedError):
        open_embedder(EmbeddingSettings(), copy)


def test_vectors_without_a_value_are_refused(copy: Path) -> None:
    model = onnx.load(copy / "model-int8.onnx")
    for tensor in model.graph.initializer:
        if tensor.name == "word_scales":
            bad = np.full_like(onnx.numpy_helper.to_array(tensor), np.nan)
            tensor.CopyFrom(onnx.numpy_helper.from_array(bad, tensor.name))
    replace_file(copy, "model-int8.onnx", model.SerializeToString())
    with pytest.raises(ModelDamagedError, match="without a value"):
        open_embedder(EmbeddingSettings(), copy).embed(["tea"])
