// Dialogs, made here alone. Each opening makes another one, which is shown once: whatever is drawn between its closing and the
// moment when the browser tells of that, it stays closed.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";

const openings = new WeakMap(), shown = new WeakSet();
const openingsOf = (part) => openings.get(part) ?? openings.set(part, new Map()).get(part);

export function open(part, name) {
  openingsOf(part).set(name, {});
  part.update();
}

export const close = (event) => event.target.closest("dialog").close();

// The dialog of a part, with its title in an element with the name as id. It closes by itself where nothing is asked any more
// that it `holds` for; `closed` is called when the reader has closed it.
export function dialog(part, name, body, { kind = nothing, holds = true, closed } = {}) {
  const all = openingsOf(part);
  if (!holds) all.delete(name);
  const opening = all.get(name);
  const end = () => {
    if (all.get(name) !== opening) return;
    all.delete(name);
    closed?.();
    part.update();
  };
  return repeat(opening ? [opening] : [], (one) => one, () => html`<dialog class=${kind} aria-labelledby=${name} @close=${end}>${body()}</dialog>`);
}

// Shows what has come into a part; what is drawn no more is closed.
export function showDialogs(part) {
  for (const name of openingsOf(part).keys()) if (!part.find(`dialog[aria-labelledby=${name}]`)) openingsOf(part).delete(name);
  for (const one of part.shadowRoot.querySelectorAll("dialog")) if (!shown.has(one)) shown.add(one), one.showModal();
}
