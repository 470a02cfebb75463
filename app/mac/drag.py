"""How is a row dragged out as a file? The page only says which; AppKit does the dragging."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from AppKit import (
    NSDraggingItem,
    NSDragOperationCopy,
    NSEvent,
    NSEventTypeLeftMouseDragged,
    NSWorkspace,
)
from Foundation import NSURL, NSMakeRect, NSObject, NSProcessInfo

ICON = 48.0


class SagasuDragSource(NSObject):
    """Files that leave are copied or opened there, never moved away."""

    def draggingSession_sourceOperationMaskForDraggingContext_(
        self, session: Any, context: int
    ) -> int:
        return int(NSDragOperationCopy)


def begin_drag(view: Any, source: Any, paths: Sequence[Path]) -> None:
    """Starts dragging these files from where the mouse is; main thread only."""
    window = view.window()
    place = window.mouseLocationOutsideOfEventStream()
    # The page's message comes later than the mouse event that caused it, so a fresh one is made.
    event = NSEvent.mouseEventWithType_location_modifierFlags_timestamp_windowNumber_context_eventNumber_clickCount_pressure_(  # noqa: E501  # one selector
        NSEventTypeLeftMouseDragged,
        place,
        0,
        NSProcessInfo.processInfo().systemUptime(),
        window.windowNumber(),
        None,
        0,
        1,
        1.0,
    )
    items = [_item(path, place, offset) for offset, path in enumerate(paths)]
    view.beginDraggingSessionWithItems_event_source_(items, event, source)


def _item(path: Path, place: Any, offset: int) -> Any:
    item = NSDraggingItem.alloc().initWithPasteboardWriter_(NSURL.fileURLWithPath_(str(path)))
    icon = NSWorkspace.sharedWorkspace().iconForFile_(str(path))
    left = place.x - ICON / 2 + 4 * offset
    item.setDraggingFrame_contents_(NSMakeRect(left, place.y - ICON / 2, ICON, ICON), icon)
    return item
