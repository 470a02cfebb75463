"""Privacy: what is kept, what is never read, and how to be rid of all of it."""

from app.settings.pane import Kind, Pane, app_field, button, engine_field

PANE = Pane(
    "privacy",
    "Privacy",
    (
        engine_field("files.secrets", "Read .env files and private keys", Kind.TOGGLE),
        app_field("recent_kept", "Recent searches to remember", Kind.NUMBER),
        button("forget_recent", "Recent searches", "Forget"),
        button("show_data", "My data", "Show", "Opens the one folder in which everything is kept"),
        button(
            "full_disk_access",
            "Full Disk Access",
            "Open System Settings…",
            "Only needed for Mail, Safari and other applications' own folders",
            mac_only=True,
        ),
        button(
            "wipe_index",
            "The index and all that was learned",
            "Wipe…",
            confirm="The index and everything learned is deleted. Your files are not touched.",
        ),
    ),
)
