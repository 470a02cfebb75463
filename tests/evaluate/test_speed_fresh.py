"""The measurement of freshness measures: a small one runs, and its numbers are in order."""

from engine.evaluate.speed_fresh import LEAST, measure_freshness


def test_a_small_measurement_has_its_numbers_in_order() -> None:
    found = measure_freshness(150, meaning=False, words_each=50)
    assert 0.4 <= found.p50 <= found.p95 <= found.worst  # 400 ms is the debounce
    assert found.measured >= LEAST
    assert found.others == 150
