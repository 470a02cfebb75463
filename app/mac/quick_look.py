"""How does Quick Look show our files? QLPreviewPanel, with the chosen files as its items."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import objc
from Foundation import NSURL, NSObject
from Quartz import QLPreviewPanel


class QuickLook(NSObject):
    """The data source of the preview panel; main thread only."""

    def init(self) -> Any:
        self = objc.super(QuickLook, self).init()
        if self is not None:
            self.items: list[Any] = []
        return self

    def numberOfPreviewItemsInPreviewPanel_(self, preview: Any) -> int:
        return len(self.items)

    def previewPanel_previewItemAtIndex_(self, preview: Any, index: int) -> Any:
        return self.items[index]


def toggle_quick_look(source: Any, paths: Sequence[Path]) -> None:
    """Shows these files; puts the panel away when it already shows exactly them."""
    items = [NSURL.fileURLWithPath_(str(path)) for path in paths]
    open_now = (
        QLPreviewPanel.sharedPreviewPanelExists()
        and QLPreviewPanel.sharedPreviewPanel().isVisible()
    )
    same = [str(one.path()) for one in source.items] == [str(path) for path in paths]
    preview = QLPreviewPanel.sharedPreviewPanel()
    if open_now and same:
        preview.orderOut_(None)
        return
    source.items = items
    if open_now:
        preview.reloadData()
    else:
        preview.makeKeyAndOrderFront_(None)
