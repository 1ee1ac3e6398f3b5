// What the pages of matches say alike.
import { language, t } from "../words/words.js";
import "../words/matches.js";
import { linked } from "../players/person.js";

// Who takes part, by name: the service names its own bots in no language.
export const nameOf = ({ bot, name }) => (bot ? t(`start.bot.${bot}`) : name);
export const entrant = (one) => linked({ ...one, name: nameOf(one) });

// A match without a name is called by who plays it.
export const titleOf = (match) => match.name || match.entrants.map(nameOf).join(", ");

const percent = new Intl.NumberFormat(language, { style: "percent" }), signed = new Intl.NumberFormat(language, { maximumFractionDigits: 0, signDisplay: "exceptZero" }), rough = new Intl.NumberFormat(language, { maximumSignificantDigits: 2 });
export const share = (value) => percent.format(value);
export const points = (value) => signed.format(100 * value);
export const about = (many) => rough.format(many);
