"""Where on which screen does the panel appear? Pure geometry, in AppKit's coordinates.

The origin is the lower left corner and y grows upwards. The panel is centred, its top edge at a
fixed height in the upper part of the screen, so that it grows downwards and the field never moves.

On a visible frame of 1440 × 875 a panel of 860 × 560 stands at x = 290, its top at 0.84 · 875.
"""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 860.0, 560.0
TOP_SHARE = 0.84  # of the visible height, where the panel's top edge is
MARGIN = 12.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle: lower left corner and size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y + self.height

    def holds(self, x: float, y: float) -> bool:
        """Is the point inside?"""
        return self.x <= x < self.x + self.width and self.y <= y < self.top


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen, and the part of it that menu bar and Dock leave free."""

    frame: Box
    visible: Box


def choose_screen(screens: Sequence[Screen], mouse: tuple[float, float], how: str) -> Screen:
    """The screen under the mouse, or the main one (the first) when asked for or when the mouse
    is nowhere."""
    if how == "mouse":
        for screen in screens:
            if screen.frame.holds(*mouse):
                return screen
    return screens[0]


def place_panel(screen: Screen, width: float = WIDTH, height: float = HEIGHT) -> Box:
    """Where the panel stands on `screen`; smaller than asked when the screen is."""
    free = screen.visible
    width = min(width, free.width - 2 * MARGIN)
    height = min(height, free.height - 2 * MARGIN)
    top = min(free.y + free.height * TOP_SHARE, free.top - MARGIN)
    y = max(top - height, free.y + MARGIN)
    return Box(free.x + (free.width - width) / 2, y, width, height)


def resize_panel(panel: Box, screen: Screen, height: float) -> Box:
    """The panel at another height: its top edge stays, its foot stays on the screen."""
    room = panel.top - (screen.visible.y + MARGIN)
    height = max(40.0, min(height, room))
    return Box(panel.x, panel.top - height, panel.width, height)
