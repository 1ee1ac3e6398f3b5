// A page that is read from the service: again whenever the reader becomes another player; `lost` is what is said of the line.
import { account, changes } from "../api/account.js";
import { line } from "../api/client.js";
import { Part } from "../look/part.js";

export class Reading extends Part {
  #reader = account.player?.id;
  #changed = () => { if (this.#reader !== account.player?.id) { this.#reader = account.player?.id; this.load(); } };
  #line = ({ detail }) => { this.lost = detail; this.update(); };

  connectedCallback() {
    changes.addEventListener("change", this.#changed);
    line.addEventListener("change", this.#line);
    this.update();
    this.load();
  }

  disconnectedCallback() {
    changes.removeEventListener("change", this.#changed);
    line.removeEventListener("change", this.#line);
  }
}
