// The page of a match: its address names the match.
import "./page.js";
import "../matches/element.js";

const page = document.createElement("billet-match");
page.setAttribute("match", location.pathname.split("/").at(-1));
document.querySelector("#place").replaceWith(page);
