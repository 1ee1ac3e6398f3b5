// A line drawing of ours as SVG. Decoration: what it means is always printed beside it.
import { html, svg } from "../vendor/lit-html/lit-html.js";
import symbols from "./symbols.js";

export const symbol = (name, className = "symbol") => html`<svg class=${className} viewBox="0 0 24 24" aria-hidden="true">${
  svg`<path d=${symbols[name] ?? symbols.letter}></path>`}</svg>`;

// An edition's own sign, as small as the numeral beside it.
const SIGNS = { standard: "letter", classic: "seal", premium: "coronet", lovecraft: "star" };
export const sign = (edition) => symbol(SIGNS[edition] ?? "letter", "sign");
