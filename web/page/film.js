// The page of a replay in one file: log, viewer and verifier are in it, and nothing is asked of anybody.
import { wear } from "../look/preferences.js";
import { obey } from "../replay/remote.js";
import "../replay/element.js";
import { dropping } from "../look/files.js";
import { t } from "../words/words.js";

export function show(film) {
  wear();
  const replay = document.createElement("billet-replay");
  const asked = new URLSearchParams(location.hash.slice(1));
  for (const name of ["at", "as"]) if (asked.has(name)) replay.setAttribute(name, asked.get(name));
  replay.film = film;
  obey(replay);
  dropping(() => replay.refuse(new Error(t("film.file"))));
  document.querySelector("#place").replaceWith(replay);
}
