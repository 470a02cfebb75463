"""Agents: which other programs may ask, and what they may see."""

from app.settings.pane import Field, Kind, Pane

PANE = Pane(
    "agents",
    "Agents",
    (Field("tokens", "Programs with access", Kind.TOKENS),),
)
