"""The search engine: files in at one end, ranked answers out at the other."""

__version__ = "0.1.0"
