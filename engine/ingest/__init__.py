"""How does a file become searchable? Compared with the ledger, read in a worker, written at once,
embedded behind."""
