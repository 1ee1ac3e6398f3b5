// A player taken to another browser by the fragment of a link, which no server sees.
import { account, valid } from "./account.js";
import { call, Problem } from "./client.js";
import { given } from "./links.js";

export const linkOf = (page) => `${page}#player=${encodeURIComponent(account.token)}`;

// What is shown beside the link, and must be entered where a player would be replaced: a link alone, in a mail, cannot do that.
export const numberOf = (token) => String([...token].reduce((sum, letter) => (31 * sum + letter.charCodeAt(0)) % 9973, 7)).padStart(4, "0");

// Takes the token from the fragment and clears it from the address.
export function carried() {
  const token = given(location.hash, "player"), said = new URLSearchParams(location.hash.slice(1));
  said.delete("player");
  history.replaceState(history.state, "", location.pathname + location.search + (said.size ? `#${said}` : ""));
  return token;
}

// Returns the player of a token, and how many of their games go on; throws the problem if the service knows none.
export async function whoIs(token) {
  if (!valid({ token })) throw new Problem({ status: 401 });
  const asked = (path) => call("GET", path, undefined, { headers: { Authorization: `Bearer ${token}` } });
  const [{ id, name }, { items }] = await Promise.all([asked("/players/me"), asked("/players/me/games")]);
  return { id, name, token, running: items.filter(({ status }) => status === "open" || status === "active").length };
}
