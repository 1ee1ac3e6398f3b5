// The deals of the day; an address that names an edition and a day leads to what came of that one.
import "./page.js";
import { base } from "../api/client.js";
import "../daily/element.js";
import "../daily/past.js";

const [, edition, date] = location.pathname.slice(base.pathname.length).split("/").map(decodeURIComponent);
const page = document.createElement(date ? "billet-past-deal" : "billet-daily");
if (date) {
  page.setAttribute("edition", edition);
  page.setAttribute("date", date);
}
document.querySelector("#place").replaceWith(page);
