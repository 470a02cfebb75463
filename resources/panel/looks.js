/** Which looks has the person chosen? Theme, size of text and direction, on the root element. */

const THEMES = ["light", "dark"];
const SIZES = ["small", "medium", "large"];
const RIGHT_TO_LEFT = /^(ar|arc|ckb|dv|fa|he|ks|nqo|ps|sd|syr|ug|ur|yi)\b/;

/** Applies {theme, text_size, direction}; what is not one of the choices means the system's. */
export function applyLooks({ theme, text_size, direction }) {
  const root = document.documentElement;
  if (THEMES.includes(theme)) root.dataset.theme = theme;
  else delete root.dataset.theme;
  root.dataset.size = SIZES.includes(text_size) ? text_size : "medium";
  root.dir = direction === "rtl" || direction === "ltr"
    ? direction
    : RIGHT_TO_LEFT.test(navigator.language) ? "rtl" : "ltr";
}

/** Applies the kept looks now and after every change of a setting. */
export function followLooks(transport, told = () => {}) {
  document.documentElement.dataset.host = transport.host;
  const apply = async () => {
    try {
      const settings = await transport.ask("settings_get");
      applyLooks(settings);
      told(settings);
    } catch {
      // Without a service the system's looks stay; the page says elsewhere what is wrong.
    }
  };
  transport.listen((event) => {
    if (event.type === "settings") apply();
  });
  return apply();
}
