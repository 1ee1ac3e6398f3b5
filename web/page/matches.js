// The list of matches: its address says which, and from where on.
import "./page.js";
import "../matches/list.js";

const list = document.createElement("billet-matches"), asked = new URLSearchParams(location.search);
for (const name of ["state", "player", "cursor"]) if (asked.has(name)) list.setAttribute(name, asked.get(name));
document.querySelector("#place").replaceWith(list);
