// Days as the service counts them, in UTC, in the reader's language; and the tokens of a try.
import { language } from "../words/words.js";

const day = new Intl.DateTimeFormat(language, { dateStyle: "full", timeZone: "UTC" });
const short = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
// When that is where the reader is.
const clock = new Intl.DateTimeFormat(language, { timeStyle: "short" });

export const dayOf = (date) => day.format(new Date(date));
export const shortDayOf = (date) => short.format(new Date(date));
export const timeOf = (time) => clock.format(new Date(time));
// One's own tokens first, then those of the bots, most first.
export const score = ([own, ...others]) => [own, ...others.toSorted((one, other) => other - one)].join(" : ");
