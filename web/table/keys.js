// Keys of the table: digits choose the n-th thing offered, Escape goes back, letters open what lies beside it.

import { ask } from "./aids/hint.js";
import { taken } from "./sidebar/marks.js";

export function keys(table, event) {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = event.composedPath()[0];
  if (at.matches?.("input:not([type=checkbox]), select, textarea") || table.find("dialog[open]")) return;
  const words = table.find(".reactions:popover-open");
  if (words) {
    words.querySelectorAll("[data-reaction]")[Number(event.key) - 1]?.click();
    return;
  }
  table.back();
  const taken = KEYS[event.key] ?? (/^[1-9]$/.test(event.key) ? digit : null);
  if (taken?.(table, event) !== undefined) event.preventDefault();
}

function digit(table, { key }) {
  const offered = [...table.shadowRoot.querySelectorAll("[data-option]:not(:disabled)")];
  offered[Number(key) - 1]?.click();
  return true;
}

const KEYS = {
  Escape: (table) => (table.sheet ? table.look(null) : table.telling ? table.viewing.catchUp() : table.undo()) ?? true,
  "?": (table) => table.help() ?? true,
  r: (table) => table.look("reference") ?? true,
  l: (table) => table.look("log") ?? true,
  u: (table) => table.look("unseen") ?? true,
  n: (table) => (taken(table) ? table.note() ?? true : undefined),
  e: (table) => table.find("[popovertarget=reactions]")?.click() ?? true,
  h: (table) => (table.hintable ? ask(table) && true : undefined),
  m: (table) => table.toggleSound() ?? true,
};
