/** Which other programs may ask? Tokens with what each may do; a new one is shown once. */
import { confirmed } from "./dialog.js";
import { el, replace } from "./dom.js";
import { formatDay } from "./format.js";
import { glyph } from "./icons.js";
import { toast, toastError } from "./toast.js";

/** The tokens' part of a page. */
export function tokensPart(transport) {
  const part = el("div", {});
  const fresh = el("div", { role: "status" });
  const load = async () => {
    try {
      const { tokens, scopes } = await transport.ask("tokens_list");
      replace(part,
        el("div", { class: "group" }, tokens.length > 0
          ? tokens.map((token) => tokenRow(token, revoke))
          : el("p", { class: "none" }, "No program has access.")),
        fresh, newToken(scopes, create));
    } catch (error) {
      replace(part, el("p", { class: "none" }, error.message));
    }
  };
  const revoke = async (token) => {
    const sure = await confirmed(`Take access from “${token.label}”?`, { yes: "Take away", text: "It can no longer ask, from now on." });
    if (!sure) return;
    await transport.ask("tokens_revoke", { id: token.id }).catch(toastError);
    load();
  };
  const create = async (label, scopes) => {
    try {
      const { token } = await transport.ask("tokens_create", { label, scopes });
      await load();
      replace(fresh, secret(token));
    } catch (error) {
      toastError(error);
    }
  };
  load();
  return part;
}

function tokenRow(token, revoke) {
  const used = token.used ? `used ${inSentence(formatDay(token.used))}` : "never used";
  return el("div", { class: "root" },
    glyph("person", 20),
    el("div", { class: "name", dir: "auto" }, token.label),
    el("div", { class: "state" }, token.scopes.map((scope) => el("span", { class: "tag" }, scope)), ` made ${inSentence(formatDay(token.created))}, ${used}`),
    el("div", { class: "acts" }, el("button", {
      class: "icon-button", type: "button", title: "Take access away", "aria-label": `Take access from ${token.label}`, onclick: () => revoke(token),
    }, glyph("trash", 16))));
}

function newToken(scopes, create) {
  const label = el("input", { class: "box", type: "text", placeholder: "Name of the program", "aria-label": "Name of the program", maxlength: "80" });
  const boxes = scopes.map((scope, index) => el("input", { type: "checkbox", value: scope, checked: index < 2 }));
  const submit = () => {
    const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
    if (label.value.trim() && chosen.length > 0) create(label.value.trim(), chosen);
    else toast("Give it a name and at least one thing it may do.", { bad: true });
  };
  return el("div", { class: "under" }, label,
    el("div", { class: "scopes", role: "group", "aria-label": "What it may do" },
      boxes.map((box) => el("label", {}, box, box.value))),
    el("button", { class: "button", type: "button", onclick: submit }, "Give Access…"));
}

function secret(token) {
  const copy = () => navigator.clipboard.writeText(token).then(() => toast("Token copied"), () => toast("Select it and copy it.", { bad: true }));
  return el("div", { class: "secret" }, el("code", {}, token),
    el("span", {}, "Shown only this once."),
    el("button", { class: "button", type: "button", onclick: copy }, "Copy"));
}

/* “Yesterday” within a sentence. */
const inSentence = (day) => day.replace(/^Yesterday$/, "yesterday");
