// What the reader gives to the shuffle: the hash of a nonce with the seat, the nonce itself once every seat is taken. By
// it nobody chooses the deal, not even the service. A page that is not on https cannot hash: it gives the nonce at once.
import { storage } from "../look/storage.js";
import { call, hex, newKey } from "./client.js";

const PLACE = "nonces";
const MOST = 50;
const hashed = async (text) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
// Read each time: another tab may have added to it.
const known = () => [storage.read(PLACE) ?? []].flat();

// Takes a seat by a call, with a nonce; returns the game, which starts if nothing but this nonce was missing.
export async function seated(path, body = {}) {
  const nonce = newKey() + newKey();
  const game = await call("POST", path, { ...body, ...(crypto.subtle ? { nonce_hash: await hashed(nonce) } : { nonce }) }, { anew: true });
  if (!crypto.subtle || game.status !== "open") return game;
  // A seat that one has already keeps the nonce that came first, so more than one may be kept for a game.
  storage.write(PLACE, [...known(), { game: game.id, nonce }].slice(-MOST));
  return (await reveal(game)) ?? game;
}

// Reveals the nonce that a game waits for; returns the game as it is then, or nothing if it waits for none.
export async function reveal({ id, reveal: waits, viewer }) {
  if (!waits?.seats.includes(viewer?.seat)) return;
  for (const { nonce } of known().filter((one) => one.game === id)) {
    try {
      return await call("POST", `/games/${id}/nonce`, { nonce });
    } catch ({ status }) {
      if (status !== 409) return; // too late, or another tab's: the game starts without it
    }
  }
}
