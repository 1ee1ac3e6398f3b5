// The words of players' pages and leaderboards, which load them alone.
import de from "./de.players.js";
import en from "./en.players.js";
import { add } from "./words.js";
import "./pages.js";

add({ en, de });
