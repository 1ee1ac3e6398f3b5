// Pools of ratings in words. A pool is named EDITION-SIZE-PACE-KIND.
import { t } from "../words/words.js";
import { titleOf } from "./outcome.js";

export const PARTS = ["edition", "size", "pace", "kind"];

export function partsOf(pool) {
  const [, edition, size, pace, kind] = /^(.+?)-(2|3-4|5\+)-(live|days)-(people|programs)$/.exec(pool) ?? [];
  return { edition, size, pace, kind };
}

export const named = (part, value, editions) => (part === "edition" ? titleOf(editions, value) : t(`pool.${value}`));

export const poolName = (pool, editions) => { const parts = partsOf(pool); return PARTS.map((part) => named(part, parts[part], editions)).join("\u00a0· "); };
