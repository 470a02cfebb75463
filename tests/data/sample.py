"""Quarterly budget for the marigold garden."""
import os


class Garden:
    """A garden."""

    # counts them
    def count_seeds(self) -> int:
        return 7


@cache
def price_soil():
    return 12
