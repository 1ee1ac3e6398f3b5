// What came of a try, to hand on: a picture and a text that name no card.
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { base } from "../api/client.js";
import { close, dialog } from "../look/dialog.js";
import { titleOf } from "../players/outcome.js";
import { t } from "../words/words.js";
import { score, shortDayOf } from "./dates.js";
import { draw } from "./picture.js";

const linesOf = (part) => {
  const { edition, date, try: own, streak } = part.sharing;
  return [
    `${t("daily.title")}: ${titleOf(part.editions, edition)}, ${shortDayOf(date)}`,
    own.won === null || own.status === "aborted" ? t("daily.aborted") : `${t(own.won ? "daily.won" : "daily.lost")} ${score(own.tokens)}`,
    ...(streak > 1 ? [`${streak} ${t("daily.streak", { n: streak })}`] : []),
  ];
};
const textOf = (part) => [...linesOf(part), new URL("daily", base)].join("\n");

export const sharing = (part) => dialog(part, "sharing", () => html`<div class="sharing"><h2 id="sharing">${t("daily.share")}</h2>
  <billet-daily-picture .lines=${linesOf(part)} .tokens=${part.sharing.try.tokens} .most=${part.sharing.tokens_to_win}></billet-daily-picture>
  <p class="row"><button class="main" @click=${() => hand(part)}>${t("daily.hand_on")}</button><button @click=${() => save(part)}>${t("daily.save")}</button><button @click=${() => copy(part)}>${t(part.copied ? "share.copied" : "daily.copy")}</button><button class="plain" @click=${close}>${t("close")}</button></p>
  ${part.shareFailed ? html`<p class="problem" role="alert">${t("daily.not_shared")}</p>` : nothing}</div>`, { closed: () => { part.copied = part.shareFailed = false; } });

class Picture extends HTMLElement {
  connectedCallback() {
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", this.lines.join(". "));
    draw(this.canvas, this.lines, this.tokens, this.most);
    this.replaceChildren(this.canvas);
  }
}
customElements.define("billet-daily-picture", Picture);

const fileOf = (part) => new Promise((made) => {
  part.find("billet-daily-picture").canvas.toBlob((blob) => made(new File([blob], `billet-${part.sharing.edition}-${part.sharing.date}.png`, { type: "image/png" })));
});

// By the device's own way, with the picture where it takes one; where there is none, the text is copied.
async function hand(part) {
  const file = await fileOf(part), shared = { text: textOf(part) };
  if (!navigator.share) return copy(part);
  try {
    await navigator.share(navigator.canShare?.({ files: [file] }) ? { ...shared, files: [file] } : shared);
  } catch (error) {
    part.shareFailed = error.name !== "AbortError";
    part.update();
  }
}

async function save(part) {
  const file = await fileOf(part), link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function copy(part) {
  try {
    await navigator.clipboard.writeText(textOf(part));
    part.copied = true;
  } catch {
    part.shareFailed = true;
  }
  part.update();
}
