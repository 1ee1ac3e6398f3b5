// How players' pages and leaderboards look, and a list of games that have ended wherever it stands.
import { css } from "../look/sheet.js";

export const results = css`
  .games { display: grid; container-type: inline-size } .played { display: grid; grid-template: "result others way" auto "tokens about way" auto / minmax(6.5rem, auto) minmax(0, 1fr) auto; gap: .125rem .75rem; align-items: baseline; padding: .5rem 0; border-top: 1px solid var(--line) }
  .played .result { font: 600 var(--normal)/1.3 var(--serif); color: var(--quiet) } .played .result:is(.won, .shared) { color: var(--act) }
  .played .tokens { grid-area: tokens; font-size: var(--small); font-variant-numeric: tabular-nums; color: var(--quiet); white-space: nowrap } .played .others { grid-area: others; line-height: 1.5; min-width: 0 } .played small { grid-area: about } .played .button { grid-area: way; align-self: center; padding-inline: .7rem }
  @container (max-width: 24rem) { .played { grid-template: "result tokens way" auto "others others others" auto "about about about" auto / auto minmax(0, 1fr) auto; align-items: center } .played .tokens { white-space: normal } }
`;

export const sheet = css`
  main { max-width: 64rem; margin: 0 auto; padding: 1.25rem 1rem 2rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem }
  .centred { min-height: 50dvh; place-content: center; text-align: center; justify-items: center }
  h1 { font-size: var(--display); overflow-wrap: anywhere } h2 { font-size: var(--large) } h3 { font-size: var(--normal) }
  .quiet, small { color: var(--quiet); font-size: var(--small) }
  .head { display: flex; align-items: center; gap: 1rem; min-width: 0 } .head > div { min-width: 0; display: grid; gap: .25rem } .great { width: clamp(4rem, 18vw, 5.5rem); height: auto; aspect-ratio: 1; filter: drop-shadow(0 2px 3px rgb(20 8 14 / .35)) } .marks { display: flex; flex-wrap: wrap; gap: .375rem .625rem; align-items: center }
  .mark { font: 600 .75rem/1.2 var(--sans); color: var(--quiet); border: 1px solid currentColor; border-radius: 4px; padding: .15rem .45rem; white-space: nowrap } .online { color: var(--good) }
  .columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; align-items: start } .stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem }
  .box { background: var(--raised); border: 1px solid var(--line); border-radius: var(--round); padding: 1.125rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; min-width: 0 }
  .pool { display: grid; grid-template-columns: minmax(0, 1fr); gap: .375rem } .pool + .pool { border-top: 1px solid var(--line); padding-top: .75rem } .rating { display: flex; flex-wrap: wrap; gap: .125rem .625rem; align-items: baseline } .rating b { font: 600 1.75rem/1.1 var(--serif); font-variant-numeric: lining-nums } .rating a { margin-left: auto }
  summary { cursor: pointer; color: var(--link); font-size: var(--small); padding: .375rem 0; width: max-content; max-width: 100% } .scrolls { max-height: 16rem; overflow: auto }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums lining-nums } th, td { white-space: nowrap; text-align: right; padding: .3rem .5rem; font-weight: 400 } thead th { color: var(--quiet); font-size: var(--small); white-space: nowrap } :is(th, td):first-child { text-align: left; padding-left: 0 } tr > :last-child { padding-right: 0 }
  details table { font-size: var(--small) } details thead th { position: sticky; top: 0; background: var(--raised) }
  .record :is(th, td) { padding-inline: .5rem 0 } .record :first-child { padding-left: 0 } .record th[scope=row] { white-space: normal } .record td { font: 600 var(--large)/1.2 var(--serif) } .shares td { padding: 0 0 .5rem } .bar { display: flex; gap: 2px; height: .5rem } .bar i { flex: 1 0 .25rem; background: var(--line); border-radius: 2px } .bar .won { background: var(--act) } .bar .shared { background: var(--may) }
  .versus li { display: flex; align-items: baseline; justify-content: space-between; gap: .75rem; padding: .25rem 0 } .versus .person { min-width: 0; overflow-wrap: anywhere } .versus li > span:last-child { white-space: nowrap } .versus b { font: 600 1.75rem/1 var(--serif); font-variant-numeric: lining-nums }
  .check { color: var(--text); display: flex; padding: .25rem 0 } .check input { flex: none; margin-top: .1rem }
  .pools { display: grid; gap: .5rem; align-items: start } .pills { display: flex; flex-wrap: wrap; gap: .375rem } .pill { border: 1px solid var(--line); border-radius: var(--round); color: var(--text); text-decoration: none; padding: .3rem .8rem; min-height: 2.25rem; display: inline-flex; align-items: center; background: var(--raised) } .pill:hover { border-color: var(--may) } .pill[aria-current] { border-color: var(--act); box-shadow: inset 0 0 0 1px var(--act) }
  .board tr { border-top: 1px solid var(--line) } .board thead tr { border: 0 } .board th[scope=row] { text-align: left; white-space: normal; line-height: 1.6 } .board :is(th, td):nth-child(2) { text-align: left; width: 100% } .board td:first-child { color: var(--quiet) } .board .me > * { background: color-mix(in srgb, var(--may) 20%, transparent) } .board .me > :first-child { box-shadow: inset 3px 0 0 var(--may) } .board tr > :first-child { padding-left: .5rem } .board td:nth-child(3) { font-weight: 600 }
  .narrow { max-width: 46rem }
  @media (max-width: 30rem) { main { padding: .75rem .75rem 1.5rem; gap: .75rem } .box { padding: .875rem } .board .wide { display: none } .pill { padding: .3rem .6rem } }
  @media (pointer: coarse) { .pill { min-height: 2.75rem } }
  @media (min-width: 56rem) { .columns { grid-template-columns: minmax(0, 1.5fr) minmax(0, 1fr) } .pools { grid-template-columns: auto auto; justify-content: start; gap: .5rem 1.5rem } }
`;
