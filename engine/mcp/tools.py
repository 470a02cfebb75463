"""What can an assistant call? All tools, in the order in which it sees them."""

from engine.mcp import documents, reading
from engine.mcp.tool import Tool

TOOLS: tuple[Tool, ...] = (*documents.TOOLS, *reading.TOOLS)
