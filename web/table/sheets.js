// How the table looks; narrow first, then wide, then the places around the oval.
import { css } from "../look/sheet.js";

// Where the seats lie around an oval: on a wide screen, and on an upright tablet.
export const WIDE = "(min-width: 60rem), (min-width: 46rem) and (min-height: 56rem)";
const NARROW = "(max-width: 45.99rem), (max-width: 59.99rem) and (max-height: 55.99rem)";

// With room to spare: a small table on a large screen, or any on a larger one.
const LARGE = `& .piles { --card: 4.25rem; font-size: var(--normal) } & .backs { --card: 2.5rem; min-height: 3.5rem }
  & :is(.seat, .middle, .mine) .chip { min-width: 2.5rem; height: 3.5rem; font-size: 1.25rem; border-radius: 6px } & :is(.seat, .middle, .mine) .chip .tiny { width: 1.25rem; height: 1.25rem } & .discards { gap: 3px; min-height: 3.5rem }
  & .sentence { font-size: 1.375rem } & .seat { padding: .75rem .875rem; gap: .5rem } & .seat h2 { font-size: 1.0625rem }`;

const seats = css`
  .seat { background: color-mix(in srgb, var(--raised) 82%, transparent); border: 1px solid var(--line); border-radius: var(--round); padding: .5rem .625rem;
    min-width: 0; position: relative; display: grid; gap: .375rem; align-content: start; transition: border-color .2s, box-shadow .2s }
  .seat .who, .mine .who { display: flex; align-items: center; gap: .25rem .6rem; flex-wrap: wrap; min-width: 0 }
  .seat .who { flex-wrap: nowrap; justify-content: space-between } .seat .who:has(.alike) { flex-wrap: wrap } .seat h2:has(.alike) { max-width: 100% }
  .seat h2 { font-size: var(--normal); display: flex; align-items: baseline; white-space: pre; min-width: 0 }
  .seat h2 :is(.person, .person bdi) { white-space: inherit }
  .seat h2 > .person { display: flex; align-items: baseline; min-width: 0 } .seat h2 .wax { align-self: center }
  .seat bdi { overflow: hidden; text-overflow: ellipsis; min-width: 0 }
  .program { display: inline-flex; align-items: center; gap: .2rem; margin-inline-start: .4rem; color: var(--quiet); flex: none } .program small { font: 400 .75rem/1 var(--sans); display: none } .few .program small { display: inline }
  .seat.acts { border-color: var(--act); box-shadow: 0 0 0 1px var(--act) }
  .dot { flex: none; width: .5rem; height: .5rem; border-radius: 50%; background: var(--act); margin-right: .4rem; vertical-align: .08em }
  .seat.choosable { cursor: pointer; border: 1px dashed var(--may); box-shadow: 0 0 0 3px color-mix(in srgb, var(--may) 28%, transparent) }
  .seat.chosen { border: 1px solid var(--may); box-shadow: 0 0 0 2px var(--may) }
  .seat.gone > :not(.who, .states) { opacity: .85; filter: saturate(.4) }
  .seat.gone .backs { display: none }
  .seat:not(:has(.belongings)) { min-height: 3rem; align-content: center }
  .seat:has(> .withdraw) { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center } .withdraw { margin-left: auto; padding-inline: .5rem; font-size: var(--small) }
  .belongings { display: flex; gap: .5rem; align-items: center; min-height: 2.5rem; min-width: 0 }
  .backs { display: flex; --card: 1.75rem; flex: none; min-width: 1.75rem; min-height: 2.375rem; align-items: center }
  .backs > .card + .card { margin-left: -.75rem } .backs .card { box-shadow: 0 0 0 1px rgb(255 240 220 / .25) }
  .known { position: relative; z-index: 1; display: inline-flex }
  .known .peek { position: absolute; right: -5px; bottom: -5px; width: 1rem; height: 1rem; padding: 2px; background: var(--may); color: var(--table); border-radius: 50% }
  .discards { display: flex; flex-wrap: wrap; gap: 2px; min-width: 0; min-height: 2.375rem; align-content: start }
  .discards.many { min-height: 2rem; & .chip { min-width: 1.5rem; height: 2rem } }
  .seals { display: inline-flex; gap: .5rem; flex: none }
  .seal { display: inline-flex; align-items: center; gap: .2rem; color: var(--act); font: 600 var(--normal)/1 var(--serif) }
  .pips { display: none; gap: 3px } .pips i { width: .5rem; height: .5rem; border-radius: 50%; border: 1px solid currentColor } .pips .has { background: currentColor }
  .table:not(.full) .pips { display: inline-flex } .table:not(.full) .seal b { position: absolute; clip-path: inset(50%) }
  .seal.none { color: var(--quiet) }
  .seal.insane { color: var(--good) }
  .seal .tiny { width: 1.125rem; height: 1.125rem }
  .states { display: flex; flex-wrap: wrap; gap: .25rem }
  .state { font-size: .75rem; line-height: 1.2; padding: .15rem .45rem; border-radius: 4px; border: 1px solid currentColor; color: var(--quiet) }
  .state.note { border-style: dashed; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
  .state.hints { border: 0; padding-inline: 0 } .state:is(.safe, .mad) { color: var(--good) } .state.bound { color: var(--may) }
  billet-clock { white-space: nowrap; font: 600 var(--normal)/1 var(--serif); font-variant-numeric: tabular-nums lining-nums }
  .clock { white-space: nowrap } .days-off { font-size: var(--small); color: var(--quiet) } .days-off .tiny { margin-right: .15rem }
  .seat .clock { position: absolute; right: .5rem; bottom: .5rem; background: var(--raised); padding: .15rem .3rem; border-radius: 4px }
  billet-clock[short] { color: var(--act) }
`;

const middleOfTable = css`
  .middle { display: grid; gap: .5rem; justify-items: center; text-align: center; align-content: center; padding: .25rem }
  .piles { display: flex; flex-wrap: wrap; justify-content: center; gap: .5rem 1.25rem; align-items: end; --card: 2.75rem; font-size: var(--small); color: var(--quiet) }
  .piles figure { display: grid; justify-items: center; gap: .35rem } .piles figcaption b { color: var(--text) }
  .piles [data-place=deck]:not(.empty) .card { box-shadow: 2px 2px 0 -0.5px #4f1f29, 4px 4px 0 -1px #6d2a35, var(--shadow) }
  .hollow { background: none; box-shadow: none; border: 1px dashed var(--edge) }
  .felt-card { --card: 6.5rem; min-width: 0 } .piles .felt-card figcaption { white-space: nowrap; max-width: 8rem; overflow: hidden; text-overflow: ellipsis } .showdown { display: flex; flex-wrap: wrap; justify-content: center; gap: .75rem 1.25rem; --card: clamp(3.25rem, 9vw, 7.5rem); min-height: calc(var(--card) * 1.4 + 3rem); align-items: end }
  .showdown figure { display: grid; justify-items: center; gap: .35rem; transition: transform .3s } .showdown figcaption { max-width: max(6rem, var(--card) + 1.25rem); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font: 600 var(--normal)/1.2 var(--serif); & .tiny { vertical-align: -.1em; margin-inline-end: .3rem } }
  .full .showdown figcaption { font-size: .75rem; max-width: calc(var(--card) + .5rem); & .tiny { display: none } }
  .showdown .wins { transform: translateY(-.75rem) } .wins .card { box-shadow: 0 0 0 3px var(--act), var(--shadow) } .wins figcaption { color: var(--act) } .loses .card { filter: saturate(.4) brightness(.9) }
  .turns { animation: turns .35s ease-out } @keyframes turns { from { transform: rotateY(90deg) } } .next { justify-self: center }
  .aside { transform: rotate(-8deg); display: block } .shown { display: flex; gap: 2px }
  .sentence:empty { display: none } .middle > .quiet { text-wrap: balance }
  .sentence { font: 500 var(--large)/1.3 var(--serif); max-width: 34ch; min-height: 2.6em; display: grid; align-items: center; text-wrap: balance; overflow-wrap: anywhere }
  .middle .sentence.long { font-size: var(--normal); max-width: 56ch }
  .standing { font-weight: 600; text-wrap: balance } .standing.own { color: var(--act) }
  .quiet, small { color: var(--quiet); font-size: var(--small) }
  .ending, .waiting { display: grid; grid-template-columns: minmax(0, 1fr); gap: .75rem; justify-items: center; text-align: center; align-content: center; padding: .75rem; min-width: 0 }
  .ending h2, .waiting h2 { font-size: var(--display) }
  .great-seal svg { width: 4.5rem; height: 4.5rem; color: #fff; background: var(--seal); border-radius: 50%; padding: .8rem; box-shadow: var(--shadow); stroke-width: 1.5 }
  .ending:not(.won) .great-seal svg { background: var(--felt); color: var(--quiet) }
  .last { max-width: 44ch; text-wrap: balance }
  .looking-back { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; justify-content: center } .moment { display: flex; gap: .75rem; align-items: center; text-align: left; max-width: 26rem; color: inherit; text-decoration: none; --card: 4rem; & > :last-child > b { display: block; color: var(--quiet); font-size: var(--small) } &:hover span { text-decoration: underline } }
  .strip { display: flex; flex-wrap: wrap; justify-content: center; gap: .25rem } .strip a { display: flex; align-items: center; gap: .35rem; min-height: 2rem; padding: .15rem .5rem; border: 1px solid var(--line); border-radius: 999px; color: inherit; text-decoration: none; font-size: var(--small); &:hover { border-color: var(--may) } & .wax { margin: 0 } }
  .felt:has(.waiting, .ending) .seat bdi { white-space: normal; overflow-wrap: anywhere } .felt:has(.ending) .seat .who { flex-wrap: wrap } .ending .row, .waiting .row { justify-content: center } .waiting form { align-items: end; text-align: left }
  .bots { display: grid; grid-template-columns: auto auto; gap: .5rem; align-items: end; text-align: left } .bots > :nth-child(3) { grid-column: 1 / -1 }
  billet-share { justify-items: center; max-width: 100% } .share-row { justify-content: center }
  .code { font: 600 var(--large)/1 var(--serif); letter-spacing: .12em; color: var(--text) }
  .ghost { position: absolute; left: 0; top: 0; --card: 6.5rem; pointer-events: none; will-change: transform; z-index: 5 }
  .flying-seal svg { width: 3rem; height: 3rem; color: #fff; background: var(--seal); border-radius: 50%; padding: .5rem }
  .layer { position: absolute; inset: 0; pointer-events: none; overflow: hidden; z-index: 5 }
`;

const own = css`
  .mine { display: grid; gap: .625rem; min-width: 0; padding: .5rem .25rem 0 }
  .mine .who h2 { font-size: var(--normal); min-width: 0; text-align: center; overflow-wrap: anywhere } .mine h2 small { font-family: var(--sans); font-weight: 400 }
  .mine .states { display: inline-flex }
  .held { display: grid; gap: .75rem; min-width: 0 }
  .hand { display: flex; gap: .625rem; justify-content: center; --card: clamp(min(6rem, 29vw), 29vw, 9.5rem); min-height: calc(var(--card) * 1.4 + 12px); padding-top: 10px; align-items: start }
  .hand.count-2, .hand.count-1 { --card: clamp(min(6rem, 38vw), 38vw, 9.75rem) }
  .held-card { padding: 0; border: 0; background: none; border-radius: calc(var(--card) * .07); position: relative; min-height: 0; display: block; transition: transform .18s; cursor: pointer; text-align: center }
  .held-card.may:hover, .held-card.may:focus-visible { transform: translateY(-6px) }
  :host(:not([keyed])) :is(.held-card, .option, .next, h2):focus-visible { outline: none } :host(:not([keyed])) .held-card:not(:hover, .chosen) { transform: none }
  .held-card.may .card { box-shadow: 0 0 0 2px var(--may), var(--shadow) }
  .held-card.may-not .card { filter: brightness(.8) saturate(.5) }
  .held-card.chosen { transform: translateY(-10px) } .held-card.chosen .card { box-shadow: 0 0 0 3px var(--act), var(--shadow) }
  .held-card kbd { position: absolute; left: 50%; bottom: -.5rem; transform: translateX(-50%); z-index: 2 }
  .mine.gone .hand { min-height: 0; flex-wrap: wrap; align-items: center }
  .asking { background: var(--raised); border: 1px solid var(--act); border-radius: var(--round); padding: .75rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: .625rem; align-content: start; min-width: 0 }
  .asking h2 { font-size: var(--large) } .asking h2:focus { outline: none }
  .reading { display: none } .covered { display: none; color: var(--quiet); font-size: var(--small); line-height: 1.35 }
  .question { display: flex; justify-content: space-between; align-items: start; gap: .5rem } .hint-button { font-size: var(--small); min-height: 2rem; padding: .15rem .6rem } .hint-button[aria-expanded=true] { border-color: var(--may) }
  .now { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: center; justify-content: center } .now .hint-button { position: relative; min-height: 1.5rem; margin-block: -.125rem; padding-block: 0 } .now .hint-button::after { content: ""; position: absolute; inset: 50% 0 auto; height: 2.75rem; transform: translateY(-50%) }
  .hint { position: relative; border-left: 3px dashed var(--may); padding-left: .625rem; display: grid; gap: .35rem; line-height: 1.35 } .hint > .close { position: absolute; inset: -.75rem -.75rem auto auto } .hint > p:has(~ .close) { padding-right: 1.75rem } .hint b { font-family: var(--serif) } .hint .tiny { vertical-align: -.1em; color: var(--may) } .hint li { color: var(--quiet); font-size: var(--small) }
  .hint-mark { flex: none; width: 1.25rem; height: 1.25rem; display: grid; place-items: center; border: 1px dashed; border-radius: 50%; margin-left: auto; & ~ kbd { margin-left: 0 } .card & { position: absolute; left: 7cqi; top: 30cqi; width: 17cqi; height: 17cqi; color: var(--faded) } .card & .tiny { width: 10cqi; height: 10cqi } }
  .steps { display: flex; flex-wrap: wrap; gap: .25rem .375rem; align-items: center }
  .step { background: var(--felt); border-radius: 6px; padding: .2rem .6rem; font-family: var(--serif); font-weight: 600 }
  .step + .step::before { content: "›"; margin-right: .5rem; color: var(--quiet) }
  .back-step { min-height: 2rem; padding: .1rem .5rem; color: var(--quiet); font-size: var(--small) }
  .options { display: grid; gap: .375rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9.5rem), 1fr)) }
  .option { justify-content: start; text-align: left; padding: .3rem .6rem; border-color: var(--may); overflow-wrap: break-word; hyphens: auto; line-height: 1.2; font-size: .875rem; min-width: 0 } .option > span:not(.chip) { min-width: 0 }
  .options.kind-face { grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)) } .option small { display: block; margin-top: .15rem; line-height: 1.3 }
  .option[data-card] { font-size: .8125rem; gap: .375rem; padding-inline: .4rem }
  .option kbd { margin-left: auto; flex: none } .options:is(.kind-guess, .kind-number) small { margin: 0; color: var(--quiet) }
  .option.none { border: 1px dashed var(--line); background: none; color: var(--quiet) } .option.none .chip { filter: grayscale(1) }
  .kind-number { & .option { font-size: .8125rem } & small { display: inline; white-space: nowrap } }
  .texts { display: grid; gap: .5rem } .texts dt { font: 600 var(--normal)/1.3 var(--serif) } .texts dd { color: var(--quiet); font-size: var(--small); line-height: 1.35 }
  .send { width: 100%; min-height: 3.25rem; line-height: 1.25; overflow-wrap: anywhere }
  .why { color: var(--act) }
`;

const beside = css`
  .side { display: none; background: var(--raised); flex-direction: column; min-height: 0; min-width: 0 }
  .side.open { display: flex; position: fixed; inset: auto 0 0 0; height: min(78dvh, 40rem); z-index: 20; border-top: 1px solid var(--edge); box-shadow: 0 -8px 30px rgb(15 6 11 / .4); border-radius: 14px 14px 0 0 }
  .top { display: flex; padding: .5rem .25rem 0; border-bottom: 1px solid var(--line) } .tabs { display: flex; flex-wrap: wrap; gap: .125rem }
  .tabs button { border: 0; background: none; border-bottom: 3px solid transparent; border-radius: 4px 4px 0 0; color: var(--quiet); padding: .4rem; box-shadow: none }
  .tabs button[aria-selected=true] { color: var(--text); border-bottom-color: var(--act); font-weight: 600 }
  .top .close { margin-left: auto; font-size: 1.25rem; line-height: 1 }
  .panel { overflow-y: auto; padding: .75rem 1rem 1.5rem; flex: 1; min-height: 0; overscroll-behavior: contain }
  .panel:focus-visible { outline-offset: -3px } summary { padding: .75rem 0; font-weight: 600; cursor: pointer }
  .log h3 { font-size: var(--large); margin: .75rem 0 .25rem; position: sticky; top: -.75rem; background: var(--raised); padding: .25rem 0 }
  .log ul { border-left: 2px solid var(--line); padding: .1rem 0 .1rem .75rem; margin: .4rem 0 } .line { margin: .2rem 0; overflow-wrap: anywhere; line-height: 1.35 }
  .line.turn_started { font-size: var(--small); color: var(--quiet) } .line.card_played { font-weight: 600 } .line.knocked_out, .line.token_awarded, .line.round_ended { color: var(--act) }
  .unseen-cards { display: grid; gap: .375rem; margin-top: .75rem } .unseen-cards li { display: grid; grid-template-columns: auto minmax(0, 1fr) minmax(0, 4rem) 1.25rem; gap: .6rem; align-items: center } .unseen-cards .none { opacity: .6 }
  .unseen-cards b { text-align: right; font-variant-numeric: tabular-nums } meter { width: 100%; height: .5rem; appearance: none; border: 0; border-radius: 4px; background: var(--felt); overflow: hidden }
  meter::-webkit-meter-bar { height: .5rem; border: 0; background: var(--felt) } meter::-webkit-meter-optimum-value { background: var(--may) } meter::-moz-meter-bar { background: var(--may) }
  .check { display: flex; align-items: start; color: inherit; padding-block: .25rem .5rem } .check input { flex: none; margin-top: .1rem } .check + .quiet { padding-bottom: .5rem } .knowable { display: grid; gap: .75rem; padding-bottom: .75rem; margin-bottom: .75rem; border-bottom: 1px solid var(--line) } .knowable[aria-busy=true] > :not(.quiet) { opacity: .6 }
  .knowable h3 { font-size: var(--normal) } .chances { display: flex; flex-wrap: wrap; gap: .375rem; margin-top: .25rem } .chances li { display: grid; justify-items: center; gap: .2rem; width: 2.75rem } .chances b { font: 600 .75rem/1 var(--sans); font-variant-numeric: tabular-nums } .chances meter { width: 2.25rem; height: .25rem; &::-webkit-meter-bar { height: .25rem } }
  .facts { display: grid; gap: .25rem; margin-top: .35rem; font-size: var(--small); line-height: 1.35 }
  .notes { border-collapse: collapse; margin: .75rem 0; table-layout: fixed; width: 100% } .notes thead td { width: min(9.25rem, 45vw) } .notes :is(td, th) { padding: 1px; font-weight: 400; text-align: left; vertical-align: middle }
  .notes thead :is(td, th) { position: sticky; top: -.75rem; background: var(--raised); z-index: 1 } .notes thead th { font: 600 var(--small)/1.2 var(--serif); padding: .25rem 0; overflow: hidden; text-overflow: ellipsis; overflow-wrap: anywhere; text-align: center; vertical-align: bottom }
  .notes .of { display: flex; gap: .5rem; align-items: center; line-height: 1.15; font-size: var(--small); hyphens: auto; overflow-wrap: anywhere } .notes.many thead td { width: min(8rem, 40vw) } .notes.many .of { font-size: .75rem; gap: .375rem } .notes.many bdi { writing-mode: vertical-rl; max-height: 10rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
  .mark { display: flex; width: 100%; height: 2.375rem; padding: 0; border-radius: 4px; font: 600 var(--large)/1 var(--serif) } .mark.may { border-color: var(--may); color: var(--may) } .mark.not { color: var(--quiet); background: var(--felt) }
  dialog form.row { align-items: end; margin-block: .5rem }
  .tools { display: flex; flex-wrap: wrap; gap: .25rem; justify-content: center; padding: .25rem .5rem .75rem } .tools button { font-size: var(--small); min-height: 2.25rem }
  .line-state { margin-right: auto; background: var(--raised); border: 1px solid var(--act); padding: .35rem .9rem; border-radius: 999px }
  .problem-page, .loading { display: grid; gap: .75rem; place-content: center; min-height: 60dvh; padding: 1rem; text-align: center } .problem-page .row { justify-content: center; align-items: end } .problem-page h1 { font-size: var(--display) }
  dialog h2 { font-size: var(--large); margin-bottom: .5rem } dialog > * + * { margin-top: .75rem }
  .key-list > div { display: grid; grid-template-columns: min(8rem, 45%) minmax(0, 1fr); padding: .2rem 0 } .key-list dt { font-weight: 600 } .key-list dd { margin: 0 }
`;

const layout = css`
  :host { position: relative }
  .table { display: grid; min-height: 100%; grid-template-columns: minmax(0, 1fr); align-content: start }
  .felt { position: relative; display: grid; gap: .5rem; padding: .5rem .75rem; align-content: start; min-width: 0; grid-template-columns: minmax(0, 1fr) }
  .wide-only { display: none } .seats { display: contents }
  @media ${NARROW} {
    .table { reading-flow: grid-order }
    .tools { order: -1; padding: .25rem .5rem 0; justify-content: end } .tools button { min-height: 2rem; padding: .15rem .6rem } .line-state { position: fixed; top: .5rem; left: 50%; translate: -50% 0; z-index: 25; margin: 0; width: max-content; max-width: calc(100vw - 1rem); font-size: var(--small); text-align: center; box-shadow: var(--shadow) }
    .felt { gap: .375rem; grid-template-rows: auto minmax(min-content, 1fr) }
    .seats { display: grid; gap: inherit; grid-template-columns: repeat(2, minmax(0, 1fr)) } .few .seats { grid-template-columns: minmax(0, 1fr) }
    .table { grid-template-rows: auto 1fr } .replay.table { grid-template-rows: 1fr auto }
    .seat { padding: .3rem .625rem; gap: .25rem } .belongings { min-height: 0 } .seat .who { flex-wrap: wrap; gap: .1rem .6rem } .seat h2 { max-width: 100% }
    .table:not(.few) .pips { display: none } .table:not(.few) .seal b { position: static; clip-path: none }
    .few .seat { grid-template-columns: minmax(min(6.5rem, 50%), 42%) minmax(0, 1fr); align-items: center } .seat .wax { width: 1.1em; height: 1.1em; margin-inline-end: .2em }
    .table .seat:not(:has(.belongings)) { grid-template-columns: minmax(0, 1fr) }
    .few .seat .who { flex-direction: column; align-items: start }
    .few .seat .states { grid-column: 1 / -1 }
    .seat .clock { display: none } .tabs button { font-size: var(--small); padding-inline: .35rem }
    /* From six seats on they are small and three in a row, so that hand and question are in view: name, then seals, hand and small chips. What holds for one lies on its lower edge, unless it takes more than a few words. */
    .full .felt { padding: .5rem .5rem .25rem } .full .mine { gap: .25rem } .full .hand { padding-top: 6px; min-height: calc(var(--card) * 1.4 + 8px) } .full .seats { grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .5rem .25rem }
    .full .seat { display: flex; flex-wrap: wrap; align-content: start; align-items: center; gap: .15rem .25rem; padding: .2rem .25rem .5rem }
    .full .seat .who { display: contents } .full .seat h2 { flex: 1 1 auto; max-width: 100%; font-size: .8125rem } .full .program { margin-inline-start: .125rem }
    .full .dot { left: .1rem; margin: 0; outline: 2px solid var(--raised) }
    .full .seat .wax { width: .875rem; height: .875rem; margin-inline-end: .125rem } .full .seat .program .tiny { width: .75rem; height: .75rem }
    .full .seat .seals { gap: .25rem } .full .seat .favor { & .tiny { display: none } & b { display: grid; place-items: center; min-width: 1.0625rem; height: 1.0625rem; border: 1px solid; border-radius: 999px; font-size: .75rem } } .full .belongings { flex: 1 1 60%; gap: .15rem; margin: 0 }
    .full .seat .backs { --card: 1.1rem; min-width: 1.1rem; min-height: 1.625rem } .full .seat .backs > .card + .card { margin-left: -.6rem }
    .full .seat .chip { min-width: 1.5rem; height: 1.625rem; font-size: .875rem; & .tiny { display: none } }
    .full .seat .discards { min-height: 1.625rem; gap: 2px; flex: 1; & li { flex: 0 0 1.5rem } }
    .full .states:has(> :is(.safe, .out):only-child) { position: absolute; inset: auto 0 -.45rem; justify-content: center; & .state { background: var(--raised); font-size: .6875rem; padding: 0 .35rem } }
    .full :is(.hand.count-2, .hand.count-1) { --card: clamp(min(6rem, 33vw), 33vw, 7.5rem) }
    .full .showdown { --card: 2.2rem; gap: .75rem .25rem; min-height: calc(var(--card) * 1.4 + 2rem); & figcaption { font-size: .6875rem } & .value { font-size: 48cqi } & .sign { display: none } & .corner { justify-content: center; padding-inline: 0 } & .name { position: absolute; clip-path: inset(50%) } }
    .middle:has(.showdown) { & .sentence { font-size: var(--normal); max-width: none } & .standing { font-size: var(--small) } }
    .middle:has(.showdown) > .quiet { display: none } .middle:has(.showdown) ~ .mine .hand.count-1 { --card: min(6rem, 33vw) }
    .full .middle { gap: .1rem } .full .piles .felt-card { --card: 2.5rem } .full .piles:not(:has(.shown)) figcaption { max-width: none; white-space: nowrap } .full .sentence { line-height: 1.2 } .full .mine .who { gap: .25rem .5rem; & h2 { font-size: .875rem } & .chip { height: 1.625rem; & .tiny { display: none } } & .discards { min-height: 0 } }
    .of-hand:not(:has(.why, .hint)), .of-hand > :not(.why, .hint) { display: none }
    /* The hand stays free for the choice: what a hint says lies above it. */
    .held:has(.of-hand .hint) { position: relative } .asking.of-hand:has(.hint) { position: absolute; inset: auto 0 100%; max-height: 45dvh }
    .option { padding-inline: .4rem; gap: .4rem } .option kbd { display: none } .options { grid-template-columns: repeat(auto-fill, minmax(min(100%, 8rem), 1fr)) }
    .seat h2 { font-size: .875rem; line-height: 1.15 } .dot { position: absolute; left: .125rem; margin-top: .25rem; width: .4rem; height: .4rem }
    .covered { display: block }
    .asking:not(.only) { position: fixed; inset: auto .25rem .25rem; margin: auto; max-width: 36rem; z-index: 4; box-shadow: 0 -6px 24px rgb(15 6 11 / .35); max-height: 62dvh; overflow: auto }
    .held:has(.asking:not(.of-hand, .only))::after { content: ""; position: absolute; top: 100%; height: 40dvh; width: 1px }
    .middle { gap: .2rem; padding: .25rem .25rem 0 } .piles { --card: 1.5rem; gap: .9rem; font-size: .75rem; align-items: center }
    .piles figure { grid-auto-flow: column; gap: .4rem; align-items: center } .piles figcaption { max-width: 5.5rem; text-align: left; line-height: 1.15 } .piles figure:has(.shown) { grid-auto-flow: row; gap: .15rem; flex: none }
    .shown .chip { min-width: 1.5rem; height: 2.1rem } .piles { flex-wrap: nowrap } .piles .felt-card { --card: 3.25rem } .felt-card:not(:has(.face)) { position: absolute; left: 50%; width: 1px; height: 1px; & > * { display: none } }
    /* With a card that was played the piles are as wide as the phone: what they are called stands below them, and many cards below all. */
    .piles:has(.felt-card .face) { gap: .5rem; align-items: end; & figure { grid-auto-flow: row; flex: none; gap: .15rem } & figcaption { max-width: 4rem; text-align: center } & .felt-card figcaption { max-width: 5rem } }
    .piles:has(.shown > :nth-child(4)) { flex-wrap: wrap }
    .showdown { gap: 1rem .5rem }
    @media (max-height: 40rem) { .piles .felt-card { --card: 2.5rem } } .skip { position: sticky; bottom: .5rem }
    .sentence { min-height: 0; font-size: 1.0625rem } .ending { padding-inline: .25rem } .ending .row { display: grid; grid-template-columns: auto auto; & > .main { grid-column: 1 / -1 } & > * { justify-content: center } } .table:not(.few) .ending { & h2 { font-size: 1.5rem } & .great-seal { display: none } }
    .mine { padding-top: 0 } .mine .who { justify-content: center }
    @media (min-width: 36rem) {
      .middle { justify-self: center } .hand, .hand.count-2, .hand.count-1 { --card: clamp(6rem, 32dvh, 10rem) }
      @media (min-height: 36rem) { .few .seats:has(.seat + .seat) { grid-template-columns: repeat(2, minmax(0, 1fr)) } }
      @media (max-height: 35.99rem) {
        .hand { --card: min(32dvh, 14vw) } .felt { grid-template-columns: repeat(2, minmax(0, 1fr)) } .seats { grid-row: 1 / 3; align-content: start } .mine { grid-column: 2 } .asking:not(.only) { left: 50%; max-height: 100dvh } .asking.of-hand:has(.hint) { position: fixed; inset: auto 50% .25rem .25rem; max-height: 100dvh } .great-seal { display: none } :is(.ending, .waiting) h2 { font-size: 1.5rem }
        .felt:has(.middle ~ .mine .held) { & .seats { grid-row: 1 } & .middle { grid-area: 2 / 1 } & .mine { grid-area: 1 / 2 / 3; position: sticky; top: 0; align-self: start } }
      }
    }
  }
  @media (max-width: 22rem) { .table:not(.full) .pips { display: none } .table:not(.full) .seal b { position: static; clip-path: none } .middle .piles { flex-wrap: wrap } .few .seat { grid-template-columns: min(6.5rem, 50%) minmax(0, 1fr) } .felt { padding-inline: .25rem } .few .program small { display: none } .hand, .belongings { gap: .25rem } .mine { padding-inline: 0 } }
  /* A phone whose reader has doubled the font. */
  @media (max-width: 12rem) { .seat .who, .belongings, .backs, .seals { flex-wrap: wrap } .backs, .seals { flex: 0 1 auto } }
  @media ${WIDE} {
    :host { height: 100% }
    .table { grid-template: "felt side" minmax(0, 1fr) "tools side" auto / minmax(0, 1fr) clamp(20rem, 25vw, 22rem); height: 100% }
    .felt { grid-area: felt; grid-template: minmax(min-content, 1fr) minmax(min-content, 1fr) minmax(min-content, 1fr) min-content / minmax(0, 1fr) minmax(0, 1.5fr) minmax(0, 1fr); align-content: stretch; padding: 1rem; gap: .75rem 1rem; overflow: auto; isolation: isolate }
    .felt { container-type: size } .felt-card { --card: clamp(3.25rem, 11cqh, 6.5rem) } .showdown { --card: clamp(3.25rem, 24cqh - 5.6rem, 7.5rem); gap: 1rem; &:has(~ .long) { --card: clamp(3.25rem, 24cqh - 7rem, 7.5rem) } &:has(~ .long) ~ .quiet { display: none } } .full .showdown { --card: clamp(2.25rem, 5.5cqh, 4rem); gap: 1rem .5rem }
    /* With one other player, who sits above, there is room on both sides. */
    .felt:has(.at-1-0) :is(.middle, .ending) { grid-column: 1 / 4 }
    .felt:has(.waiting, .ending) { grid-template-columns: minmax(0, 1fr) minmax(0, 2.25fr) minmax(0, 1fr) } :is(.ending, .waiting) h2 { font-size: clamp(1.5rem, 2.6vw, var(--display)) } .full .ending { padding-block: 0; gap: .5rem }
    .felt::before { content: ""; position: absolute; inset: 9% 6% 12%; border-radius: 50%; background: radial-gradient(ellipse, var(--felt) 55%, transparent 71%); z-index: -1 }
    .side, .side.open { grid-area: side; display: flex; position: static; height: auto; border: 0; border-left: 1px solid var(--line); border-radius: 0; box-shadow: none }
  .top .close { display: none } .only-small { display: none } .wide-only { display: inline-flex }
    .tools { grid-area: tools; justify-content: end; padding: 0 1rem .5rem }
    .piles figcaption { white-space: nowrap } .felt:has(.seat.acts) .middle .clock { display: none } .middle, .ending, .waiting { grid-area: 2 / 2 / 4 / 3 } .mine { grid-area: 4 / 1 / 5 / 4; align-self: end; justify-self: center; width: min(100%, 60rem) }
    .full .sentence { font-size: var(--normal); min-height: 1.4em; max-width: 44ch } .full .piles { --card: 2.1rem } .take-back { grid-area: 1 / 2; place-self: start } .next { position: sticky; bottom: .5rem; z-index: 1 }
    .seat { align-self: center } .few .seat .who { flex-wrap: wrap } .mine .who { justify-content: center }
    .mine:has(.asking, .reading) { grid-template: 1fr auto / minmax(calc(2 * var(--own) + .625rem), auto) minmax(0, 40rem); justify-content: center; column-gap: 1rem; & .held { display: contents } & .hand { align-self: end; justify-content: start } & .who { max-width: 22rem; align-self: end; justify-content: start } }
    :is(.asking, .reading) { grid-area: 1 / 2 / 3 / 3; align-self: end } .asking { position: relative } .question .hint-button { position: absolute; right: .75rem; bottom: 100%; margin-bottom: -.75rem } .reading { display: block; border: 1px solid var(--line); border-radius: var(--round); padding: .75rem } .few .mine:has(.asking, .reading) { min-height: min(21rem, round(42cqh, 1px)) } .sentence { max-width: 44ch }
    .hand { --card: clamp(6rem, min(16dvh, 9vw), 10.5rem) } .mine { --own: clamp(6.5rem, min(18dvh, 11.5vw), 11rem) } .hand.count-2, .hand.count-1 { --card: var(--own) } .full .felt-card { --card: 3.5rem }
    .at-1-0, .at-3-1, .at-5-2, .at-7-3, .at-8-3 { grid-area: 1 / 2 }
    .at-2-0 { grid-area: 1 / 1 / 4 / 2 } .at-2-1 { grid-area: 1 / 3 / 4 / 4 } :is(.at-2-0, .at-2-1) { align-self: start } .at-4-1, .at-5-1, .at-6-2, .at-7-2, .at-8-2 { grid-area: 1 / 1 } .at-4-2, .at-5-3, .at-6-3, .at-7-4, .at-8-4 { grid-area: 1 / 3 }
    .at-3-0, .at-4-0, .at-5-0 { grid-area: 2 / 1 / 4 / 2 } .at-3-2, .at-4-3, .at-5-4 { grid-area: 2 / 3 / 4 / 4 }
    .at-6-1, .at-7-1, .at-8-1 { grid-area: 2 / 1 } .at-6-4, .at-7-5, .at-8-5 { grid-area: 2 / 3 }
    .at-6-0, .at-7-0, .at-8-0 { grid-area: 3 / 1 } .at-6-5, .at-7-6, .at-8-6 { grid-area: 3 / 3 } .at-8-7 { grid-area: 4 / 2 }
    .full .felt { padding: .5rem 1rem; gap: .375rem 1rem } .full .seat { padding: .375rem .625rem; gap: .25rem }
    .options { max-height: 34dvh; overflow: auto; padding: 6px; margin: -6px }
    @media (max-width: 75rem) {
      .mine:has(.held) { min-height: 19.5rem; align-content: end } .options { grid-template-columns: repeat(auto-fill, minmax(min(100%, 7.5rem), 1fr)) } .option kbd { display: none } .panel { padding-inline: .5rem } .texts { max-height: 15rem; overflow: auto }
    }
  }
  @media (max-width: 59.99rem) and (min-width: 46rem) and (min-height: 56rem) {
    .table { grid-template: "felt" minmax(0, 1fr) "tools" auto "side" 8rem / minmax(0, 1fr) } .table:not(.replay, :has(.log)):has(.tabs) { grid-template-rows: minmax(0, 1fr) auto 28dvh } .felt:not(:has(.waiting, .ending)) { grid-template-columns: minmax(0, 1fr) minmax(0, 1.25fr) minmax(0, 1fr) }
    .side, .side.open { border-left: 0; border-top: 1px solid var(--line) }
    .mine { --own: 9rem } .hand { --card: 7.5rem } .seat .program small { display: none } .piles { gap: .5rem; font-size: .75rem } .felt-card { --card: clamp(3.25rem, 11cqh, 4.5rem) } .piles .felt-card figcaption { max-width: 4.5rem } .few .showdown { --card: 3.5rem; gap: 1rem .5rem }
    .panel { padding-block: .25rem } .log h3 { position: static }
  }
  @media (max-width: 59.99rem), (max-height: 48.99rem) { .texts div { font-size: var(--small); line-height: 1.35 } .texts :is(dt, dd) { display: inline; margin-right: .4rem } }
  @media (min-width: 36rem) and (max-width: 59.99rem) { .notes.many bdi { writing-mode: horizontal-tb } }
  /* One other player sits beside what is going on, as one of two does: above it, there would be no room for the end of a round. */
  @media (min-width: 60rem) {
    .felt:has(.at-1-0):not(:has(.waiting)) { grid-template-columns: minmax(0, 1fr) minmax(0, 2fr) minmax(0, 1fr); & :is(.middle, .ending) { grid-column: 2 } & .seat { grid-area: 1 / 1 / 4 / 2; align-self: start } }
  }
  @media (min-width: 60rem) and (max-height: 48.99rem) { .great-seal { display: none } .felt { padding-block: .5rem } @media not (pointer: coarse) { .option { min-height: 2.25rem } } }
  @media (min-width: 60rem) and (min-height: 54rem) { .few { ${LARGE} } }
  @media (min-width: 100rem) and (min-height: 60rem) { .table { ${LARGE} } }
  @media (pointer: coarse) {
    .tools button, .back-step, .mark, .question .hint-button { min-height: 2.75rem } .back-step { margin-block: -.375rem } .top .close { min-width: 2.75rem }
    .known + .known { margin-left: 1rem } .shown { gap: 1rem } .belongings .discards { flex: 1 }
    .discards { gap: 6px 0 } .discards.many { row-gap: 12px } .discards .chip { position: static } .discards .chip::after { inset-inline: 0 }
    .discards li { display: grid; justify-items: center; position: relative; flex: 1 1 1.875rem; max-width: 2.75rem }
    .mine .discards li { flex: none; width: 1.875rem } .mine .discards:not(:has(:nth-child(4))) li { width: 2.75rem }
  }
  @media (pointer: coarse) and (min-height: 50rem) { .few .discards li { flex-basis: 2.75rem } .mine .discards li { width: 2.75rem } }
  @media (pointer: coarse) { @media ${NARROW} { .shown { gap: 1.25rem; padding-inline: .625rem } .belongings { gap: .375rem; margin-right: -.5rem } } }
  @media (prefers-reduced-motion: reduce) { *, ::before, ::after { transition: none !important; animation: none !important } }
`;

export const sheets = [seats, middleOfTable, own, beside, layout];
