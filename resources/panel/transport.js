/**
 * How do messages travel? Through the script-message bridge inside the app's own window, or over
 * HTTP in a browser window. Both give the same promise of a checked answer.
 */
import { buildMessage, readEvent, readReply, Superseded, Unreachable } from "./messages.js";

const API = "/api/v1";
const TOKEN_KEY = "sagasu-token";
const RETRY_MS = 2000;

/** The transport that this window has; call it once. */
export function openTransport(view = window) {
  const handler = view.webkit?.messageHandlers?.sagasu;
  const transport = handler ? bridgeTransport(handler) : httpTransport(view, takeToken(view));
  const listeners = new Set();
  const tell = (raw) => {
    const event = readEvent(raw);
    if (event) for (const listener of listeners) listener(event);
  };
  view.sagasu = Object.freeze({ receive: tell });
  transport.watch(tell, () => tell({ type: "changed" }));
  return {
    host: handler ? "app" : "browser",
    /** Sends message `name`; resolves to its checked answer. */
    ask: async (name, fields = {}, signal = undefined) =>
      readReply(name, await transport.send(buildMessage(name, fields), signal)),
    /** Calls `listener` with every event of the service; returns how to stop. */
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    fetchImage: transport.fetchImage,
  };
}

/* The token stands in the address only until it is read: history and screen do not keep it. */
function takeToken(view) {
  const given = new URLSearchParams(view.location.hash.slice(1)).get("token");
  if (given) {
    view.sessionStorage.setItem(TOKEN_KEY, given);
    view.history.replaceState(null, "", view.location.pathname + view.location.search);
  }
  return given ?? view.sessionStorage.getItem(TOKEN_KEY) ?? "";
}

function bridgeTransport(handler) {
  return {
    send: async (message) => {
      let reply;
      try {
        reply = await handler.postMessage(JSON.stringify(message));
      } catch (error) {
        throw new Unreachable(String(error?.message ?? error));
      }
      return typeof reply === "string" ? JSON.parse(reply) : reply;
    },
    // The app calls window.sagasu.receive by itself.
    watch: () => {},
    fetchImage: async (address) => (isImageData(address) ? address : ""),
  };
}

function httpTransport(view, token) {
  // A newer search of this window ends the older one; those of other windows go on.
  const headers = { "Sagasu-Window": view.crypto.randomUUID() };
  if (token) headers.Authorization = `Bearer ${token}`;
  const call = async (path, options) => {
    try {
      return await view.fetch(path, { cache: "no-store", credentials: "omit", ...options });
    } catch (error) {
      if (options.signal?.aborted) throw new Superseded(path);
      throw new Unreachable("Nothing answers.");
    }
  };
  return {
    send: async (message, signal) => {
      const { name, ...body } = message;
      const response = await call(`${API}/panel/${name}`, {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal,
      });
      return readBody(response, signal);
    },
    watch: (tell, missed) => watchEvents(view, headers, tell, missed),
    fetchImage: async (address) => {
      if (isImageData(address)) return address;
      const target = new URL(address, view.location.href);
      if (target.origin !== view.location.origin) return "";
      const response = await call(target.href, { headers });
      const blob = response.ok ? await response.blob() : null;
      // An SVG could carry scripts; as an <img> they never run, but it has no business here.
      return blob && /^image\/(png|jpeg|webp|gif)$/.test(blob.type) ? URL.createObjectURL(blob) : "";
    },
  };
}

async function readBody(response, signal) {
  let envelope;
  try {
    envelope = await response.json();
  } catch {
    if (signal?.aborted) throw new Superseded("aborted");
    throw new Unreachable(`The service answered ${response.status} without a reason.`);
  }
  if (response.ok || envelope?.error !== undefined || envelope?.superseded) return envelope;
  const say = typeof envelope?.detail === "string" ? envelope.detail : `The service answered ${response.status}.`;
  return { ok: false, error: { say, hint: envelope?.hint ?? "" } };
}

/* Server-sent events read by fetch, because EventSource cannot send the token. */
async function watchEvents(view, headers, tell, missed) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await view.fetch(`${API}/events`, { headers, cache: "no-store" });
      if (response.status === 404 || response.status === 401 || response.status === 403) return;
      if (response.ok) {
        if (attempt > 0) missed();
        await readStream(response.body, tell);
      }
    } catch {
      // The service is gone; the next question says so, and here we wait for it to return.
    }
    await new Promise((resolve) => view.setTimeout(resolve, RETRY_MS));
  }
}

async function readStream(stream, tell) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split(/\r?\n\r?\n/);
    rest = parts.pop();
    for (const part of parts) {
      const data = part.split(/\r?\n/).filter((line) => line.startsWith("data:"));
      if (data.length > 0) tell(data.map((line) => line.slice(5).trimStart()).join("\n"));
    }
  }
}

function isImageData(address) {
  return /^data:image\/(png|jpeg|webp|gif);base64,/.test(address);
}
