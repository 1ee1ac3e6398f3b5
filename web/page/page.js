// What every page does first: its language, its theme, its top.
import { base } from "../api/client.js";
import { wear } from "../look/preferences.js";
import { language } from "../words/words.js";
import "./bar.js";

document.documentElement.lang = language;
wear();

// What is there without a connection, and makes the page one that a device can install. A page in a frame keeps nothing.
if (navigator.serviceWorker && window.top === window) {
  const policy = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: (url) => url }), url = new URL("sw.js", base).href;
  addEventListener("load", () => navigator.serviceWorker.register(policy?.createScriptURL(url) ?? url).catch(() => {}));
}
