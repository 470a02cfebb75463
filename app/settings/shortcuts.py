"""Shortcuts: the keys that call the panel."""

from app.settings.pane import Kind, Pane, app_field

PANE = Pane(
    "shortcuts",
    "Shortcuts",
    (
        app_field(
            "hotkey",
            "Show and hide Sagasu",
            Kind.HOTKEY,
            "Works over every application; needs no permission",
            mac_only=True,
        ),
    ),
)
