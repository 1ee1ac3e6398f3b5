// The words of the deals of the day, which load them alone.
import { add } from "../words/words.js";
import "../words/players.js";
import de from "./de.js";
import en from "./en.js";

add({ en, de });
