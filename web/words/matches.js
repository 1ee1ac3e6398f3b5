// The words of the pages of matches, which load them alone.
import de from "./de.matches.js";
import en from "./en.matches.js";
import { add } from "./words.js";
import "./players.js";

add({ en, de });
