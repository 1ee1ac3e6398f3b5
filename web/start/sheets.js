// How the start page looks.
import { css } from "../look/sheet.js";

export const sheets = [css`
  main { max-width: 68rem; margin: 0 auto; padding: 0 1rem 2rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.25rem }
  .cover { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: 1.5rem 0 .5rem; overflow-x: clip }
  h1 { font-size: calc(var(--display) * 1.5); letter-spacing: -.01em } h2 { font-size: var(--large) } h3 { font-size: var(--normal); margin: 1rem 0 .25rem }
  .tagline { font: italic var(--large)/1.35 var(--serif); color: var(--quiet); max-width: 26ch }
  .cover .row { gap: .25rem 1.25rem } .how { color: var(--link); padding: 0; text-decoration: underline; text-underline-offset: .2em; justify-content: start; border: 0 }
  .rules { line-height: 1.5 } .rules > * + * { margin-top: .75rem } .rules .top { display: flex; justify-content: space-between; align-items: center; position: sticky; top: -1.25rem; margin: -1.25rem -1.25rem 0; padding: .5rem .5rem .5rem 1.25rem; background: var(--raised); border-bottom: 1px solid var(--line); z-index: 1 } .rules .icon { font-size: 1.25rem; line-height: 1; min-width: 2.75rem } .aim { font: italic var(--large)/1.35 var(--serif) }
  .fan { display: flex; --card: clamp(4.5rem, 12vw, 8.5rem); padding: .75rem 1.25rem .75rem 0; flex: none }
  .fan > * + * { margin-left: calc(var(--card) * -.42) } .fan > :nth-child(1) { transform: rotate(-9deg) translateY(6%) } .fan > :nth-child(3) { transform: rotate(9deg) translateY(6%) } .fan > :nth-child(2) { z-index: 1 }
  .columns { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); align-items: start } .stack { display: grid; gap: 1rem } .stack:empty { display: none }
  .box { background: var(--raised); border: 1px solid var(--line); border-radius: var(--round); padding: 1.125rem; display: grid; gap: .875rem; min-width: 0 }
  .box h2 + .quiet { margin-top: -.7rem } .quiet, small { color: var(--quiet); font-size: var(--small) }
  fieldset { border: 0; padding: 0; margin: 0; min-width: 0; display: grid; gap: .5rem } legend { color: var(--quiet); font-size: var(--small); padding: 0; margin-bottom: .375rem }
  .tiles { grid-template-columns: repeat(auto-fit, minmax(max(40%, min(100%, 6.5rem)), 1fr)) }
  .tile, .seat-tile, .pill { position: relative; cursor: pointer; border: 1px solid var(--line); border-radius: var(--round); color: var(--text) }
  .tile { display: grid; gap: .125rem; padding: .625rem .75rem; justify-items: start; align-content: start } .tile b { font: 600 var(--normal)/1.2 var(--serif); margin-top: .375rem }
  .tile small { line-height: 1.3 }
  input[type=radio] { position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0; margin: 0; cursor: pointer; min-height: 0 }
  :is(.tile, .seat-tile, .pill):has(:checked) { border-color: var(--act); box-shadow: inset 0 0 0 1px var(--act) } :is(.tile, .seat-tile, .pill):hover { border-color: var(--may) }
  :is(.tile, .seat-tile, .pill):has(:focus-visible) { outline: 3px solid var(--may); outline-offset: 2px }
  .trio { display: flex } .mini { width: 2.1rem; aspect-ratio: 5 / 7; background: var(--paper); color: var(--colour); border-radius: 4px; display: grid; place-items: center; box-shadow: var(--shadow) } .mini svg { width: 1.25rem } .mini + .mini { margin-left: -.375rem }
  .mini:first-child { transform: rotate(-6deg) } .mini:last-child { transform: rotate(6deg) }
  .seat-tiles, .pills { display: flex; flex-wrap: wrap; gap: .375rem } :is(.seat-tiles, .pills) legend { margin-bottom: .5rem }
  .seat-tile { padding: .25rem .375rem .375rem; text-align: center; line-height: 1; font: 600 var(--normal)/1 var(--serif); flex: 0 1 2.875rem } .seat-tile svg { width: 100%; max-width: 2.5rem; display: block; margin: auto; stroke: none } .seat-tile circle { fill: var(--edge) } .seat-tile svg > circle:first-child { fill: var(--felt); stroke: var(--line) } .seat-tile circle.me { fill: var(--act) }
  .pill { padding: .4rem .9rem; min-height: 2.5rem; display: inline-flex; align-items: center } @media (pointer: coarse) { .pill { min-height: 2.75rem } }
  .ways { display: grid; grid-template-columns: minmax(0, 1.25fr) minmax(0, 1fr); gap: .625rem } .ways label { grid-column: 1 / -1 } .way { display: grid; gap: .125rem; padding: .75rem; line-height: 1.25; min-height: 5rem; align-content: center } .way b { font: 600 var(--large)/1.2 var(--serif) } .way.main b { font-size: 1.625rem } .way small { color: inherit; font-weight: 400 } .way:not(.main) { border-color: var(--seal) }
  .first ol { display: grid; padding: 0; list-style: none; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .5rem; font-size: var(--small); text-align: center } .first ol li:not(.played) { display: block; border: 0; padding: 0 } .first .go { border-color: var(--seal) } .first svg { display: block; width: 100%; max-width: 6rem; margin: 0 auto .25rem; color: var(--quiet) } .first rect { fill: var(--felt); stroke: var(--edge) } .first rect.own { fill: var(--paper); stroke: var(--act) }
  .waiting { border: 1px solid var(--act); border-radius: var(--round); padding: .75rem; display: grid; gap: .375rem; align-content: start; justify-items: start } .waiting b { font: 600 var(--large)/1.2 var(--serif) }
  .pair { display: flex; flex-wrap: wrap; gap: .875rem 1.25rem; align-items: start } .pair fieldset { max-width: 100% } .checks { display: grid; gap: .25rem } button.more { justify-content: start; text-align: left; padding: .5rem 0 0; border: 0; border-top: 1px solid var(--line); border-radius: 0 } button.more::before { content: "▸"; color: var(--quiet) } button.more[aria-expanded=true]::before { content: "▾" } button.more b { font: 600 var(--normal)/1.2 var(--serif) }
  .details { display: grid; gap: .75rem } 
  .details .go { justify-self: start; border-color: var(--seal) }
  .check { color: var(--text); display: flex; line-height: 1.3; padding: .25rem 0 } .check input { flex: none } .grow { flex: 99; min-width: min(8rem, 100%) } form.row { align-items: end } form.row button { flex: 1 0 auto }
  .box ul { display: grid; gap: .25rem } .box li:not(.played) { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem .75rem; align-items: center; padding: .5rem 0; border-top: 1px solid var(--line); min-width: 0 } .box li > span:first-child { flex: 1 1 8rem; min-width: 0; overflow-wrap: anywhere; line-height: 1.35 } .box li b { font-family: var(--serif) } .box li .button { flex: none }
  .turn .status { color: var(--act); font-weight: 600 }
  label.button { position: relative; color: var(--text) } label.button:has(:focus-visible) { outline: 3px solid var(--may); outline-offset: 2px }
  footer { color: var(--quiet); font-size: var(--small); display: flex; gap: .5rem; align-items: center } .tiny { width: 1rem; height: 1rem }
  @media (max-width: 30rem) {
    main { padding: 0 .75rem 1.5rem; gap: .75rem } .cover { padding: .5rem 0 0 } h1 { font-size: 2rem } .tagline { font-size: var(--normal) } .fan { --card: min(3.5rem, 16vw) }
    .box { padding: .875rem; gap: .75rem } .tile { padding: .5rem .6rem } .tile .more { display: none } .ways { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) } .ways:has(.waiting) { grid-template-columns: minmax(0, 1fr) } .way { min-height: 4.25rem; padding: .5rem } .way.main b { font-size: 1.375rem }
  }
  @media (min-width: 48rem) {
    .columns { grid-template-columns: minmax(0, 1.25fr) minmax(0, 1fr) } .play { padding: 1.25rem } .play .tiles { grid-template-columns: repeat(4, minmax(0, 1fr)) }
    .columns:has(.own) { grid-template-rows: auto 1fr } .own ~ .begins { grid-area: 1 / 1 / span 2 } .own { grid-column: 2 }
  }
  @media (min-width: 48rem) and (max-height: 54rem) {
    main { gap: .75rem } .cover { padding: .25rem 0 0 } h1 { font-size: var(--display) } .tagline { font-size: var(--normal); max-width: none } .fan { --card: 4rem } .play { gap: .625rem } .tile .more { display: none }
  }
  @media (min-width: 48rem) and (max-width: 63.99rem) { .play .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)) } }
`];
