"""Folders: what is searched, and what inside is left out."""

from app.settings.pane import Field, Kind, Pane, button, engine_field

PANE = Pane(
    "folders",
    "Folders",
    (
        Field("folders", "Searched folders", Kind.FOLDERS),
        engine_field(
            "files.exclude", "Leave out", Kind.LIST, "Patterns as in .gitignore: build/, *.log"
        ),
        engine_field(
            "files.include", "Take in anyway", Kind.LIST, "Patterns that win over the rules above"
        ),
        engine_field("files.hidden", "Hidden files too", Kind.TOGGLE),
        engine_field("files.gitignore", "Obey .gitignore files", Kind.TOGGLE),
        engine_field("files.max_size_mb", "Largest file in MB", Kind.NUMBER),
        button(
            "coverage", "Coverage", "Show…", "Every file that is not searchable, with the reason"
        ),
    ),
)
