// How a replay looks beside its table.
import { css } from "../look/sheet.js";
import { WIDE } from "../table/sheets.js";

export const sheet = css`
  .controls { display: grid; gap: .5rem; padding: .625rem .75rem .75rem; background: var(--raised); border-top: 1px solid var(--line); position: sticky; bottom: 0; z-index: 6; min-width: 0 }
  .track { display: grid; gap: 0; min-width: 0 }
  input[type=range] { appearance: none; width: 100%; min-height: 1.5rem; padding: 0; border: 0; background: none; margin: 0; cursor: pointer }
  input[type=range]::-webkit-slider-runnable-track { height: 4px; border-radius: 2px; background: var(--edge) } input[type=range]::-moz-range-track { height: 4px; border-radius: 2px; background: var(--edge) }
  input[type=range]::-webkit-slider-thumb { appearance: none; width: 1.5rem; height: 1.5rem; margin-top: -10px; border-radius: 50%; background: var(--seal); border: 3px solid var(--raised); box-shadow: var(--shadow) } input[type=range]::-moz-range-thumb { width: 1.25rem; height: 1.25rem; border-radius: 50%; background: var(--seal); border: 3px solid var(--raised) }
  .rounds { display: flex; gap: 2px; padding: 0 .4rem; overflow-x: auto } .rounds button { min-height: 1.5rem; min-width: 1.5rem; padding: 0; border: 0; border-top: 3px solid var(--line); border-radius: 0; background: none; color: var(--quiet); font: 600 .75rem/1 var(--serif); flex: 1 1 0; overflow: hidden }
  .rounds .now { border-top-color: var(--act); color: var(--text) }
  .steer, .more { justify-content: center } .steer .play { min-width: 6.5rem } select { margin: 0 !important; min-width: 4.5rem; min-height: 2.5rem } .tool { width: 1.125rem; height: 1.125rem; fill: currentColor; stroke-width: 1.5 }
  .whom { display: flex; gap: .5rem; align-items: center; font-size: var(--small) } .whom select { width: auto; max-width: 11rem; text-overflow: ellipsis } .more { gap: .35rem } .more :is(button, .button) { min-height: 2.5rem; padding: .4rem .6rem; font-size: var(--small); color: var(--text) } label.button { position: relative } label.button:has(:focus-visible) { outline: 3px solid var(--may); outline-offset: 2px }
  .broken { color: var(--act); border-color: var(--act) }
  @media (max-width: 59.99rem) and (max-height: 35.99rem) { .controls { bottom: -3.75rem } } @media (max-width: 35.99rem) { .controls { bottom: -8rem } } @media (max-width: 22rem) { .controls { bottom: -13rem } }
  .replay .sentence { font-size: var(--normal); max-width: 44ch }
  .proof { width: 36rem } .good { color: var(--good); font-size: var(--large); font-family: var(--serif) }
  .steps-of-proof { display: grid; gap: .75rem; counter-reset: step } .steps-of-proof li { counter-increment: step; padding-left: 2rem; position: relative } .steps-of-proof li::before { content: counter(step); position: absolute; left: 0; font: 600 var(--large)/1.2 var(--serif); color: var(--act) }
  code { display: block; font: .75rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; background: var(--felt); padding: .35rem .5rem; border-radius: 6px; margin-top: .25rem }
  .log .wax + span { display: inline-block } .jump { all: unset; cursor: pointer; display: block; border-radius: 4px; padding: .15rem .25rem; min-height: 1.5rem } .jump:hover { text-decoration: underline; text-underline-offset: .2em } .jump:focus-visible { outline: 3px solid var(--may) }
  .log .jump[aria-current] { color: var(--text); background: color-mix(in srgb, var(--may) 22%, transparent); box-shadow: inset 3px 0 0 var(--may) } .log .jump.ahead { color: var(--quiet); font-weight: 400 }
  .replay .tools { display: none }
  @media (max-width: 30rem) { .controls { display: flex; flex-wrap: wrap; justify-content: center; gap: .375rem .3rem; padding: .375rem .5rem .5rem } .track { flex: 0 0 100% } .steer, .more { display: contents } .steer .play { min-width: min(6rem, 100%); padding-inline: .4rem }
    .steer select { min-width: 3.75rem; padding-inline: .4rem } .whom { flex: 1 1 0; min-width: min(13rem, 100%); white-space: nowrap; justify-content: center } .whom select { min-width: 0 } .icon { padding: .3rem } .more :is(button, .button):not([hidden]) { padding: .3rem .6rem; min-height: 2.25rem; flex: 1 1 40% } .more .wide-only { display: none } }
  @media (pointer: coarse) { button.icon { min-width: 2.75rem } select, .more :is(button, .button) { min-height: 2.75rem } }
  @media ${WIDE} { .replay.table { grid-template: "felt" minmax(0, 1fr) "side" 14rem "controls" auto / minmax(0, 1fr) } .controls { grid-area: controls } }
  @media (min-width: 60rem) { .replay.table { grid-template: "felt side" minmax(0, 1fr) "controls controls" auto / minmax(0, 1fr) clamp(20rem, 25vw, 22rem) } .controls { grid-template-columns: auto minmax(0, 1fr); align-items: center; column-gap: 1.5rem } .more { justify-content: end } .track { grid-column: 1 / -1 } }
`;
