"""How is the page shown? A WKWebView that loads only our own files, and a bridge with replies.

    await window.webkit.messageHandlers.sagasu.postMessage(JSON.stringify({name: "status"}))

resolves to the answer as JSON text. Text both ways: NSNumber and NSNull never reach the page.
"""

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import objc
from AppKit import (
    NSDragOperationCopy,
    NSPasteboardTypeFileURL,
    NSPasteboardURLReadingFileURLsOnlyKey,
    NSViewHeightSizable,
    NSViewWidthSizable,
)
from Foundation import NSURL, NSData, NSHTTPURLResponse, NSMakeRect, NSObject, NSURLRequest
from WebKit import (
    WKContentWorld,
    WKNavigationActionPolicyAllow,
    WKNavigationActionPolicyCancel,
    WKWebsiteDataStore,
    WKWebView,
    WKWebViewConfiguration,
)

from app.assets import SCHEME, Asset, find_asset, is_ours, page_address

log = logging.getLogger(__name__)

BRIDGE = "sagasu"
Reply = Callable[[str], None]
Receive = Callable[[str, Reply], None]  # a message as JSON text, and how to answer it
Dropped = Callable[[list[Path]], None]

# Until the page's script has run there is nobody to tell, and nothing to be missed.
ANNOUNCE = "if (window.sagasu) window.sagasu.receive(message)"


class SagasuBridge(NSObject):
    """Takes the page's messages and answers each once, now or later."""

    def initWithReceive_(self, receive: Receive) -> Any:
        self = objc.super(SagasuBridge, self).init()
        if self is not None:
            self.receive = receive
        return self

    def userContentController_didReceiveScriptMessage_replyHandler_(
        self, controller: Any, message: Any, reply: Any
    ) -> None:
        body = message.body()
        try:
            self.receive(body if isinstance(body, str) else "", lambda text: reply(text, None))
        except Exception:  # a main-thread callback: nothing may cross into Objective-C
            log.exception("a message of the page failed")
            reply(None, "Something went wrong inside Sagasu.")


class SagasuFiles(NSObject):
    """Serves the page's files for our own scheme."""

    def initWithFolder_(self, folder: Path) -> Any:
        self = objc.super(SagasuFiles, self).init()
        if self is not None:
            self.folder = folder
        return self

    def webView_startURLSchemeTask_(self, view: Any, task: Any) -> None:
        address = task.request().URL()
        try:
            asset = find_asset(self.folder, str(address.absoluteString()))
        except OSError:
            log.exception("a file of the page cannot be read")
            asset = Asset(500, "text/plain", b"unreadable")
        version = "HTTP/1.1"
        response = NSHTTPURLResponse.alloc().initWithURL_statusCode_HTTPVersion_headerFields_(
            address, asset.status, version, asset.headers()
        )
        task.didReceiveResponse_(response)
        task.didReceiveData_(NSData.dataWithBytes_length_(asset.body, len(asset.body)))
        task.didFinish()

    def webView_stopURLSchemeTask_(self, view: Any, task: Any) -> None:
        """Nothing to stop: a task is finished before this could be called."""


class SagasuGuard(NSObject):
    """No page but ours; wakes the page again when its process dies."""

    def webView_decidePolicyForNavigationAction_decisionHandler_(
        self, view: Any, action: Any, decide: Any
    ) -> None:
        address = action.request().URL()
        ours = address is not None and is_ours(str(address.absoluteString()))
        decide(WKNavigationActionPolicyAllow if ours else WKNavigationActionPolicyCancel)

    def webViewWebContentProcessDidTerminate_(self, view: Any) -> None:
        log.warning("the page's process ended; it is loaded again")
        view.reload()


class SagasuWebView(WKWebView):
    """A web view that takes folders dropped on it: the page itself never learns their paths."""

    def draggingEntered_(self, info: Any) -> int:
        if _dropped_paths(info):
            return int(NSDragOperationCopy)
        return int(objc.super(SagasuWebView, self).draggingEntered_(info))

    def performDragOperation_(self, info: Any) -> bool:
        paths = _dropped_paths(info)
        if not paths:
            return bool(objc.super(SagasuWebView, self).performDragOperation_(info))
        self.dropped(paths)
        return True


class Page:
    """One of our pages in a view, loaded at once and kept; main thread only."""

    def __init__(self, folder: Path, page: str, receive: Receive, dropped: Dropped) -> None:
        self._bridge = SagasuBridge.alloc().initWithReceive_(receive)
        self._files = SagasuFiles.alloc().initWithFolder_(folder)
        self._guard = SagasuGuard.alloc().init()
        configuration = WKWebViewConfiguration.alloc().init()
        configuration.setWebsiteDataStore_(WKWebsiteDataStore.nonPersistentDataStore())
        configuration.setURLSchemeHandler_forURLScheme_(self._files, SCHEME)
        content = configuration.userContentController()
        content.addScriptMessageHandlerWithReply_contentWorld_name_(
            self._bridge, WKContentWorld.pageWorld(), BRIDGE
        )
        self.view = SagasuWebView.alloc().initWithFrame_configuration_(
            NSMakeRect(0, 0, 0, 0), configuration
        )
        self.view.dropped = dropped
        self.view.setAutoresizingMask_(NSViewWidthSizable | NSViewHeightSizable)
        self.view.setNavigationDelegate_(self._guard)  # weak: kept here
        self.view.setAllowsMagnification_(False)
        self.view.setAllowsBackForwardNavigationGestures_(False)
        self.view.registerForDraggedTypes_([NSPasteboardTypeFileURL])
        _make_transparent(self.view)
        address = NSURL.URLWithString_(page_address(page))
        self.view.loadRequest_(NSURLRequest.requestWithURL_(address))

    def announce(self, kind: str, fields: Mapping[str, object]) -> None:
        """Tells the page one of messages.EVENTS."""
        message = json.dumps({"type": kind, **fields}, ensure_ascii=False)
        # Arguments, not text built into the script: nothing in them can become code.
        self.view.callAsyncJavaScript_arguments_inFrame_inContentWorld_completionHandler_(
            ANNOUNCE, {"message": message}, None, WKContentWorld.pageWorld(), None
        )


def _make_transparent(view: Any) -> None:
    # There is no public call for it; every app that does it sets this key. Without it the page
    # is opaque, which is ugly and nothing worse.
    try:
        view.setValue_forKey_(False, "drawsBackground")
    except (KeyError, objc.error):
        log.warning("this macOS does not let the page be transparent")


def _dropped_paths(info: Any) -> list[Path]:
    found = info.draggingPasteboard().readObjectsForClasses_options_(
        [NSURL], {NSPasteboardURLReadingFileURLsOnlyKey: True}
    )
    paths = [Path(str(one.path())) for one in found or ()]
    return [path for path in paths if path.is_dir()]
