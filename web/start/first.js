// For whoever has never played: the story in a line, a turn in three pictures, and the lessons.
import { html, svg } from "../vendor/lit-html/lit-html.js";
import { addressOf, progress } from "../learn/progress.js";
import { t } from "../words/words.js";

// A card on a grid of 48 by 32 units, tilted around its middle.
const card = (x, y, tilt, className = "") => svg`<rect class=${className} x=${x} y=${y} width="13" height="18" rx="2" transform=${`rotate(${tilt} ${x + 6.5} ${y + 9})`}></rect>`;
const PICTURES = {
  draw: svg`${card(5, 6, 0)}${card(7, 8, 0)}${card(33, 9, 6, "own")}<path d="M22 17h8m-3-3 3 3-3 3"></path>`,
  one: svg`${card(5, 10, -8, "own")}${card(31, 3, 8, "own")}<path d="M21 20c4 0 6-2 7-5m-4 1 4-1 1 4"></path>`,
  does: svg`${card(17, 7, 0, "own")}<path d="M4 16h7M37 16h7M8 5l5 4M40 5l-5 4M8 28l5-4M40 28l-5-4M21 13h5M21 17h5M21 21h3"></path>`,
};

export const first = (start) => html`<section class="box first" aria-labelledby="first"><h2 id="first">${t("learn.title")}</h2><p>${t("learn.story")}</p>
  <ol>${Object.entries(PICTURES).map(([name, picture]) => html`<li><svg viewBox="0 0 48 32" aria-hidden="true">${picture}</svg>${t(`learn.${name}`)}</li>`)}</ol>
  <p class="row"><a class="button go" href=${addressOf("first")}>${t(under("first") ? "learn.on" : "learn.begin")}</a>${
    start.edition(start.setup.edition) && start.setup.edition !== "classic" ? html`<a class="button" href=${addressOf(start.setup.edition)}>${t("learn.more")}</a>` : ""}</p></section>`;

const under = (lesson) => progress(lesson).game && !progress(lesson).done;
