"""How do other programs ask? Over HTTP on this machine alone: FastAPI on uvicorn, behind a guard.

`serve` starts and stops it, `application` puts it together, `guard` decides who comes in, `wire` is
the JSON (and loads no web framework: the command line uses it too).
"""
