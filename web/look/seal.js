// The seal of a player: wax with an emblem, drawn from the id alone, so that two of the same name are told apart at a glance.
// A person's wax is poured; a program's is cut. Decoration: the name stands beside it. A bot of the service may have several seats of
// a table, and a first name at each, which its seal follows.
import { html, nothing, svg } from "../vendor/lit-html/lit-html.js";

// All are as light: they stand out from both themes, and the emblem from them.
const WAXES = ["#c34e51", "#9e6a1d", "#47805a", "#4579a4", "#8963b6", "#a06744", "#337f85", "#b2538b"];
export const EMBLEM = "#fff6e4";
// On a grid of 24 units around the middle, within 5 of it; each its own shape, also where colours are not seen.
const EMBLEMS = [
  "M12 7v10M7 12h10", // cross
  "M8 8l8 8M16 8l-8 8", // saltire
  "M12 7l5 5-5 5-5-5z", // lozenge
  "M7.500 14.500 12 9l4.500 5.500", // chevron
  "M12 7.200l1.300 3.300 3.500.2-2.700 2.200.9 3.500-3-2-3 2 .9-3.500-2.700-2.200 3.500-.2z", // star
  "M14 7.500a5 5 0 1 0 0 9 6 6 0 0 1 0-9z", // crescent
  "M12 16.500c-3.500-2.500-5-4-5-6a2.500 2.500 0 0 1 5-.6 2.500 2.500 0 0 1 5 .6c0 2-1.500 3.500-5 6z", // heart
  "M12 7c3 3.500 3.800 5 3.800 6.500a3.800 3.800 0 0 1-7.600 0C8.200 12 9 10.500 12 7z", // drop
  "M7.500 15.500h9l.8-6-3 2.300L12 8l-2.300 3.800-3-2.300z", // crown
  "M12 17V7M8.500 10.500 12 7l3.500 3.500", // arrow
  "M7 9.500c1.700-1.500 3.300-1.500 5 0s3.300 1.500 5 0M7 14.500c1.700-1.500 3.300-1.500 5 0s3.300 1.500 5 0", // waves
  "M8 16V9h1.500v1.500h1.700V9h1.600v1.500h1.700V9H16v7z", // tower
  "M12 10.500a1.750 1.750 0 1 0 0-3.500 1.750 1.750 0 0 0 0 3.500zM9.500 15a1.750 1.750 0 1 0 0-3.500 1.750 1.750 0 0 0 0 3.500zM14.500 15a1.750 1.750 0 1 0 0-3.500 1.750 1.750 0 0 0 0 3.500z", // trefoil
  "M9.500 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM12 12h5.500M15.500 12v2", // key
  "M7.500 16.500c0-6 3-9 9-9 0 6-3 9-9 9zM7.500 16.500l5-5", // leaf
  "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 12h.01", // ring
];
const BUMPS = [6, 7, 8, 9, 10];
const RIMS = ["", "none", "0 2"];

const drawn = new Map();

// In this order the first names of each bot have wax of four colours at a table of four.
const shapeOf = ({ id, kind, name }) => shape(id.startsWith("bot-") ? `${name}/${id}` : id, kind === "bot");

// The colour of its wax.
export const waxOf = (player) => shapeOf(player).wax;

export function seal(player, kindOf = "") {
  const { edge, wax, rim, emblem } = shapeOf(player);
  return html`<svg class="wax ${kindOf}" viewBox="0 0 24 24" aria-hidden="true">${svg`<path d=${edge} fill=${wax} stroke="none"></path>${rim ? svg`<circle cx="12" cy="12" r="7.700" stroke="#000" stroke-opacity=".28" stroke-width=".9" stroke-dasharray=${rim}></circle>` : nothing}<path d=${emblem} stroke=${EMBLEM} stroke-width="1.500"></path>`}</svg>`;
}

// What is drawn: an edge, wax, perhaps a rim with so long dashes, and an emblem.
export function shape(id, cut) {
  const key = `${cut} ${id}`;
  if (!drawn.has(key)) {
    const next = numbers(id), pick = (list) => list[next() % list.length];
    drawn.set(key, { wax: pick(WAXES), emblem: pick(EMBLEMS), edge: (cut ? facets : drops)(pick(BUMPS), next), rim: pick(RIMS) });
  }
  return drawn.get(key);
}

// Poured wax: a closed curve through so many bumps, each as far out as the id says.
function drops(count, next) {
  const turn = (next() % 360) / 57, bumps = Array.from({ length: count }, () => 10.2 + (next() % 14) / 10);
  const at = (place, radius) => { const angle = turn + (2 * Math.PI * place) / (2 * count); return `${(12 + radius * Math.cos(angle)).toFixed(2)} ${(12 + radius * Math.sin(angle)).toFixed(2)}`; };
  return `M${at(-1, 8.8)}${bumps.map((radius, place) => `Q${at(2 * place, 2 * radius - 8.8)} ${at(2 * place + 1, 8.8)}`).join("")}z`;
}

// Cut wax: as many corners.
function facets(count, next) {
  const turn = (next() % 360) / 57;
  return `M${Array.from({ length: count }, (_, place) => { const angle = turn + (2 * Math.PI * place) / count; return `${(12 + 11 * Math.cos(angle)).toFixed(2)} ${(12 + 11 * Math.sin(angle)).toFixed(2)}`; }).join("L")}z`;
}

// Numbers that look drawn by lot, the same for the same text everywhere.
function numbers(text) {
  let state = 2166136261;
  for (const unit of text) state = Math.imul(state ^ unit.codePointAt(0), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822507) + 0x9e3779b9;
    state ^= state >>> 13;
    return (Math.imul(state, 3266489909) >>> 8) & 0xffff;
  };
}
