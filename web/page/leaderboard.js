// Leaderboards: the address names the pool, and the place from which on it is shown.
import "./page.js";
import { base } from "../api/client.js";
import "../players/board.js";

const board = document.createElement("billet-leaderboard");
const [, pool] = location.pathname.slice(base.pathname.length).split("/"), asked = new URLSearchParams(location.search);
if (pool) board.setAttribute("pool", decodeURIComponent(pool));
for (const name of ["around", "cursor"]) if (asked.has(name)) board.setAttribute(name, asked.get(name));
document.querySelector("#place").replaceWith(board);
