"""What does the app remember of this person? Preferences, openings and recent searches."""

from dataclasses import dataclass

from app.frecency import Openings
from app.preferences import Preferences
from app.recent import RecentSearches


@dataclass(frozen=True, slots=True)
class Memory:
    """The three things kept beside the index."""

    preferences: Preferences
    openings: Openings
    recent: RecentSearches
