// The list of matches, of which the address says which and from where on; or the page of the one that it names.
import "./page.js";
import { base } from "../api/client.js";
import "../matches/element.js";
import "../matches/list.js";

const [, match] = location.pathname.slice(base.pathname.length).split("/"), asked = new URLSearchParams(location.search);
const shown = document.createElement(match ? "billet-match" : "billet-matches");
if (match) shown.setAttribute("match", match);
for (const name of ["state", "player", "cursor"]) if (asked.has(name)) shown.setAttribute(name, asked.get(name));
document.querySelector("#place").replaceWith(shown);
