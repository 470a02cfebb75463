"""Which passages mean something close? A usearch graph over the vectors that SQLite keeps.

The file is a snapshot: written to a temporary name, fsynced, renamed. On opening, what it lacks is
added from SQLite and what is gone is removed; a damaged or foreign one is made anew. Vectors are
float16 in both places, so a distance found in the graph is the exact one.
"""

from engine.vector.hnsw import VectorIndex, open_vector_index

__all__ = ["VectorIndex", "open_vector_index"]
