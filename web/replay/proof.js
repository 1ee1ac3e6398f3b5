// "Was the deal fair?" answered in this browser: the game's log is verified here, without asking the service whether it is valid.
import { html } from "../vendor/lit-html/lit-html.js";
import { close, dialog } from "../look/dialog.js";
import { brought, t } from "../words/words.js";

export async function prove(source) {
  const [log, { verify }] = await Promise.all([source.log(), brought(import("../verify/verify.mjs"))]);
  const verdict = await verify(JSON.stringify(log));
  const version = source.difference?.() ?? null;
  if (verdict.divergence === null && version !== null) return { log, verdict: { valid: false, divergence: { check: "shown", version } } };
  return { log, verdict };
}

export const proof = (replay) => dialog(replay, "proof", () => {
  const { proof: found } = replay;
  return html`<h2 id="proof">${t("replay.fair")}</h2>
    ${found.waiting ? html`<p role="status">${t("proof.waiting")}</p>` : found.problem ? html`<p role="alert" class="problem">${found.problem.message}</p>` : verdict(found)}
    <button autofocus @click=${close}>${t(found.stops ? "proof.anyway" : "close")}</button>`;
}, { kind: "proof", holds: Boolean(replay.proof), closed: () => { replay.proof = null; } });

// The verifier speaks English alone, so its checks have sentences here.
const why = ({ check, version }) => t(`proof.why.${check}`, { n: version });

function verdict({ log, verdict: { valid, divergence, unchecked, rounds, events } }) {
  if (!valid && !divergence) return html`<p role="status"><b>${t("proof.unchecked")}</b> ${why(unchecked[0])}</p>`;
  if (!valid) return html`<p class="problem" role="alert"><b>${t("proof.broken")}</b> ${divergence.version ? t("proof.event", { n: divergence.version }) : ""} ${why(divergence)}</p>`;
  return html`<p class="good" role="status"><b>${t("proof.good")}</b></p>
    <ol class="steps-of-proof">
      <li>${t("proof.1")}<code>${log.commitment}</code></li>
      <li>${t("proof.2")}<code>${log.secret}</code>${t("proof.same")}<code>${log.commitment}</code></li>
      <li>${t("proof.3")}</li>
      <li>${t("proof.4", { n: rounds })}</li>
      <li>${t("proof.5", { n: events })}</li>
    </ol><p class="quiet">${t("proof.limits")}</p>`;
}
