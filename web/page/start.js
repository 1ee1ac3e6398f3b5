// The start page.
import "./page.js";
import "../start/element.js";
import { dropping } from "../look/files.js";

dropping((given) => document.querySelector("billet-start, billet-replay").read(given));
