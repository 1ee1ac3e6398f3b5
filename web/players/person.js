// A player as the pages name one: seal and name, which may lead to the player's page.
import { html } from "../vendor/lit-html/lit-html.js";
import { base } from "../api/client.js";
import { seal } from "../look/seal.js";

// The service's own bots have no pages.
const OWN_BOT = /^bot-/;

export const pageOf = ({ id }) => (OWN_BOT.test(id) ? null : new URL(`players/${id}`, base));

export const person = (player) => html`<span class="person">${seal(player)}<bdi>${player.name}</bdi></span>`;

export function linked(player) {
  const page = pageOf(player);
  return page ? html`<a class="person" href=${page}>${seal(player)}<bdi>${player.name}</bdi></a>` : person(player);
}
