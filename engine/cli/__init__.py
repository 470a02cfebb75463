"""How does a person at a terminal ask? Every command in one list, loaded only when it is called.

COMMANDS maps a name to its module, its object in there, and the line that help shows; the modules
are not imported for `sagasu version` or `sagasu --help`.
"""

COMMANDS: dict[str, tuple[str, str, str]] = {
    "search": ("engine.cli.search", "search", "Find files by name, word and meaning"),
    "index": ("engine.cli.index", "index", "Make a file or folder searchable"),
    "status": ("engine.cli.status", "status", "Show what is indexed and how far meaning is"),
    "coverage": (
        "engine.cli.status",
        "coverage",
        "Show which files can be found, and why others cannot",
    ),
    "why": ("engine.cli.status", "why", "Say what became of one file"),
    "server": ("engine.cli.serve", "server", "Run the service: watcher, indexer and HTTP"),
    "version": ("engine.cli.status", "version", "Print the version"),
}
