// Who plays here: no account to make, the token stays in this browser. `transfer.js` takes it to another.
import { changes as kept, storage } from "../look/storage.js";
import { everyWord, t } from "../words/words.js";
import { call } from "./client.js";
import { whoIs } from "./transfer.js";

const PLACE = "player", FORMER = "former";
const MOST_FORMER = 5;
// What cannot be sent in a header is no token.
export const valid = (one) => typeof one?.token === "string" && /^[\w.~+/=-]+$/.test(one.token);
const read = () => { const one = storage.read(PLACE); return valid(one) ? one : {}; };
let held = read();
let alone = false;
let registrationKey;
let making = null;
// Fires when the player is registered, renamed, another one or nobody, also by another tab.
export const changes = new EventTarget();

export const account = {
  get token() { return held.token ?? null; },
  get player() { return typeof held.id === "string" ? { id: held.id, name: held.name } : null; },
  // A player without a name of their own, in any language.
  get guest() { return !held.name || everyWord("guest").includes(held.name); },
  // Who played here before, the last one first.
  get former() { return [storage.read(FORMER) ?? []].flat().filter(valid); },
  // Whether nobody plays on this page, whoever does in this browser.
  get abstains() { return alone; },
  abstain() {
    alone = true;
    held = {};
  },
  keep({ player, token = held.token }) { hold({ id: player.id, name: player.name, token }); },
  // Somebody else plays here from now on, or nobody; whoever did can come back.
  exchange({ id, name, token }) {
    const others = account.former.filter((one) => one.id !== held.id && one.id !== id);
    storage.write(FORMER, (held.token ? [held, ...others] : others).slice(0, MOST_FORMER));
    hold({ id, name, token });
  },
  // Another tab may have made the player first.
  refresh() {
    if (alone) return;
    const { token, name } = held;
    held = read();
    if (held.token !== token || held.name !== name) changes.dispatchEvent(new Event("change"));
  },
  // The service knows a token no more: the player is erased, or has a newer token, which another tab may have brought.
  lost(token) {
    account.refresh();
    if (held.token !== token) return;
    storage.write("notice", { kind: "lost", name: held.name });
    account.exchange({});
  },
  // For a service that is closed to others; asked for when a call says so.
  set registrationKey(key) { registrationKey = /^[\x21-\xff]+$/.test(key.trim()) ? key.trim() : null; },
};
kept.addEventListener("change", ({ detail }) => { if (detail === PLACE || detail === null) account.refresh(); });

function hold(one) {
  held = one;
  if (one.token) storage.write(PLACE, one);
  else storage.set(PLACE);
  changes.dispatchEvent(new Event("change"));
}

// One tab of this browser after the other, where it has locks: the next one finds the player that the one before has made.
async function inTurn(doing) {
  let begun = false;
  try {
    return await navigator.locks.request("billet.player", () => { begun = true; return doing(); });
  } catch (problem) {
    if (begun) throw problem;
    return doing();
  }
}

// Sees to a player, who has the name from now on if one is given.
export async function register(given) {
  const name = given?.trim();
  const rename = async () => {
    const player = account.token && name && await call("PATCH", "/players/me", { name }).catch((problem) => { if (account.token) throw problem; });
    if (player) account.keep({ player });
  };
  account.refresh();
  await rename();
  if (account.token) return;
  making ??= inTurn(async () => {
    account.refresh();
    if (account.token) return false;
    // Who was lost begins anew with their name.
    const body = { name: name || account.former[0]?.name || t("guest") };
    const made = await call("POST", "/players", body, { headers: registrationKey ? { "Registration-Key": registrationKey } : {} });
    if (!account.token) account.keep(made);
    return true;
  }).finally(() => { making = null; });
  if (!await making) await rename();
}

// Plays as somebody else from now on, as far as the service knows them.
export async function become(token) {
  account.exchange(await whoIs(token));
}
