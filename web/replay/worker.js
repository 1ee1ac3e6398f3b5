// The service worker. Without a connection it shows the page that opens replay files, and gives that page what it needs; with
// one it answers nothing itself. The service writes in front of this what is kept, by the build: files whose addresses have a
// hash of their content, and the cards of each edition.
const { build, page, files, books, languages } = self.kept;
const NAME = `billet-${build}`;
const at = (path) => new URL(path, self.registration.scope).href;
const KEPT = new Set(files.map(at)), BOOKS = new Set(books.map(at));
// An edition is asked for in a language that its address does not say.
const inLanguage = (url, language) => `${url}?language=${language}`;

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(leave()));
self.addEventListener("fetch", (event) => {
  const { request } = event, { mode, method, url } = request;
  if (method !== "GET") return;
  if (mode === "navigate") event.respondWith(fetch(request).catch(() => instead(url)));
  else if (KEPT.has(url)) event.respondWith(found(url).then((answer) => answer ?? fetch(request)));
  else if (BOOKS.has(url)) event.respondWith(fetch(request).catch(async (problem) => (await found(inLanguage(url, request.headers.get("Accept-Language")))) ?? Promise.reject(problem)));
});

async function keep() {
  const cache = await caches.open(NAME);
  await cache.addAll([at(page), ...KEPT]);
  for (const url of BOOKS) for (const language of languages) {
    const answer = await fetch(url, { headers: { "Accept-Language": language } });
    if (!answer.ok) throw new Error(url);
    await cache.put(inLanguage(url, language), answer);
  }
  await self.skipWaiting();
}

// Of an earlier build nothing is left.
async function leave() {
  for (const name of await caches.keys()) if (name.startsWith("billet-") && name !== NAME) await caches.delete(name);
  await self.clients.claim();
}

const found = async (url) => (await caches.open(NAME)).match(url, { ignoreVary: true });

// The page is kept at its own address: what it names lies beside it. It leads back to what was asked for.
async function instead(url) {
  const own = at(page);
  if (new URL(url).pathname === new URL(own).pathname) return (await found(own)) ?? Response.error();
  return Response.redirect(`${own}?from=${encodeURIComponent(url)}`);
}
