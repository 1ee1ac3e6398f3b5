// Begins a lesson, also once more: opens its game, and leads to its page.
import { register } from "../api/account.js";
import { call } from "../api/client.js";
import { go } from "../look/storage.js";
import { LESSONS } from "./lessons.js";
import { addressOf, keep } from "./progress.js";

export async function begin(lesson) {
  await register();
  const { id } = await call("POST", "/games", LESSONS[lesson].setup, { anew: true });
  keep(lesson, { game: id, step: 0, read: 0 });
  go(addressOf(lesson));
}
