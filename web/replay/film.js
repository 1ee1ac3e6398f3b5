// A replay that is in the page as a whole: the log, and the views and events of each viewer.
import { Source } from "./source.js";

export class Film extends Source {
  constructor(film, as) {
    super(null, as);
    this.film = film;
    this.as = film.viewers[as] ? as : "all";
  }

  async open() {
    const { events, views } = this.film.viewers[this.as];
    this.events = events;
    const first = events.find(({ type }) => type === "round_started")?.version ?? 1;
    this.games = views.filter(({ version }) => version >= first);
    this.steps = this.games.map(({ version }) => version);
    this.rounds = events.filter(({ type }) => type === "round_started").map(({ version, data }) => ({ number: data.number, version, turns: [] }));
    for (const { type, version } of events) if (type === "turn_started") this.rounds.at(-1).turns.push({ version });
  }

  view(at) { return this.games[at]; }

  async log() { return this.film.log; }

  // The first event that is shown otherwise than the log has it, or null.
  difference() {
    const { events } = this.film.viewers.all;
    // An old log lacks members that later ones have; what it has, must be what is shown.
    const data = (shown, kept) => Object.keys(kept).every((key) => !(key in shown) || JSON.stringify(shown[key]) === JSON.stringify(kept[key]));
    const same = (shown, kept) => shown && kept && shown.version === kept.version && shown.type === kept.type && shown.at === kept.at && data(shown.data, kept.data);
    const length = Math.max(events.length, this.film.log.events.length);
    for (let place = 0; place < length; place++) if (!same(events[place], this.film.log.events[place])) return place + 1;
    return null;
  }
}
