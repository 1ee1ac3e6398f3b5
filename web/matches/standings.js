// How the entrants of a match stand: each one's share of the wins, how that came about, and how each two compare.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { base } from "../api/client.js";
import { plot, rangeOf } from "../look/plot.js";
import { t } from "../words/words.js";
import { about, entrant, nameOf, points, share } from "./words.js";

const of = (match, id) => match.entrants.find((one) => one.id === id);
const ends = (interval, written) => t("match.between", { least: written(interval[0]), most: written(interval[1]) });
// Where each game is dealt anew, it is games that are counted.
const counted = ({ deals }) => (deals === "fresh" ? "fresh" : "shared");
// The strongest first; those that have played nothing last.
const byPlace = ({ standings }) => standings.toSorted((one, other) => (one.place ?? Infinity) - (other.place ?? Infinity));

export function standings({ match }) {
  return html`<section class="box" aria-labelledby="standings"><h2 id="standings">${t("match.standings")}</h2>
    <table class="standings"><thead><tr><th scope="col"><span aria-hidden="true">#</span><span class="unseen">${t("match.place")}</span></th><th scope="col">${t("match.entrant")}</th><th scope="col">${t("boards.games")}</th><th scope="col">${t("match.share")}</th></tr></thead>
      <tbody>${byPlace(match).map((one) => row(match, one))}</tbody></table>
    <p class="quiet">${t("match.share.about", { even: share(1 / match.seats) })} <a rel="external" href=${new URL("docs/matches#read-the-standings", base)}>${t("match.figures")}</a></p></section>`;
}

function row(match, { entrant: id, games, share: mean, interval, place }) {
  const who = of(match, id);
  return html`<tr><td>${place ?? "–"}</td><th scope="row">${entrant(who)}${who.accepted ? nothing : html` <small class="mark">${t("match.unaccepted")}</small>`}</th><td>${games}</td><td><b>${mean === null ? "–" : share(mean)}</b></td></tr>
    <tr class="interval"><td></td><td colspan="3">${interval ? html`${drawn(interval, mean, match.seats)}<small>${ends(interval, share)}</small>` : html`<small>${t("match.too_few")}</small>`}</td></tr>`;
}

// From 0 to 1: the interval, the share in it, and where equals would be.
const drawn = ([least, most], mean, seats) => html`<span class="line" aria-hidden="true"><i class="even" .style=${`left: ${100 / seats}%`}></i><i class="band" .style=${`left: ${100 * least}%; width: ${100 * (most - least)}%`}></i><i class="at" .style=${`left: ${100 * mean}%`}></i></span>`;

export function course({ match }) {
  const all = byPlace(match).filter(({ course: points }) => points.length > 1).map(({ entrant: id, course: points }) => ({ id, deals: points.map(({ deals }) => deals), points: points.map(({ share: value, interval: [least, most] }) => ({ value: 100 * value, least: 100 * least, most: 100 * most })) }));
  const ranges = all.map((one) => rangeOf(one.points)), range = [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
  return html`<section class="box" aria-labelledby="course"><h2 id="course">${t("match.course")}</h2>
    ${all.length ? all.map((one) => figure(match, one, range)) : html`<p class="quiet">${t("match.course.none")}</p>`}</section>`;
}

function figure(match, { id, deals, points: found }, range) {
  const many = (n) => t(`match.deals_of.${counted(match)}`, { n }), first = found[0], last = found.at(-1), who = of(match, id);
  return html`<figure><h3>${entrant(who)}</h3>${plot(found, [deals[0], many(deals.at(-1))], { named: (value) => share(value / 100), range })}
    <figcaption class="unseen">${t("match.course.text", { name: nameOf(who), first: share(first.value / 100), last: share(last.value / 100), after: many(deals.at(-1)), least: share(last.least / 100), most: share(last.most / 100) })}</figcaption></figure>`;
}

export function pairs({ match }) {
  if (!match.pairs.length) return nothing;
  return html`<section class="box" aria-labelledby="pairs"><h2 id="pairs">${t("match.pairs")}</h2>
    <ul class="pairs">${match.pairs.map(strongerFirst).map((pair) => html`<li><p><span>${entrant(of(match, pair.a))}</span> <span class="quiet">${t("match.versus")}</span> <span>${entrant(of(match, pair.b))}</span></p>
      <b>${pair.difference === null ? "–" : points(pair.difference)}</b><p class="quiet">${verdict(match, pair)}${pair.interval ? ` ${t("match.difference", { between: ends(pair.interval, points) })}` : nothing}</p></li>`)}</ul>
    <p class="quiet">${t("match.pairs.about")}</p></section>`;
}

const strongerFirst = (pair) => (pair.difference < 0 ? { ...pair, a: pair.b, b: pair.a, difference: -pair.difference, interval: pair.interval?.map((end) => -end).toReversed() } : pair);

function verdict(match, { a, deals, more_needed: more }) {
  if (deals < 2) return t("match.too_few");
  if (more === null) return t("match.alike");
  if (more === 0) return t("match.decided", { name: nameOf(of(match, a)) });
  return t(`match.more.${counted(match)}`, { n: more, about: about(more) });
}
