// How many of a match's games have been played.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { t } from "../words/words.js";

export const progress = ({ played, games, running }) => html`<p class="progress"><progress max=${games} .value=${played} aria-label=${t("match.progress")}></progress>
  <span class="quiet">${t("match.played", { played, n: games })}${running ? ` · ${t("match.now", { n: running })}` : nothing}</span></p>`;
