// The start page.
import "./page.js";
import "../start/element.js";
