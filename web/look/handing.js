// Leads from page to page where the browser keeps nothing: each finds in `history.state` what the one before remembered.
import { storage } from "./storage.js";

export function lead(url) {
  if (url.origin !== location.origin) return location.assign(url);
  storage.hand();
  history.pushState(history.state, "", url);
  location.reload();
}

// For the browser these pages are one, so that the way back changes the address alone.
const page = location.pathname;
addEventListener("popstate", ({ state }) => {
  if (!state?.billet || location.pathname === page) return;
  storage.hand(state);
  location.reload();
});

// A link of ours leads on in the same way, unless it is one to something else.
document.addEventListener("click", (event) => {
  const path = event.composedPath(), link = path.find(({ localName }) => localName === "a");
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (!link?.href || link.target || link.rel === "external" || !path.some(({ localName }) => localName?.startsWith("billet-"))) return;
  event.preventDefault();
  lead(new URL(link.href));
});
