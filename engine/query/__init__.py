"""What did the user ask?

`parse` reads a question into a tree, `print_query` writes a tree back.
"""

from engine.query.nodes import Query
from engine.query.printer import print_query
from engine.query.reading import parse

__all__ = ["Query", "parse", "print_query"]
