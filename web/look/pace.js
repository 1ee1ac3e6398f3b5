// How long a seat may think, in words.
import { language, t } from "../words/words.js";

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

export function pace(clock) {
  if (!clock) return t("pace.none");
  const said = t(`pace.${clock.kind}`, { time: long(clock.seconds) });
  if (clock.increment) return `${said}, ${t("pace.increment", { time: long(clock.increment) })}`;
  return clock.break_days ? `${said}, ${t("pace.days_off", { n: clock.break_days })}` : said;
}

function long(seconds) {
  const [unit, one] = UNITS.find(([, length]) => seconds % length === 0);
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(seconds / one);
}
