"""Which legacy encoding is this? For text that is not Unicode."""


def guess_encoding(data: bytes) -> str:
    """The name of the most likely codec for `data`."""
    from charset_normalizer import from_bytes

    best = from_bytes(data[:65536], cp_exclusion=["utf_7"]).best()
    return best.encoding if best is not None else "cp1252"
