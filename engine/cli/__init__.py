"""How does a person at a terminal ask? Every command in one list, loaded only when it is called.

COMMANDS maps a name to its module, its object in there, and the line that help shows; the modules
are not imported for `sagasu version` or `sagasu --help`.
"""

COMMANDS: dict[str, tuple[str, str, str]] = {
    "search": ("engine.cli.search", "search", "Find files by name, word and meaning"),
    "index": ("engine.cli.index", "index", "Make a file or folder searchable"),
    "watch": ("engine.cli.watch", "watch", "Manage the folders that are kept fresh"),
    "app": ("engine.cli.serve", "app", "Start the app: menu bar on a Mac, a window elsewhere"),
    "server": ("engine.cli.serve", "server", "Run the service: watcher, indexer and HTTP"),
    "mcp": ("engine.cli.serve", "mcp", "Serve AI assistants over MCP, or install it for them"),
    "token": ("engine.cli.token", "token", "Manage the tokens of other programs"),
    "status": ("engine.cli.status", "status", "Show what is indexed and how far meaning is"),
    "coverage": ("engine.cli.status", "coverage", "Show which files can be found, and why not"),
    "why": ("engine.cli.status", "why", "Say what became of one file"),
    "whynot": ("engine.cli.search", "whynot", "Say why a file is not in an answer"),
    "similar": ("engine.cli.documents", "similar", "Find documents that are alike in meaning"),
    "complete": ("engine.cli.search", "complete", "Say how the last word may go on"),
    "get": ("engine.cli.documents", "get", "Print the text that was indexed of a document"),
    "open": ("engine.cli.documents", "open_file", "Open a file in its own app"),
    "reveal": ("engine.cli.documents", "reveal", "Show a file in the Finder"),
    "ls": ("engine.cli.documents", "ls", "List the indexed files"),
    "delete": ("engine.cli.documents", "delete", "Forget one document; its file stays"),
    "exclude": ("engine.cli.watch", "exclude", "Manage patterns that leave files out"),
    "include": ("engine.cli.watch", "include", "Manage patterns that take files in"),
    "config": ("engine.cli.settings", "config", "Show and change the settings"),
    "eval": ("engine.cli.evaluate", "evaluate", "Measure how good the answers are"),
    "bench": ("engine.cli.evaluate", "bench", "Measure how fast it is, beside the bare libraries"),
    "doctor": ("engine.cli.doctor", "doctor", "Check everything, and repair it"),
    "sweep": ("engine.cli.doctor", "sweep", "Tidy the index: unused vectors, free pages"),
    "completion": ("engine.cli.serve", "completion", "Print the shell's completion script"),
    "version": ("engine.cli.status", "version", "Print the version"),
}
