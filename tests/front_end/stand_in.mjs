// Plays the front end of docs/integrate.md where there is no browser: jsdom has the document, this the clicks.
//
// node stand_in.mjs PAGE LANGUAGE URL [LANGUAGE URL ...]: opens the page as if it came from each URL in turn, clicks on
// what it offers until it says who has won, and prints what it showed as one line of JSON for each.

import { readFile } from "node:fs/promises";
import process from "node:process";

import { EventSource } from "eventsource";
import { JSDOM, VirtualConsole } from "jsdom";

const FEWEST_CLICKS = 4;
const MOST_GAMES = 5; // a game of lovecraft may be over before one has been asked so often; then another is played

const [page, ...asked] = process.argv.slice(2);
const html = await readFile(page, "utf8");
const script = html.match(/<script type="module">\n(.*)<\/script>/s)[1];

for (let place = 0; place < asked.length; place += 2) {
  let seen = await play(asked[place], asked[place + 1]);
  for (let games = 1; seen.clicks < FEWEST_CLICKS && games < MOST_GAMES; games += 1)
    seen = await play(asked[place], asked[place + 1]);
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}
process.exit(0);

async function play(language, url) {
  const { window } = new JSDOM(html, { url, runScripts: "outside-only", virtualConsole: new VirtualConsole() });
  const { document } = window;

  // A browser tells the language in every call, also of a stream.
  const spoken = (input, { headers, ...more } = {}) =>
    fetch(input, { ...more, headers: { ...Object.fromEntries(new Headers(headers)), "Accept-Language": language } });
  class Source extends EventSource {
    constructor(address) {
      super(address, { fetch: spoken });
    }
  }
  Object.defineProperty(window.navigator, "language", { value: language });
  Object.assign(window, { fetch: spoken, Response, EventSource: Source });

  const shown = (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent);
  const seen = { clicks: 0, offered: [] };
  // jsdom runs no modules: what a module may do, a function that is not waited for may do as well.
  const failed = window.eval(`(async () => {${script}})()`).then(() => new Promise(() => {}));
  const pause = (milliseconds) => Promise.race([failed, new Promise((go) => setTimeout(go, milliseconds))]);
  while (!shown("#now").join().startsWith("★")) {
    const buttons = document.querySelectorAll("#actions button");
    if (buttons.length > 0) {
      const chosen = buttons[(seen.clicks * 7) % buttons.length];
      seen.offered.push(chosen.textContent);
      seen.clicks += 1;
      chosen.click();
    }
    await pause(20);
  }
  while (document.querySelectorAll("#actions button").length === 0) await pause(20); // the last frame has come
  return {
    ...seen,
    now: shown("#now")[0],
    log: shown("#log li"),
    seats: shown("section"),
    last: shown("#actions button"),
  };
}
