// The page of a replay: its address names the game, the version and the viewer; the fragment a join code.
import "./page.js";
import { given } from "../api/links.js";
import { obey } from "../replay/remote.js";
import "../replay/element.js";
import { dropping } from "../look/files.js";

const replay = document.createElement("billet-replay");
replay.setAttribute("game", location.pathname.split("/").at(-1));
for (const name of ["at", "as"]) {
  const value = given(location.search, name);
  if (value) replay.setAttribute(name, value);
}
const code = given(location.hash, "code");
if (code) replay.setAttribute("code", code);
document.querySelector("#place").replaceWith(replay);
if (window.top !== window) obey(replay);
replay.opener = () => import("../replay/opening.js");
dropping((dropped) => replay.read(dropped));
