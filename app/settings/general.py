"""General: start at login, looks, manners."""

from app.settings.pane import Kind, Pane, app_field

PANE = Pane(
    "general",
    "General",
    (
        app_field("launch_at_login", "Start at login", Kind.TOGGLE, mac_only=True),
        app_field("theme", "Appearance", Kind.CHOICE),
        app_field("text_size", "Text size", Kind.CHOICE),
        app_field("screen", "Show the panel on", Kind.CHOICE, mac_only=True),
        app_field("hide_on_open", "Hide after opening a file", Kind.TOGGLE),
        app_field("notify", "Notifications", Kind.TOGGLE, mac_only=True),
        app_field("pause_in_low_power", "Rest in Low Power Mode", Kind.TOGGLE, mac_only=True),
    ),
)
