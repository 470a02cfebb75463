"""How is the service started from the terminal?"""

import click

from engine.cli.output import remark, say


@click.command()
@click.option("--port", type=int, help="Port to listen on (default: server.port; 0: any free one).")
@click.option("--debug", is_flag=True, help="Verbose log on standard error.")
def server(port: int | None, debug: bool) -> None:
    """Run the service: watcher, indexer and HTTP in one process, until it is stopped."""
    from engine.api import Engine
    from engine.server.serve import serve

    with Engine.open(write=True) as engine:

        def ready(address: str) -> None:
            say(f"Sagasu listens on {address}")
            remark("Index a folder:  sagasu watch add ~/Documents")
            remark('Search it:       sagasu search "what you remember of it"')
            remark("Stop it:         Ctrl-C")

        serve(engine, engine.config, port=port, ready=ready)
