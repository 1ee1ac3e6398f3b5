// Join by a code or a link from a friend.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account } from "../api/account.js";
import { clean } from "../api/links.js";
import { seated } from "../api/nonces.js";
import { naming } from "../look/naming.js";
import { t } from "../words/words.js";

export const joining = (start) => html`<section class="box join" aria-labelledby="join"><h2 id="join">${t("start.join")}</h2><p class="quiet">${t("start.join.text")}</p>
  <form class="row" @submit=${(event) => { event.preventDefault(); const said = event.target.elements.code.value.trim(); start.attempt("join", () => join(start, said)); }}>
    <label class="grow">${t("start.code")}<input name="code" required autocomplete="off" autocapitalize="characters" spellcheck="false"></label>${account.guest ? naming(start) : nothing}
    <button>${t("start.join.go")}</button></form>${start.trouble("join")}</section>`;

async function join(start, said) {
  const link = /games\/([\w-]+)\/?(?:#code=([\w-]+))?/.exec(said);
  if (link) return start.go(link[1], link[2]);
  const code = clean(said.toUpperCase()) ?? said;
  const game = await seated("/join", { code });
  return start.go(game.id, code);
}
