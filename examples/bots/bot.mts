/** A bot that plays all its games at once, until it is stopped: `make bot-ts`, or compiled, `node bot.mjs URL`. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { Billet, type EditionDetail, type EditionId, type LegalAction, Refused, type View } from "billet-client";

const options = { url: process.argv[2] ?? "http://127.0.0.1:8000", patience: Infinity };
const file = process.env.TOKEN_FILE ?? "bot-ts.token"; // keep it private: with it one can play in the bot's name
const most = Number(process.env.MOST_GAMES ?? 100); // who invites it to more at once is told to ask again later
const program = {
  version: "1", // with another one, its ratings begin anew
  about: "Plays the lowest card and spares itself.",
  accepts: { rated: true, at_once: Math.max(most, 1) }, // and all editions, numbers of seats and paces
};

/** Returns the player that this bot was before, or a new one, and says who that is. */
async function signIn(): Promise<Billet> {
  console.log("Looking for the service at", options.url);
  const kept = existsSync(file) && { ...options, token: readFileSync(file, "utf8").trim() };
  const client = kept ? new Billet(kept) : await Billet.register({ ...options, name: "Tyche", kind: "bot" });
  if (!kept) writeFileSync(file, client.token ?? "", { mode: 0o600 });
  const { id } = await client.me();
  console.log(`I am player ${id}: invite me with {"kind": "invited", "player": "${id}"} among the seats of a table.`);
  await client.describe(program);
  return client;
}

/** Returns what spends the lowest card, spares the bot itself, and names what is still out most often. */
function best(view: View, { cards }: EditionDetail): LegalAction | undefined {
  const value = new Map<string | null, number>(cards.map(({ card, value }) => [card, value]));
  const known = view.seats.flatMap(({ hand, discards }) => [...hand, ...discards]);
  const unseen = ({ guess, guess_value }: { guess?: string; guess_value?: number }) =>
    cards.filter(({ card, value }) => card === guess || value === guess_value).reduce((sum, { copies }) => sum + copies, 0) -
    known.filter((card) => card !== null && (card === guess || value.get(card) === guess_value)).length;

  function worth({ action }: LegalAction): number {
    if (action.type === "keep_card") return value.get(action.keep) ?? 0;
    if (action.type !== "play_card") return 0;
    return unseen(action) - (action.targets?.includes(view.to_act ?? -1) ? 50 : 0) - 100 * value.get(action.card)!;
  }
  return [...view.legal_actions].sort((one, other) => worth(other) - worth(one))[0];
}

const client = await signIn().catch(({ message }: Error) => {
  console.error(`${message} (The token is kept in ${file}; delete that file, and the bot registers anew.)`);
  process.exit(1);
});
const playing = new Set<string>();
const editions = new Map<EditionId, EditionDetail>();
for await (const { type, game, edition } of client.notices()) {
  try {
    if (type === "invited") await (playing.size < most ? client.join(game) : client.decline(game, "later"));
    else if (type === "match_invited") await client.acceptMatch(game);
    else if (type === "your_turn") {
      playing.add(game);
      const cards = editions.get(edition) ?? (await client.edition(edition));
      editions.set(edition, cards);
      let view = await client.view(game);
      for (let next = best(view, cards); next; next = best(view, cards))
        view = (await client.act(game, next.action, { ifMatch: view.etag })).game;
    } else if (type === "game_over") playing.delete(game);
  } catch (late) {
    if (!(late instanceof Refused)) throw late;
    console.log(late.message); // a clock was faster, or an invitation was withdrawn
  }
}
