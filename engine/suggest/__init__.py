"""What might they have meant?"""

from engine.suggest.complete import Completion, complete
from engine.suggest.sounds import find_sounding
from engine.suggest.spelling import Correction, suggest_spelling

__all__ = ["Completion", "Correction", "complete", "find_sounding", "suggest_spelling"]
