/**
 * Plays a game at the smallest and the largest table of an edition, or of each, with everybody following it.
 *
 *     node whole_games.js URL [--edition ID] [--seats NUMBER] [--pause MILLISECONDS]
 *
 * Each game ends with a line of JSON: how many actions were chosen, how many the log holds, and whether everybody heard
 * every event once and in order.
 */

import { parseArgs } from "node:util";

import { Billet, type Choose, type Edition, type GameEvent, type SeatSetup } from "billet-client";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    edition: { type: "string" },
    seats: { type: "string" },
    pause: { type: "string", default: "0" },
  },
});
const url = positionals[0]!;
const pause = Number(values.pause);

const options = { url, timeout: 1000, silence: 3000 };
const watcher = new Billet(options);
const people: Billet[] = [];
for (let number = 1; number <= 3; number++) {
  people.push(await Billet.register({ ...options, name: `Player ${number}` }));
}
for (const edition of await watcher.editions()) {
  if (values.edition !== undefined && edition.id !== values.edition) continue;
  for (const seats of new Set([edition.seats.min, edition.seats.max])) {
    if (values.seats !== undefined && seats !== Number(values.seats)) continue;
    console.log(JSON.stringify(await whole(edition, seats)));
  }
}

/** Plays one game: two or three people, and bots on the seats that are left. */
async function whole(edition: Edition, seats: number) {
  const seated = people.slice(0, seats);
  const others: SeatSetup[] = seated.slice(1).map(() => ({ kind: "open" }));
  while (others.length < seats - 1) others.push({ kind: "bot", bot: "random" });
  const { id } = await seated[0]!.create({ edition: edition.id, seats: [{ kind: "creator" }, ...others] });
  const following = [watcher, ...seated].map((who) => gathered(who.events(id)));
  for (const person of seated.slice(1)) await person.join(id);

  let chosen = 0;
  const choose: Choose = async (_, legal) => {
    chosen++;
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    return legal[Math.floor(Math.random() * legal.length)] ?? legal[0];
  };
  const ends = await Promise.all(seated.map((person) => person.play(id, choose)));
  const heard = await Promise.all(following);
  const { version, status, winners } = await watcher.view(id);
  const all = Array.from({ length: version }, (_, index) => index + 1);
  return {
    edition: edition.id,
    seats,
    status,
    winners,
    version,
    chosen,
    acted: heard[0]!.map(actor).filter((seat) => seat !== undefined && seat < seated.length).length,
    complete: heard.every((events) => String(events.map((event) => event.version)) === String(all)),
    agreed: ends.every((view) => view.version === version && String(view.winners) === String(winners)),
  };
}

async function gathered(events: AsyncIterable<GameEvent>): Promise<GameEvent[]> {
  const heard: GameEvent[] = [];
  for await (const event of events) heard.push(event);
  return heard;
}

/** The seat whose action an event is; a question for a further play is answered by playing. */
function actor(event: GameEvent): number | undefined {
  if (event.type === "card_played") return event.data.seat;
  if (event.type === "decision_taken" && event.data.kind !== "play_card") return event.data.seat;
  return undefined;
}
