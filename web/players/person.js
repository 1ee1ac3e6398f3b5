// A player as the pages name one: seal and name, which may lead to the player's page.
import { html } from "../vendor/lit-html/lit-html.js";
import { pageOf } from "../api/links.js";
import { seal } from "../look/seal.js";
import { language, t } from "../words/words.js";

export const person = (player) => html`<span class="person">${seal(player)}<bdi>${player.name}</bdi></span>`;

export function linked(player) {
  const page = pageOf(player);
  return page ? html`<a class="person" href=${page}>${seal(player)}<bdi>${player.name}</bdi></a>` : person(player);
}

// Several, with what stands between them in the reader's language; `each` draws one. The service's own bots, which lists name
// in no language, count by their number alone.
export function listed(players, each = person) {
  const named = players.filter((player) => pageOf(player)), bots = players.length - named.length;
  return joined([...named.map(each), ...(bots ? [t("start.with", { n: bots })] : [])]);
}

export function joined(all) {
  const parts = new Intl.ListFormat(language, { type: "unit" }).formatToParts(all.map((_, place) => String(place)));
  return parts.map(({ type, value }) => (type === "element" ? all[value] : value));
}
