// The page of a player, whom the address names; or leaderboards: of a pool, and from which place on.
import "./page.js";
import { base } from "../api/client.js";
import "../players/board.js";
import "../players/element.js";

const [folder, name] = location.pathname.slice(base.pathname.length).split("/"), asked = new URLSearchParams(location.search);
const shown = document.createElement(folder === "players" ? "billet-player" : "billet-leaderboard");
if (folder === "players") shown.setAttribute("player", name);
else if (name) shown.setAttribute("pool", decodeURIComponent(name));
for (const one of ["around", "cursor"]) if (asked.has(one)) shown.setAttribute(one, asked.get(one));
document.querySelector("#place").replaceWith(shown);
