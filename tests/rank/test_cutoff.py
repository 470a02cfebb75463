"""The elbow, by ra's own examples.

1. The first step below the ratio cuts; a step at the ratio does not.
2. Zero and negative scores end the list; the cap and short lists have reasons of their own.
"""

from engine.rank.cutoff import find_elbow


def test_elbow_of_the_docstring_keeps_three() -> None:
    cut = find_elbow([8.0, 7.5, 7.0, 3.2, 3.0], ratio=0.5)
    assert (cut.keep, cut.reason, cut.before, cut.after) == (3, "ratio_below", 7.0, 3.2)
    assert cut.sentence() == "elbow at ratio 0.46: 7 falls to 3.2"


def test_elbow_of_the_picture_passes_a_step_above_the_ratio() -> None:
    cut = find_elbow([100, 80, 60, 40, 15, 12, 3])  # 15/40 = 0.375 passes, 3/12 = 0.25 cuts
    assert (cut.keep, cut.ratio) == (6, 0.25)


def test_a_step_at_the_ratio_is_kept() -> None:
    assert find_elbow([1.0, 0.5], ratio=0.5).reason == "none"


def test_zero_ends_the_list() -> None:
    assert find_elbow([2.0, 1.0, 0.0, 0.0]).keep == 2
    assert find_elbow([0.0, 0.0]).keep == 0
    assert find_elbow([1.0, -1.0]).reason == "zero_or_negative"


def test_ratio_zero_switches_the_elbow_off() -> None:
    assert find_elbow([9.0, 0.001], ratio=0.0).keep == 2


def test_cap_and_short_lists() -> None:
    assert find_elbow([3.0, 2.9, 2.8], most=2).reason == "max_reached"
    assert find_elbow([3.0, 2.9, 2.8], most=2).keep == 2
    assert find_elbow([3.0]).reason == "too_few"
    assert find_elbow([]).keep == 0
