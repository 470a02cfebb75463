"""Placement: 1 the screen under the mouse; 2 the main one when asked or when the mouse is nowhere;
3 centred, top edge fixed, always inside what is free; 4 another height keeps the top edge.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.placement import Box, Screen, choose_screen, place_panel, resize_panel

LAPTOP = Screen(Box(0, 0, 1440, 900), Box(0, 0, 1440, 875))
ABOVE = Screen(Box(-240, 900, 1920, 1080), Box(-240, 900, 1920, 1055))
SCREENS = (LAPTOP, ABOVE)

sizes = st.floats(200, 8000)
screens = st.builds(
    lambda x, y, w, h, dock: Screen(Box(x, y, w, h + dock), Box(x, y + dock, w, h)),
    st.floats(-5000, 5000), st.floats(-5000, 5000), sizes, sizes, st.floats(0, 100),
)  # fmt: skip


def test_screen_under_the_mouse() -> None:
    assert choose_screen(SCREENS, (100, 1000), "mouse") is ABOVE
    assert choose_screen(SCREENS, (100, 100), "mouse") is LAPTOP


def test_main_screen_when_asked_or_mouse_is_nowhere() -> None:
    assert choose_screen(SCREENS, (100, 1000), "main") is LAPTOP
    assert choose_screen(SCREENS, (99_999, 0), "mouse") is LAPTOP


def test_worked_example() -> None:
    panel = place_panel(LAPTOP)
    assert panel.x == 290
    assert panel.top == pytest.approx(0.84 * 875)


@given(screens, st.floats(100, 2000), st.floats(100, 2000))
def test_always_inside_what_is_free(screen: Screen, width: float, height: float) -> None:
    panel, free = place_panel(screen, width, height), screen.visible
    assert panel.x >= free.x
    assert panel.x + panel.width <= free.x + free.width + 1e-6
    assert panel.y >= free.y
    assert panel.top <= free.top + 1e-6


@given(screens, st.floats(40, 4000))
def test_another_height_keeps_the_top(screen: Screen, height: float) -> None:
    panel = place_panel(screen)
    resized = resize_panel(panel, screen, height)
    assert resized.top == pytest.approx(panel.top)
    assert resized.y >= screen.visible.y - 40
    assert (resized.x, resized.width) == (panel.x, panel.width)
