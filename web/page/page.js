// What every page does first: its language, its theme, its top.
import { wear } from "../look/preferences.js";
import { language } from "../words/words.js";
import "./bar.js";

document.documentElement.lang = language;
wear();
