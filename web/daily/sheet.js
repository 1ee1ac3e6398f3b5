// How the deals of the day look.
import { css } from "../look/sheet.js";

export const look = css`
  header { display: grid; gap: .25rem } .date { font: italic var(--large)/1.35 var(--serif); color: var(--quiet) }
  ul, ol { list-style: none; margin: 0; padding: 0 }
  .deals { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 1rem }
  .deal { align-content: start; grid-template-rows: auto auto auto 1fr auto } .deal h2 { display: flex; align-items: center; gap: .5rem } .deal .sign { width: 1.5rem; height: 1.5rem; color: var(--act) } .deal .row { align-self: end; justify-content: space-between; grid-row: 5 } .deal .problem { grid-row: 6 }
  .outcome { font: 600 var(--normal)/1.3 var(--serif); color: var(--quiet) } .outcome.won { color: var(--act) } .score { font-variant-numeric: tabular-nums lining-nums; white-space: nowrap } h2 .outcome, summary .outcome { font-size: var(--normal); margin-inline-start: .375rem }
  .streak { display: flex; align-items: baseline; gap: .375rem } .streak b { font: 600 1.75rem/1 var(--serif); font-variant-numeric: lining-nums; color: var(--act) }
  .sharing { display: grid; gap: .75rem } canvas { width: min(100%, 22rem); aspect-ratio: 1; height: auto; display: block; margin: 0 auto; border-radius: var(--round); box-shadow: var(--shadow) } billet-daily-picture { display: block }
  .choices { counter-reset: choice; display: grid; gap: 1rem } .choices > li { counter-increment: choice; border-top: 1px solid var(--line); padding-top: .625rem; display: grid; gap: .375rem } .asked { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .125rem .75rem; color: var(--quiet); font-size: var(--small) } .asked > span::before { content: counter(choice) ". " }
  .choices ul { display: grid; gap: .25rem } .choices ul li { display: flex; flex-wrap: wrap; align-items: baseline; gap: .125rem .5rem; padding: .25rem .5rem; border-radius: 6px } .choices ul li.mine { background: color-mix(in srgb, var(--may) 18%, transparent); box-shadow: inset 3px 0 0 var(--may) } .what { flex: 1 1 12rem; min-width: 0 }
  .share { flex: 0 0 8rem; display: grid; grid-template-columns: minmax(0, 1fr) 3rem; gap: .5rem; align-items: center; font-variant-numeric: tabular-nums; font-size: var(--small); text-align: right } .share i { height: .5rem; min-width: 2px; border-radius: 2px; background: var(--act) }
  .alike { display: flex; flex-wrap: wrap; align-items: baseline; gap: .125rem .5rem; padding: .25rem .5rem } .choices > li:has(.alike) { gap: 0 } .mark.bot { color: var(--link) } summary { font: 600 var(--large)/1.3 var(--serif); width: auto } details .choices { margin-top: .75rem } dl { margin: .75rem 0 0; display: grid; gap: .25rem; font-size: var(--small) } dt { color: var(--quiet) } dd { margin: 0; font-family: monospace; overflow-wrap: anywhere }
  @media (max-width: 30rem) { .share { flex-basis: 100% } .what { flex-basis: 8rem } }
`;
