"""What can be set? PANES, in the order of the tabs; adding one is a file and a line here."""

from app.settings import agents, folders, general, privacy, search, shortcuts
from app.settings.pane import Pane

PANES: tuple[Pane, ...] = (
    general.PANE,
    folders.PANE,
    search.PANE,
    shortcuts.PANE,
    privacy.PANE,
    agents.PANE,
)
