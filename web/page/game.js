// The page of a game: its address names the game, the fragment a join code, which no server sees.
import "./page.js";
import { given } from "../api/links.js";
import "../table/element.js";

const table = document.createElement("billet-table");
const code = given(location.hash, "code");
table.setAttribute("game", location.pathname.split("/").at(-1));
if (code) table.setAttribute("code", code);
document.querySelector("#place").replaceWith(table);
