"""The stand-in as a fixture, and the app on it: a fresh world for every test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.contract.standin import StandIn, install
from tests.app.contract.world import World


@pytest.fixture
def mac(tmp_path: Path) -> Iterator[StandIn]:
    """A Mac to import app.mac on."""
    with install() as standin:
        standin.home = tmp_path
        yield standin


@pytest.fixture
def world(mac: StandIn, tmp_path: Path) -> Iterator[World]:
    """The whole app on that Mac, with an engine that answers from memory."""
    world = World(mac, tmp_path)
    yield world
    world.close()
