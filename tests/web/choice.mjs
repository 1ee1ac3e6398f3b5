// Reads lists of legal actions, a line of JSON each, and walks through every choice the page would offer.
// Fails if it reaches an action twice by the same steps, offers a single option, or does not reach all of the list.
import { readFileSync } from "node:fs";
import { kept, stand } from "../../web/table/choosing/choice.js";

function* walk(legal, chosen = []) {
  const { entry, options, kind } = stand(legal, chosen);
  if (entry) return void (yield entry);
  if (options.length < 2) throw new Error(`one option for ${kind}: ${JSON.stringify(legal)}`);
  for (const option of options) yield* walk(legal, [...chosen, [option.kind, option.value]]);
}

let lists = 0;
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
  const legal = JSON.parse(line).map((action) => ({ action }));
  const reached = new Set(walk(legal));
  const missing = legal.filter((entry) => !reached.has(entry));
  if (missing.length) throw new Error(`never offered: ${JSON.stringify(missing)}`);
  if (kept(legal, [["card", "no such card"]]).length) throw new Error("a choice was kept that leads nowhere");
  lists += 1;
}
console.log(lists);
