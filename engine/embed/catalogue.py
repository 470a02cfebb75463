"""Which models are there, and where do they live?

A model is a folder: graphs, `tokenizer.json`, and `model.json` with its facts and the checksum of
every file. The one that comes with Sagasu stands in `resources/model`; `embedding.model_path` may
name another of the same shape.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import engine
from engine.config import EmbeddingSettings
from engine.errors import ModelDamagedError, ModelMismatchError, ModelMissingError

FACTS_NAME = "model.json"
TOKENIZER_NAME = "tokenizer.json"
INT8_NAME = "model-int8.onnx"
FP32_NAME = "model-fp32.onnx"


@dataclass(frozen=True, slots=True)
class Model:
    """One published model, as its authors describe it."""

    name: str
    dimensions: int
    max_tokens: int  # how long the texts were that it learned from
    pooling: str
    licence: str
    weights_sha256: str


MODELS = (
    Model(
        name="all-MiniLM-L6-v2",
        dimensions=384,
        max_tokens=256,
        pooling="mean",
        licence="Apache-2.0",
        weights_sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What `model.json` says of the files beside it."""

    folder: Path
    name: str
    dimensions: int
    max_tokens: int
    max_positions: int  # longer inputs have no position vectors
    fingerprint: str
    files: dict[str, str]  # name to SHA-256


def bundled_folder() -> Path:
    """Where the model that comes with Sagasu lives."""
    return Path(engine.__file__).resolve().parent.parent / "resources" / "model"


def model_folder(settings: EmbeddingSettings) -> Path:
    """The folder that the settings mean."""
    if settings.model_path:
        return Path(settings.model_path).expanduser().absolute()
    return bundled_folder()


def read_facts(folder: Path) -> ModelFacts:
    """The facts of the model in `folder`; checks nothing but that they can be read."""
    path = folder / FACTS_NAME
    try:
        raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return ModelFacts(
            folder=folder,
            name=str(raw["name"]),
            dimensions=int(raw["dimensions"]),
            max_tokens=int(raw["max_tokens"]),
            max_positions=int(raw["max_positions"]),
            fingerprint=str(raw["fingerprint"]),
            files={str(name): str(digest) for name, digest in raw["files"].items()},
        )
    except (FileNotFoundError, NotADirectoryError) as exc:
        raise ModelMissingError(path=folder) from exc
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as exc:
        problem = f"{FACTS_NAME} cannot be read"
        raise ModelDamagedError(path=folder, problem=problem) from exc


def find_fingerprint(facts: ModelFacts, graph: str) -> str:
    """Names weights and graph together: vectors of two fingerprints never mix."""
    if graph == INT8_NAME:
        return facts.fingerprint
    return hashlib.sha256(f"{facts.fingerprint} {facts.files[graph]}".encode()).hexdigest()


def check_model(facts: ModelFacts, settings: EmbeddingSettings) -> Path:
    """The graph the settings ask for, after its dimensions and checksums are found right."""
    if facts.dimensions != settings.dimensions:
        raise ModelMismatchError(found=facts.dimensions, wanted=settings.dimensions)
    graph = INT8_NAME if settings.use_quantization else FP32_NAME
    for name in (TOKENIZER_NAME, graph):
        check_file(facts, name)
    return facts.folder / graph


def check_file(facts: ModelFacts, name: str) -> None:
    """Raises unless the file is there with the checksum `model.json` gives it."""
    path = facts.folder / name
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError as exc:
        raise ModelMissingError(path=path) from exc
    except OSError as exc:
        raise ModelDamagedError(path=path, problem=exc.strerror or "unreadable") from exc
    if found != facts.files.get(name):
        raise ModelDamagedError(path=path, problem="its checksum is wrong")
