/* Which visible texts have less than 4.5 : 1 (3 : 1 when large) on what they stand on?
   Translucent grounds are laid over each other down to the page's own; a gradient behind the panel
   counts as mid grey, which is the worst for both themes. */
(() => {
  const parse = (text) => {
    const found = /rgba?\(([^)]+)\)/.exec(text);
    if (found) {
      const [r, g, b, a = 1] = found[1].split(/[\s,/]+/).filter(Boolean).map(Number);
      return [r, g, b, a];
    }
    const mixed = /color\(srgb ([^)]+)\)/.exec(text);
    if (!mixed) return [0, 0, 0, 0];
    const [r, g, b, a = 1] = mixed[1].split(/[\s/]+/).filter(Boolean).map(Number);
    return [r * 255, g * 255, b * 255, a];
  };
  const over = (top, below) => {
    const share = top[3];
    return [0, 1, 2].map((i) => top[i] * share + below[i] * (1 - share)).concat(1);
  };
  const light = ([r, g, b]) => {
    const part = (value) => {
      const v = value / 255;
      return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    };
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const ground = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) layers.push(getComputedStyle(at));
    let colour = [128, 128, 128, 1];
    for (const style of layers.reverse()) colour = over(parse(style.backgroundColor), colour);
    return colour;
  };
  const seen = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.visibility === "hidden" || style.display === "none" || at.classList.contains("unseen")) return false;
    }
    const box = node.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    // The badge on a file's icon repeats what the name beside it says.
    if (!walker.currentNode.data.trim() || node.closest("svg, .badge, [aria-disabled=true]") || !seen(node)) continue;
    const style = getComputedStyle(node);
    const behind = ground(node);
    const ink = over(parse(style.color), behind);
    const [high, low] = [light(ink), light(behind)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) {
      poor.push(`${ratio.toFixed(2)} ${node.className || node.tagName}: ${walker.currentNode.data.slice(0, 40)}`);
    }
  }
  return [...new Set(poor)];
})();
