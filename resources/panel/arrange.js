/**
 * In which order do rows stand? Sections first, and later answers below the row one is on.
 *
 * Sections: the best one is the Top hit; what matched by name are Files; the rest are Passages;
 * more than six names would bury the passages, so the others follow them.
 *
 *     arrange([a, b*, c, d*])           →  Top hit a · Files b d · Passages c        (* by name)
 *     arrange(…, {kept: [x, y]})        →  x and y stay first, in their sections
 */

export const SECTIONS = Object.freeze(["Top hit", "Files", "Passages", "More files"]);
const MOST_FILES = 6;

/** What makes a row the same row in two answers. */
export const rowKey = (result) => result.id;

/** Rows [{result, section}] of an answer; `kept` are the rows that must not move. */
export function arrange(results, kept = []) {
  const fresh = new Map(results.map((result) => [rowKey(result), result]));
  const rows = kept.map(({ result, section }) => ({
    result: fresh.get(rowKey(result)) ?? result,
    section,
  }));
  const taken = new Set(rows.map((row) => rowKey(row.result)));
  const floor = rows.at(-1)?.section ?? 0;
  const rest = results.filter((result) => !taken.has(rowKey(result)));
  const groups = [[], [], [], []];
  if (rows.length === 0 && rest.length > 0) groups[0].push(rest.shift());
  let names = rows.filter((row) => row.section === 1).length;
  const anyPassage = rest.some((result) => !byName(result));
  for (const result of rest) {
    let section = 2;
    if (byName(result)) {
      section = names < MOST_FILES || !anyPassage ? 1 : 3;
      names += 1;
    }
    // A section that has ended above the kept row is not opened again below it.
    groups[Math.max(section, floor, 1)].push(result);
  }
  groups.forEach((group, section) => rows.push(...group.map((result) => ({ result, section }))));
  return rows;
}

/** The rows that stay put when a later answer to the same query arrives. */
export const keepUpTo = (rows, selected) => rows.slice(0, selected + 1);

/**
 * Where in `rows` the row is that one had gone to before they came: {rows, current}. One that is not
 * among them stays where it stood, for the finger is already on the key that opens it. A row that
 * is no result (a recent search) leaves only its place.
 */
export function followRow(rows, result, index) {
  const there = result ? rows.findIndex((row) => rowKey(row.result) === rowKey(result)) : -1;
  if (there >= 0) return { rows, current: there };
  const current = Math.min(index, rows.length);
  if (!result || rows.length === 0) return { rows, current };
  const { section } = rows[Math.max(0, current - 1)];
  return { rows: rows.toSpliced(current, 0, { result, section }), current };
}

function byName(result) {
  return result.matched.includes("name");
}
