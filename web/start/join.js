// Join by a code or a link from a friend.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { account } from "../api/account.js";
import { base, call } from "../api/client.js";
import { clean } from "../api/links.js";
import { naming } from "../look/naming.js";
import { go } from "../look/storage.js";
import { t } from "../words/words.js";

export const joining = (start) => html`<section class="box join" aria-labelledby="join"><h2 id="join">${t("start.join")}</h2><p class="quiet">${t("start.join.text")}</p>
  <form class="row" @submit=${(event) => { event.preventDefault(); const said = event.target.elements.code.value.trim(); start.attempt("join", () => join(start, said)); }}>
    <label class="grow">${t("start.code")}<input name="code" required autocomplete="off" autocapitalize="characters" spellcheck="false"></label>${account.guest ? naming(start) : nothing}
    <button>${t("start.join.go")}</button></form>${start.trouble("join")}</section>`;

// A link to a table seats like a code, where a seat is free; any other link of ours leads where it would.
async function join(start, said) {
  const [, way] = /\/(replays\/\w.*)/.exec(said) ?? [];
  if (way) return go(new URL(way, base));
  const [player] = /#player=.+/.exec(said) ?? [];
  if (player) return void (location.hash = player);
  const [, game, , linked] = /games\/([\w-]+)(.*code=([\w-]+))?/.exec(said) ?? [];
  if (!game) {
    const { id, join_code: code } = await start.sit("/join", { code: clean(said.toUpperCase()) ?? said });
    return start.go(id, code);
  }
  const code = linked?.toUpperCase();
  const { status } = await call("GET", `/games/${game}${code ? `?join_code=${code}` : ""}`);
  try {
    if (status === "open") await start.sit(`/games/${game}/seats`, code ? { join_code: code } : {});
  } catch (problem) {
    if (problem.status !== 409) throw problem; // somebody else was faster: there is a game to watch
  }
  start.go(game, code);
}
