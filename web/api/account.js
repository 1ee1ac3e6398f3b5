// Who plays here: no account to make, the token stays in this browser. It moves by the fragment of a link, which no server sees.
import { everyWord, t } from "../words/words.js";
import { given } from "./links.js";

const PLACE = "billet.player";
const read = () => { try { return JSON.parse(localStorage.getItem(PLACE)) ?? {}; } catch { return {}; } };
let held = read();
// Fires when the player is registered, renamed or another one, also by another tab.
export const changes = new EventTarget();

export const account = {
  get token() { return held.token ?? null; },
  get player() { return held.id ? { id: held.id, name: held.name } : null; },
  // A player without a name of their own, in any language.
  get guest() { return !held.name || everyWord("guest").includes(held.name); },
  keep({ player, token = held.token }) {
    held = { id: player.id, name: player.name, token };
    try { localStorage.setItem(PLACE, JSON.stringify(held)); } catch { /* this page alone, then */ }
    changes.dispatchEvent(new Event("change"));
  },
  forget() {
    held = {};
    localStorage.removeItem(PLACE);
  },
  // Another tab may have made the player first.
  refresh() {
    const { token } = held;
    held = read();
    if (held.token !== token) changes.dispatchEvent(new Event("change"));
  },
};
addEventListener("storage", ({ key }) => { if (key === PLACE || key === null) account.refresh(); });

// Sees to a player, who has the name from now on if one is given.
export async function register(chosen, registrationKey) {
  const name = chosen?.trim();
  const { call } = await import("./client.js");
  account.refresh();
  if (!account.token) account.keep(await call("POST", "/players", { name: name || t("guest") }, { headers: registrationKey ? { "Registration-Key": registrationKey } : {} }));
  else if (name) account.keep({ player: await call("PATCH", "/players/me", { name }) });
}

export const linkOf = (page) => `${page}#player=${encodeURIComponent(account.token)}`;

// Takes the player from the fragment and clears it from the address; returns the token, or null.
export function carried() {
  const token = given(location.hash, "player");
  if (token) history.replaceState(null, "", location.pathname + location.search);
  return token;
}

export async function become(token) {
  const before = held;
  held = { token };
  try {
    const { call } = await import("./client.js");
    account.keep({ player: await call("GET", "/players/me"), token });
  } catch (problem) {
    held = before;
    throw problem;
  }
}
