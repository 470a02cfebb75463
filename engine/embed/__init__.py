"""What does a passage mean, as numbers?

`catalogue` the models and their files · `wordpiece` tokens, and how many · `batches` what runs
together · `session` onnxruntime · `onnx` the embedder · `static` graphs of fixed shape ·
`providers` CoreML or CPU · `cross_encoder` query and passage scored together.
"""

from pathlib import Path

from engine.config import EmbeddingSettings
from engine.embed.catalogue import check_model, model_folder, read_facts
from engine.embed.onnx import OnnxEmbedder


def open_embedder(settings: EmbeddingSettings, folder: Path | None = None) -> OnnxEmbedder:
    """The embedder the settings ask for; ModelError with the reason when there is none.

    `folder` overrides where the model is looked for. Opening checks the files; the sessions are
    opened at their first use.
    """
    facts = read_facts(folder or model_folder(settings))
    graph = check_model(facts, settings)
    return OnnxEmbedder(
        facts,
        graph,
        max_tokens=settings.max_tokens,
        threads=settings.threads,
        cache_size=settings.cache_size,
    )
