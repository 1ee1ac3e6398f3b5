// How cards look, at any width: everything on a card is measured in its own width (cqi).
import { css } from "../look/sheet.js";

export const cards = css`
  .card { display: flex; flex-direction: column; align-items: center; position: relative; container-type: inline-size;
    aspect-ratio: 5 / 7; width: var(--card, 8rem); border-radius: calc(var(--card, 8rem) * .07); background: var(--paper);
    color: var(--ink); box-shadow: var(--shadow); overflow: hidden; text-align: center; flex: none; isolation: isolate; }
  .face::before { content: ""; position: absolute; inset: calc(var(--card, 8rem) * .035); z-index: -1; pointer-events: none;
    border: 1px solid color-mix(in srgb, var(--colour) 45%, transparent); border-radius: calc(var(--card, 8rem) * .045);
    background: radial-gradient(circle at 50% 40%, color-mix(in srgb, var(--colour) 13%, transparent), transparent 62%); }
  .corner { display: flex; justify-content: space-between; align-items: start; align-self: stretch; padding: 7cqi 9cqi 0 9cqi; color: var(--colour) }
  .value { font: 600 21cqi/1 var(--serif); font-variant-numeric: lining-nums }
  .sign { width: 10cqi; height: 10cqi; opacity: .75; margin-top: 2cqi }
  .card > .symbol { width: 46cqi; color: var(--colour); stroke-width: 1.4; margin: auto 0 3cqi; flex: 0 1 auto; min-height: 18cqi }
  .name { font: 600 min(10.5cqi, calc(128cqi / var(--letters)))/1.1 var(--serif); color: var(--ink); padding: 0 5cqi; overflow-wrap: break-word; hyphens: auto; max-width: 100% }
  .face::after { content: ""; margin-top: auto; padding-top: 8cqi }
  .text { flex: none; font: 7.4cqi/1.25 var(--sans); color: var(--faded); padding: 3cqi 9cqi 0; overflow: hidden; display: none }
  @container (min-width: 7.25rem) { .text { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4 } }
  .madness { position: absolute; top: 28cqi; right: 8cqi; color: var(--colour) }
  .madness .tiny { width: 11cqi; height: 11cqi; display: block }
  .back { background: #6d2a35; color: #e3c896; box-shadow: 0 1px 3px rgb(20 8 14 / .4), inset 0 0 0 1px rgb(255 255 255 / .12) }
  .back svg { width: 100%; height: 100%; stroke-width: .8; opacity: .9 }
  .back circle { fill: #b23a3a; stroke: #8f2a2d; stroke-width: 1 }
  .back .stamp { fill: none; stroke: #f0cfa8 }
  .chip { display: inline-flex; flex-direction: column; align-items: center; justify-content: center; gap: 1px; min-width: 1.75rem; height: 2.375rem;
    background: var(--paper); color: var(--colour); border-radius: 5px; box-shadow: 0 1px 2px rgb(20 8 14 / .4), inset 0 0 0 1px color-mix(in srgb, var(--colour) 40%, transparent);
    font: 600 .9375rem/1 var(--serif); font-variant-numeric: lining-nums; position: relative }
  button.chip { padding: 0; border: 0; min-height: 0; cursor: help } @media (pointer: coarse) { button.chip::after { content: ""; position: absolute; inset: 50% calc(50% - 1.375rem) auto; height: 2.75rem; transform: translateY(-50%) } }
  [data-card] { -webkit-touch-callout: none; user-select: none }
  .tip[popover] { position: fixed; pointer-events: none; inset: auto; margin: 0; width: max-content; max-width: min(21rem, calc(100vw - 16px)); max-height: calc(100dvh - 16px); overflow: auto; padding: .625rem .75rem; border: 1px solid var(--edge);
    border-radius: var(--round); background: var(--raised); color: var(--text); box-shadow: var(--shadow); font: var(--small)/1.4 var(--sans); text-align: left; overflow-wrap: anywhere }
  .tip b { font: 600 var(--normal)/1.2 var(--serif) } .tip p { margin-top: .25rem }
  .reference > div { padding: .5rem 0; border-bottom: 1px solid var(--line) } .reference dt { display: flex; align-items: center; gap: .6rem } .reference dt b { font-family: var(--serif) }
  .reference dt small { margin-left: auto } .reference dd { margin: .35rem 0 0; color: var(--quiet); font-size: var(--small) } .reference dd p + p { margin-top: .35rem }
  .tiny { width: .8125rem; height: .8125rem }
`;
