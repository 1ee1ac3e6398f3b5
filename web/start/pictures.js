// Choices by pictures: editions as three of their characters, seats as a table with chairs.
import { html, svg } from "../vendor/lit-html/lit-html.js";
import { symbol } from "../cards/symbol.js";
import { t } from "../words/words.js";

const FACES = {
  standard: [["helmet", "#7d4a25"], ["quill", "#2f5a8f"], ["mask", "#4f4a86"]],
  classic: [["eye", "#1f6a6a"], ["heart", "#a3123a"], ["crown", "#8c1d40"]],
  premium: [["bells", "#9a3d12"], ["crosier", "#4b3f9e"], ["dagger", "#3c3c46"]],
  lovecraft: [["tentacles", "#1f6448"], ["cat", "#3f4d6b"], ["grimoire", "#742020"]],
};

export const editionTiles = (editions, chosen, choose) => html`<fieldset class="tiles"><legend>${t("start.edition")}</legend>${editions.map(({ id, title, seats }) => {
  const [short, more] = title.split(/\s*\((.*)\)/);
  return html`<label class="tile"><input type="radio" name="edition" .checked=${id === chosen} @change=${() => choose(id)}>
    <span class="trio" aria-hidden="true">${(FACES[id] ?? FACES.standard).map(([sign, colour]) => html`<span class="mini" .style=${`--colour: ${colour}`}>${symbol(sign)}</span>`)}</span>
    <b>${short}</b><small>${more ? html`<span class="more">${more}<br></span>` : ""}${t("start.range", seats)}</small></label>`;
})}</fieldset>`;

// A round table seen from above, with a chair for each.
const chairs = (count) => svg`<circle cx="20" cy="20" r="9"></circle>${Array.from({ length: count }, (_, at) => {
  const angle = Math.PI / 2 + (2 * Math.PI * at) / count;
  return svg`<circle class=${at ? "" : "me"} cx=${20 + 15 * Math.cos(angle)} cy=${20 + 15 * Math.sin(angle)} r="3.400"></circle>`;
})}`;

export const seatTiles = ({ min, max }, chosen, choose) => html`<fieldset class="seat-tiles"><legend>${t("start.seats")}</legend>${
  Array.from({ length: max - min + 1 }, (_, at) => min + at).map((count) => html`<label class="seat-tile"><input type="radio" name="seats" .checked=${count === chosen} @change=${() => choose(count)}>
    <svg viewBox="0 0 40 40" aria-hidden="true">${chairs(count)}</svg><span>${count}</span></label>`)}</fieldset>`;
