// What a player hides from others, on the player's own page.
import { html } from "../vendor/lit-html/lit-html.js";
import { t } from "../words/words.js";

const PARTS = ["online", "history", "ratings"];

export const hiding = (part) => html`<section class="box" aria-labelledby="hiding"><h2 id="hiding">${t("hide")}</h2><p class="quiet">${t("hide.about")}</p>
  ${PARTS.map((one) => html`<label class="check"><input type="checkbox" .checked=${part.concealed.includes(one)} @change=${({ target }) => part.hide(one, target.checked)}>${t(`hide.${one}`)}</label>`)}
  <p class="quiet" role="status">${part.saved ? t("bar.saved") : ""}</p></section>`;
