"""Where do we keep what we know? One SQLite file is the truth; everything else derives from it."""
