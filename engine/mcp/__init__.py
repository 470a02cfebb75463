"""How do assistants ask? Over stdio with the official MCP SDK, in few words and with sources.

`serve` runs it, `tools` lists what can be called, `mask` keeps secrets from being passed on,
`install` writes the entry into an assistant's own settings.
"""
