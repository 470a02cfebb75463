"""A window with the page in WebKitGTK, the engine family of the Mac's own view; run by the system's
Python, because GTK's bindings come with it.

Lines of JSON on both sides. Out: {"ask": text, "turn": n} for every message of the page,
{"done": n, "value": …} for every script and for the end of loading. In: {"turn": n, "reply": text},
{"run": n, "script": …}, {"picture": file}. The page is loaded over the app's own scheme, with the
app's own assets.
"""

import json
import sys
import threading
from pathlib import Path
from typing import Any

import gi

# Gdk by name too: where GTK 4 is installed beside it, its Gdk would be loaded first.
gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
gi.require_version("Soup", "3.0")
gi.require_version("JavaScriptCore", "4.1")
from gi.repository import Gdk, Gio, GLib, Gtk, JavaScriptCore, Soup, WebKit2  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from app.assets import SCHEME, find_asset, page_address  # noqa: E402

waiting: dict[int, tuple[Any, Any]] = {}
turns = 0


def tell(**facts: object) -> None:
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()


def on_message(manager: Any, value: Any, reply: Any) -> bool:
    global turns
    turns += 1
    waiting[turns] = (reply, value.get_context())
    tell(ask=value.to_string(), turn=turns)
    return True


def on_asset(request: Any) -> None:
    asset = find_asset(ROOT / "resources" / "panel", request.get_uri())
    stream = Gio.MemoryInputStream.new_from_bytes(GLib.Bytes.new(asset.body))
    response = WebKit2.URISchemeResponse.new(stream, len(asset.body))
    response.set_status(asset.status, None)
    response.set_content_type(asset.mime)
    headers = Soup.MessageHeaders.new(Soup.MessageHeadersType.RESPONSE)
    for name, text in asset.headers().items():
        headers.append(name, text)
    response.set_http_headers(headers)
    request.finish_with_response(response)


def on_load(view: Any, event: Any) -> None:
    # A script that runs into the end of a page's loading never answers.
    if event == WebKit2.LoadEvent.FINISHED:
        tell(done="loaded", value=None)


def on_done(view: Any, result: Any, number: int) -> None:
    try:
        value = view.call_async_javascript_function_finish(result)
        tell(done=number, value=json.loads(value.to_json(0) or "null"))
    except GLib.Error as error:
        tell(done=number, error=error.message)


def take_picture(view: Any, file: str) -> None:
    size = view.get_allocation()
    pixels = Gdk.pixbuf_get_from_window(view.get_window(), 0, 0, size.width, size.height)
    pixels.savev(file, "png", [], [])
    tell(done=file, value=None)


def obey(view: Any, line: str) -> bool:
    order = json.loads(line)
    if "reply" in order:
        reply, context = waiting.pop(order["turn"])
        reply.return_value(JavaScriptCore.Value.new_string(context, order["reply"]))
    elif "picture" in order:
        take_picture(view, order["picture"])
    else:
        view.call_async_javascript_function(
            order["script"], -1, None, None, None, None, on_done, order["run"]
        )
    return False


def listen(view: Any) -> None:
    for line in sys.stdin:
        GLib.idle_add(obey, view, line)
    GLib.idle_add(Gtk.main_quit)


def main() -> None:
    manager = WebKit2.UserContentManager()
    manager.connect("script-message-with-reply-received::sagasu", on_message)
    manager.register_script_message_handler_with_reply("sagasu", None)
    context = WebKit2.WebContext.get_default()
    context.register_uri_scheme(SCHEME, on_asset)
    context.get_security_manager().register_uri_scheme_as_secure(SCHEME)
    context.get_security_manager().register_uri_scheme_as_cors_enabled(SCHEME)
    view = WebKit2.WebView.new_with_user_content_manager(manager)
    view.get_settings().set_enable_write_console_messages_to_stdout(False)
    window = Gtk.Window(default_width=860, default_height=560)
    window.add(view)
    window.show_all()
    view.connect("load-changed", on_load)
    view.load_uri(page_address(sys.argv[1] if len(sys.argv) > 1 else "index.html"))
    threading.Thread(target=listen, args=(view,), daemon=True).start()
    Gtk.main()


if __name__ == "__main__":
    main()
