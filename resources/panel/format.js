/** How are numbers, sizes, dates and paths written? As the reader's own language writes them. */

const whole = new Intl.NumberFormat();
const percent = new Intl.NumberFormat(undefined, { style: "percent" });
const short = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const dated = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short" });
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** 48211 → "48,211" */
export const formatCount = (value) => whole.format(value);

/** "1 file", "1,200 files" */
export const formatNumber = (value, one, many = `${one}s`) =>
  `${whole.format(value)} ${value === 1 ? one : many}`;

/** 318000 → "318 KB"; decimal, as the Finder counts */
export function formatSize(bytes) {
  const units = ["bytes", "KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 1 && value < 10 ? 1 : 0;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** POSIX seconds → "14:20" today, "Yesterday", "3 Mar" this year, "3 Mar 2024" before */
export function formatDay(seconds, now = new Date()) {
  if (!seconds) return "";
  const day = new Date(seconds * 1000);
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const days = Math.floor((midnight - new Date(day.getFullYear(), day.getMonth(), day.getDate())) / 864e5 + 0.5);
  if (days === 0) return clock.format(day);
  if (days === 1) return "Yesterday";
  return day.getFullYear() === now.getFullYear() ? short.format(day) : dated.format(day);
}

/** POSIX seconds → "3 March 2025 at 14:20" */
export const formatMoment = (seconds) => (seconds ? full.format(new Date(seconds * 1000)) : "");

/** "/Users/mia/Documents/Flat/a.pdf" → ["~", "Documents", "Flat"]; the home folder becomes ~ */
export function folderParts(path) {
  const parts = path.split("/").filter((part) => part !== "");
  parts.pop();
  const home = ["Users", "home"].includes(parts[0]) && parts.length > 1 ? 2 : 0;
  return home ? ["~", ...parts.slice(home)] : parts;
}

/** "/Users/mia/Documents" → "~/Documents" */
export const formatPath = (path) => path.replace(/^\/(?:Users|home)\/[^/]+/, "~");

/** A sentence in which home folders are written as ~ */
export const shortPaths = (text) => text.replace(/\/(?:Users|home)\/[^/\s]+(?=\/)/g, "~");

/** The folder as one reads it: "Documents › Flat"; deep ones keep their ends */
export function formatFolder(path) {
  const parts = folderParts(path);
  const shown = parts[0] === "~" && parts.length > 1 ? parts.slice(1) : parts;
  const kept = shown.length > 4 ? [shown[0], "…", ...shown.slice(-2)] : shown;
  return kept.join(" › ");
}

/** The last part of a path */
export const fileName = (path) => path.slice(path.lastIndexOf("/") + 1);

/** "PDF" from ".pdf", at most four letters; empty when there is none */
export function extension(path) {
  const name = fileName(path);
  const dot = name.lastIndexOf(".");
  const suffix = dot > 0 ? name.slice(dot + 1) : "";
  return /^[\p{L}\p{N}]{1,4}$/u.test(suffix) ? suffix.toUpperCase() : "";
}

/** 0.624 → "62%" (a language may want a space); never 100 % before all is done */
export const formatShare = (done, total) =>
  percent.format(Math.floor((100 * Math.min(done, total)) / Math.max(total, 1)) / 100);
