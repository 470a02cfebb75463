"""Which documents answer it best? Words and meaning, fused, shaped into results."""
