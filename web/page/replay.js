// The page of a replay: its address names the game, the version and the viewer; the fragment a join code.
import "./page.js";
import { obey } from "../replay/remote.js";
import "../replay/element.js";
import { dropping } from "../look/files.js";

const replay = document.createElement("billet-replay");
const asked = new URLSearchParams(location.search);
replay.setAttribute("game", location.pathname.split("/").at(-1));
for (const name of ["at", "as"]) if (asked.has(name)) replay.setAttribute(name, asked.get(name));
const code = new URLSearchParams(location.hash.slice(1)).get("code");
if (code) replay.setAttribute("code", code);
document.querySelector("#place").replaceWith(replay);
if (window.top !== window) document.querySelector("billet-bar").remove(), obey(replay);
replay.opener = () => import("../replay/opening.js");
dropping((given) => replay.read(given));
