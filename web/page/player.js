// The page of a player: its address names the player.
import "./page.js";
import "../players/element.js";

const page = document.createElement("billet-player");
page.setAttribute("player", location.pathname.split("/").at(-1));
document.querySelector("#place").replaceWith(page);
