// The words that the start page and replays need beside those of a table, which loads without them.
import de from "./de.pages.js";
import en from "./en.pages.js";
import { add } from "./words.js";

add({ en, de });
