/**
 * How long from a key to rows on the screen? Kept in window.__sagasu_timings for the benchmark:
 *
 *     {query, stage, keydown, sent, answered, painted, ms}      ms = painted - keydown
 *
 * `keydown` is the event's own time stamp, so what delays the handler counts; `painted` is the
 * first task after the frame that holds the rows.
 */

const KEPT = 5000;
const waiting = new Map();
const kept = [];
let pressed = 0;

window.__sagasu_timings = kept;

/** A key went down that may change the query. */
export function keyPressed(event) {
  pressed = event.timeStamp;
}

/** The question for `query` left as `sequence`. */
export function asked(sequence) {
  if (pressed) waiting.set(sequence, { keydown: pressed, sent: performance.now() });
  pressed = 0;
}

/** The rows of its answer are in the document. */
export function rendered(sequence, query, stage) {
  const start = waiting.get(sequence);
  if (!start) return;
  for (const older of waiting.keys()) if (older < sequence) waiting.delete(older);
  const answered = performance.now();
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      const painted = performance.now();
      kept.push({ query, stage, ...start, answered, painted, ms: painted - start.keydown });
      if (kept.length > KEPT) kept.shift();
      channel.port1.close();
    };
    channel.port2.postMessage(null);
  });
}
