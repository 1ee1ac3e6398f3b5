// Style sheets as modules: a tag for them, and the colours, sizes and shapes that everything shares.

export function css(parts, ...values) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(String.raw({ raw: parts }, ...values));
  return sheet;
}

// Two themes by `color-scheme`: noon (light) and evening (dark). A host page restyles by `--billet-*`.
export const tokens = css`
  :root, :host {
    --table: var(--billet-table, light-dark(#ece5d8, #1c1319));
    --felt: var(--billet-felt, light-dark(#dfd6c5, #2a1d25));
    --raised: var(--billet-raised, light-dark(#f7f2e8, #34272f));
    --text: var(--billet-text, light-dark(#2a2431, #f0e6d8));
    --quiet: var(--billet-quiet, light-dark(#5d5260, #bfaea9));
    --line: var(--billet-line, light-dark(#c5b8a3, #4c3a44));
    --edge: var(--billet-edge, light-dark(#84766a, #8d7680));
    --paper: var(--billet-paper, #f7efdd);
    --ink: var(--billet-ink, #33262b);
    --faded: #6b5b58;
    --act: var(--billet-act, light-dark(#a3262b, #f08a7d));
    --seal: var(--billet-seal, light-dark(#a3262b, #c84b44));
    --may: var(--billet-may, light-dark(#7a5600, #dcb468));
    --good: light-dark(#22533a, #9bd1b0);
    --link: light-dark(#294472, #dcb468);
    --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, "DejaVu Serif", serif;
    --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
    --small: .8125rem;
    --normal: .9375rem;
    --large: 1.1875rem;
    --display: clamp(1.75rem, 1.3rem + 2vw, 2.5rem);
    --round: 10px;
    --shadow: 0 1px 2px rgb(20 8 14 / .28), 0 6px 18px rgb(20 8 14 / .16);
    font: var(--normal)/1.45 var(--sans);
    color: var(--text);
    /* A name may be 40 letters without a blank. Buttons do not shrink, so their words stay whole as long as there is room. */
    overflow-wrap: anywhere;
  }
  :host { display: block }
  :host([hidden]), [hidden] { display: none !important }
  *, ::before, ::after { box-sizing: border-box }
  h1, h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0 }
  ul, ol { list-style: none }
  h1, h2, h3 { font-family: var(--serif); font-weight: 600; line-height: 1.2; text-wrap: balance }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
  :focus-visible { outline: 3px solid var(--may); outline-offset: 2px; border-radius: 6px }
  a { color: var(--link); text-underline-offset: .2em }
  svg { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
`;

export const controls = css`
  button, .button {
    font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--edge); border-radius: var(--round);
    min-height: 2.5rem; padding: .4rem .9rem; cursor: pointer; display: inline-flex; gap: .5rem; align-items: center;
    justify-content: center; text-decoration: none; text-align: center; touch-action: manipulation; flex-shrink: 0; max-width: 100%;
  }
  button:hover, .button:hover { border-color: var(--may); }
  button[aria-pressed="true"], button[aria-selected="true"] { border-color: var(--may); box-shadow: inset 0 0 0 1px var(--may) }
  :is(button, .button).main { background: var(--seal); border-color: var(--seal); color: #fff; font-weight: 600; min-height: 2.75rem }
  :is(button, .button).main:hover { filter: brightness(1.1) }
  button.plain { background: none; border-color: transparent }
  button.plain:hover { border-color: var(--line) }
  button.icon { min-width: 2.5rem; padding: .4rem }
  button:disabled { opacity: .55; cursor: default }
  input, select, textarea {
    font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--edge); border-radius: var(--round);
    min-height: 2.5rem; padding: .4rem .7rem; min-width: 0; max-width: 100%;
  }
  label { color: var(--quiet) }
  label > input:not([type=checkbox]), label > select { display: block; width: 100%; margin-top: .25rem; color: var(--text) }
  input[type=checkbox] { min-height: 0; width: 1.15rem; height: 1.15rem; accent-color: var(--seal); vertical-align: -.2em; margin: 0 .5rem 0 0 }
  dialog { border: 1px solid var(--line); border-radius: var(--round); background: var(--raised); color: var(--text);
    box-shadow: var(--shadow); max-width: min(36rem, calc(100vw - 1.5rem)); max-height: calc(100dvh - 2rem); padding: 1.25rem; overflow: auto }
  dialog::backdrop { background: rgb(15 6 11 / .55) }
  .wax { width: 1.25em; height: 1.25em; flex: none; vertical-align: -.25em; margin-inline-end: .3em } .person { white-space: nowrap } .person bdi { white-space: normal } a.person { color: inherit; text-decoration: none } a.person bdi { text-decoration: underline var(--edge); text-underline-offset: .2em } a.person:hover { color: var(--link) }
  .row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center }
  billet-share { display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem } billet-share > * { max-width: 100% } billet-share input { flex: 1 1 5rem; font-size: var(--small) } .qr { width: 11rem; background: #fff; border-radius: 6px } .qr path { fill: #111; stroke: none }
  .problem { border-left: 3px solid var(--act); padding: .4rem .75rem; background: var(--raised); border-radius: 4px }
  kbd { font: 600 .6875rem/1 var(--sans); border: 1px solid var(--edge); border-radius: 4px; padding: .2rem .35rem; color: var(--quiet); background: var(--raised) }
  /* Shadows and backgrounds, which tell what is chosen, are gone there; cards stay what they are. */
  @media (forced-colors: active) { [aria-pressed=true], [aria-selected=true], :has(> [type=radio]:checked), .seat.acts, .chosen { border: 4px double Highlight !important } .card, .chip, .dot { forced-color-adjust: none } }
  @media (pointer: coarse) { kbd { display: none } button, .button, input, select { min-height: 2.75rem } }
`;
