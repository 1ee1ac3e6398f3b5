// What the coach says beside the table, and the ways on.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { css } from "../look/sheet.js";
import { WIDE } from "../table/sheets.js";
import { t } from "../words/words.js";
import { LESSONS } from "./lessons.js";
import { addressOf, progress } from "./progress.js";

export const sheet = css`
  :host { display: grid; grid-template: auto minmax(min-content, 1fr) / minmax(0, 1fr) } .table { min-height: 0 }
  .coach:not(.over) { position: sticky; top: 0; z-index: 3 }
  .coach { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .25rem 1rem; align-items: center; padding: .5rem .75rem; background: var(--raised); border-bottom: 2px solid var(--may) }
  .coach .row { justify-content: end } .coach .about { grid-column: 1 / -1; font-size: var(--small); color: var(--quiet); display: flex; justify-content: space-between; gap: 1rem } .coach .about a { color: inherit; white-space: nowrap }
  .says { font: 500 var(--large)/1.35 var(--serif); min-height: 2.7em; display: grid; align-items: center; max-width: 90ch; text-wrap: pretty } .says.wrong { border-left: 3px solid var(--act); padding-left: .75rem }
  @media (max-width: 35.99rem) { .coach { grid-template-columns: minmax(0, 1fr) } .says { font-size: 1.0625rem } .coach .row > :not(:only-child) { flex: 1 1 auto; text-align: center } .ending { padding-block: .25rem; & h2 { font-size: 1.5rem } & .great-seal { display: none } } }
  /* Beside a wide table the coach stands over what lies beside it; over an upright one, above all. */
  @media ${WIDE} {
    :host { display: grid; grid-template: "felt coach" auto "felt side" minmax(0, 1fr) "tools side" auto / minmax(0, 1fr) clamp(20rem, 25vw, 22rem) } .table { display: contents }
    .coach { grid-area: coach; grid-template-columns: minmax(0, 1fr); padding: .75rem 1rem; border-left: 1px solid var(--line) } .says { min-height: 5.4em; align-items: start }
  }
  @media (max-width: 59.99rem) and (min-width: 46rem) and (min-height: 56rem) { :host { grid-template: "coach" auto "felt" minmax(0, 1fr) "tools" auto "side" 10rem / minmax(0, 1fr) } .coach { grid-template-columns: minmax(0, 1fr) auto; border-left: 0 } .says { min-height: 2.7em } }
`;

export function coach(lesson) {
  const { texts, step, says, read, wrong, script, game } = lesson;
  const rounds = script.at(-1).round;
  return html`<section class="coach ${game.finished_at ? "over" : ""}" aria-label=${t("learn.coach")}>
    <p class="about"><span><b>${texts.title}</b>${rounds > 1 && !game.finished_at ? ` · ${t("learn.round", { n: game.round.number, of: rounds })}` : nothing}</span>
      <a href=${lesson.home}>${t(game.finished_at ? "home" : "learn.later")}</a></p>
    <p class="says ${wrong ? "wrong" : ""}" aria-live="polite">${wrong ?? (step === -1 ? t("learn.astray") : says[Math.min(read, says.length - 1)] ?? t("learn.watch"))}</p>
    <p class="row">${lesson.talking ? html`<button class="main" data-option @click=${() => lesson.next()}>${t("learn.next")}</button>`
      : step === -1 ? html`<button class="main" data-option @click=${() => lesson.restart()}>${t("learn.again")}</button>`
      : step === "end" ? onwards(lesson)
      : script[step]?.look ? html`<button @click=${() => lesson.look(script[step].look)}>${t(`tab.${script[step].look}`)}</button>` : nothing}</p>
  </section>`;
}

// A game of one's own, the next lesson that was not learned yet, and the same once more.
function onwards(lesson) {
  const next = Object.keys(LESSONS).find((id) => id !== lesson.lesson && !progress(id).done);
  return html`<a class="button main" data-option href=${lesson.home}>${t("learn.play")}</a>${next ? html`<a class="button" href=${addressOf(next)}>${lesson.titleOf(next)}</a>` : nothing}
    <button @click=${() => lesson.restart()}>${t("learn.again")}</button>`;
}
