"""How does macOS do it? Thin PyObjC: each file does one thing that `app/` has decided."""
