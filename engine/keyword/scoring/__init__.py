"""By which model are words weighed? SCORERS: a name, a line of help, and how it is made.

`make_weighing("bm25", k1=1.5)` gives a model with its parameters; an unknown name or parameter is
told to the user.
"""

from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import InvalidValueError
from engine.keyword.scoring.bm25 import BM25, VARIANTS
from engine.keyword.scoring.bm25f import BM25F
from engine.keyword.scoring.dfr import AFTER_EFFECTS, BASIC_MODELS, DFR, NORMALISATIONS
from engine.keyword.scoring.lm import Dirichlet, JelinekMercer
from engine.keyword.scoring.weighing import Weighing, sagasu_weighing

__all__ = ["SCORERS", "Model", "make_weighing"]


@dataclass(frozen=True, slots=True)
class Model:
    """A scoring model that can be chosen by name."""

    name: str
    help: str
    make: Callable[..., Weighing]
    choices: tuple[tuple[str, tuple[str, ...]], ...] = ()  # of parameters that are words


def _bm25(variant: str = "lucene", k1: float = 1.2, b: float = 0.75) -> Weighing:
    return Weighing(scorer=BM25(variant, k1, b))


def _bm25f(
    k1: float = 1.2, b: float = 0.75, heading: float = 2.0, body: float = 1.0
) -> Weighing:
    return Weighing(scorer=BM25F(k1, b), passage_weights=(heading, body))


def _dfr(
    basic_model: str = "In", after_effect: str = "L", normalisation: str = "H2", c: float = 1.0
) -> Weighing:
    return Weighing(scorer=DFR(basic_model, after_effect, normalisation, c))


def _dirichlet(mu: float = 1000.0) -> Weighing:
    return Weighing(scorer=Dirichlet(mu))


def _jelinek_mercer(lambda_: float = 0.3) -> Weighing:
    return Weighing(scorer=JelinekMercer(lambda_))


SCORERS: tuple[Model, ...] = (
    Model("bm25", "Okapi BM25 in five variants (k1, b)", _bm25, (("variant", VARIANTS),)),
    Model("bm25f", "BM25 over fields, each with its own length and weight", _bm25f),
    Model(
        "dfr",
        "Divergence from randomness: 4 models × 2 after-effects × 4 normalisations",
        _dfr,
        (
            ("basic_model", BASIC_MODELS),
            ("after_effect", AFTER_EFFECTS),
            ("normalisation", NORMALISATIONS),
        ),
    ),
    Model("lm_dirichlet", "Language model with Dirichlet smoothing (mu)", _dirichlet),
    Model("lm_jelinek_mercer", "Language model with a fixed mixture (lambda_)", _jelinek_mercer),
    Model("sagasu", "Sagasu 1: (title × 2 + content) × coverage² × phrase 1.5", sagasu_weighing),
)


def make_weighing(name: str, **parameters: float | str) -> Weighing:
    """The model of that name with these parameters; InvalidValueError when there is none such."""
    known = {model.name: model for model in SCORERS}
    if name not in known:
        raise InvalidValueError(
            name="scorer",
            problem=f"there is no “{name}”",
            fix=f"Choose one of: {', '.join(known)}.",
        )
    model = known[name]
    for parameter, choices in model.choices:
        value = parameters.get(parameter)
        if value is not None and value not in choices:
            raise InvalidValueError(
                name=parameter,
                problem=f"{value!r} is not possible",
                fix=f"Choose one of: {', '.join(choices)}.",
            )
    try:
        return model.make(**parameters)
    except TypeError as exc:
        raise InvalidValueError(
            name=name, problem="no such parameter", fix=f"{name}: {model.help}."
        ) from exc
