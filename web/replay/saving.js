// A replay as one page, to keep or to hand on: the game, its viewer and its verifier in one file, as `billet replay --html` writes it.
import { Problem } from "../api/client.js";
import { brought, language } from "../words/words.js";
import { filmed } from "./opening.js";

const ENTRY = "page/film.js";
const IMPORT = /(\bfrom\s*|\bimport\s*\(?\s*)"(\.[^"]+)"/g;
const ROOT = new URL("../", import.meta.url);

// The names of the players are in it if anybody may see them, so not those of an unlisted game.
export async function page({ source, game, book, film }) {
  const log = await source.log();
  const people = game.visibility === "public" ? game.seats.flatMap(({ player }) => (player && !player.id.startsWith("bot-") ? [[player.id, player.name]] : [])) : [];
  const { viewers } = film ?? filmed(log, book, new Map(people));
  const [template, style, modules] = await Promise.all([file("replay/film.html"), file("page/page.css"), gathered()]);
  const parts = { language, style, viewer: await packed(modules), film: await packed({ language, log, viewers, book: { ...book, by: undefined } }) };
  return template.replace(/{{ (\w+) }}/g, (_, part) => parts[part]);
}

// The modules by path, which name each other as the import map of the page does.
async function gathered() {
  const found = {};
  for (let wanted = [ENTRY]; wanted.length;) {
    const texts = await Promise.all(wanted.map(async (name) => [name, await file(name)]));
    wanted = [];
    for (const [name, text] of texts) found[name] = text.replace(IMPORT, (_, before, path) => {
      const module = new URL(path, new URL(name, ROOT)).href.slice(ROOT.href.length);
      wanted.push(module);
      return `${before}"billet/${module}"`;
    });
    wanted = [...new Set(wanted)].filter((name) => !(name in found));
  }
  return found;
}

async function file(name) {
  const answer = await brought(fetch(new URL(name, ROOT)));
  if (!answer.ok) throw new Problem(await answer.json());
  return answer.text();
}

async function packed(value) {
  const bytes = new Response(new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("gzip"))).blob();
  const reader = new FileReader();
  reader.readAsDataURL(await bytes);
  await new Promise((loaded) => { reader.onload = loaded; });
  return reader.result.slice(reader.result.indexOf(",") + 1);
}
