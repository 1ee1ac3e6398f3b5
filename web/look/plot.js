// A line over a band of uncertainty, drawn to the width there is. It says nothing to a screen reader: whoever draws one puts the
// figures beside it.
import { html, svg } from "../vendor/lit-html/lit-html.js";
import { css } from "./sheet.js";
import { language } from "../words/words.js";

// Steps between lines of the grid, of which there are four at most.
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 250, 500, 1000, 2000, 5000];
const MOST_LINES = 4;

export const plots = css`
  .plot { display: grid; grid-template-columns: auto minmax(0, 1fr); column-gap: .5rem; color: var(--quiet); font: .75rem/1 var(--sans); font-variant-numeric: tabular-nums }
  .plot .scale { position: relative; min-width: 2.5rem } .plot .scale span { position: absolute; white-space: nowrap; right: 0; transform: translateY(50%) }
  .plot svg { width: 100%; height: 8.5rem; overflow: visible } .plot path { vector-effect: non-scaling-stroke }
  .plot .grid { stroke: var(--line); stroke-width: 1 } .plot .band { fill: color-mix(in srgb, var(--act) 16%, transparent); stroke: none } .plot .curve { stroke: var(--act); stroke-width: 2 } .plot .last { stroke: var(--act); stroke-width: 9 }
  .plot .ends { grid-column: 2; display: flex; justify-content: space-between; padding-top: .5rem }
`;

// What a plot shows from bottom to top: as much of the band as there is at its end, as it begins so wide that the line would be
// flat beside it.
export const rangeOf = (points) => [Math.min(points.at(-1).least, ...points.map(({ value }) => value)), Math.max(points.at(-1).most, ...points.map(({ value }) => value))];

// `points` are {value, least, most} from left to right; `ends` what stands below the first and the last of them. Plots that are
// to be compared have one `range`.
export function plot(points, ends, { named = (value) => value.toLocaleString(language), range = rangeOf(points) } = {}) {
  const [low, high] = range;
  const step = STEPS.find((one) => (high - low) / one <= MOST_LINES) ?? high - low, room = (high - low || 1) * 0.05;
  const x = (place) => ((points.length > 1 ? place / (points.length - 1) : 0.5) * 100).toFixed(2);
  const share = (value) => Math.min(1, Math.max(0, (value - low + room) / (high - low + 2 * room))), y = (value) => (100 - 100 * share(value)).toFixed(2);
  const lines = Array.from({ length: MOST_LINES + 1 }, (_, i) => (Math.ceil(low / step) + i) * step).filter((value) => value <= high);
  const along = (of) => points.map((point, place) => `${x(place)} ${y(of(point))}`);
  const band = [...along(({ most }) => most), ...along(({ least }) => least).toReversed()];
  return html`<div class="plot" aria-hidden="true"><div class="scale">${lines.map((value) => html`<span .style=${`bottom: ${(100 * share(value)).toFixed(2)}%`}>${named(value)}</span>`)}</div>
    <svg viewBox="0 0 100 100" preserveAspectRatio="none">${svg`${lines.map((value) => svg`<path class="grid" d=${`M0 ${y(value)}H100`}></path>`)}
      <path class="band" d=${`M${band.join("L")}z`}></path><path class="curve" d=${`M${along(({ value }) => value).join("L")}`}></path>
      <path class="last" d=${`M${x(points.length - 1)} ${y(points.at(-1).value)}h.01`}></path>`}</svg>
    <div class="ends">${ends.map((end) => html`<span>${end}</span>`)}</div></div>`;
}
