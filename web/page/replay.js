// The page of a replay: its address names the game, the version and the viewer; the fragment a join code. Without a game it asks
// for a file.
import "./page.js";
import { given } from "../api/links.js";
import { obey } from "../replay/remote.js";
import "../replay/element.js";
import "../replay/file.js";
import { dropping } from "../look/files.js";
import { brought } from "../words/words.js";

const [place, game] = location.pathname.split("/").slice(-2);
document.querySelector("#place").replaceWith(place === "replays" ? replay() : asking());
dropping((dropped) => document.querySelector("billet-replay, billet-file").read(dropped));

function replay() {
  const replay = document.createElement("billet-replay");
  replay.setAttribute("game", game);
  for (const name of ["at", "as"]) {
    const value = given(location.search, name);
    if (value) replay.setAttribute(name, value);
  }
  if (given(location.search, "review")) replay.setAttribute("review", "");
  const code = given(location.hash, "code");
  if (code) replay.setAttribute("code", code);
  if (window.top !== window) obey(replay);
  replay.opener = () => brought(import("../replay/opening.js"));
  return replay;
}

function asking() {
  const file = document.createElement("billet-file"), from = new URLSearchParams(location.search).get("from");
  if (from) file.setAttribute("from", from);
  return file;
}
