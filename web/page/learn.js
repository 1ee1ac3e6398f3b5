// The page of a lesson: its address names the lesson, and the browser keeps the game.
import "./page.js";
import { given } from "../api/links.js";
import { begin } from "../learn/begin.js";
import "../learn/element.js";
import { LESSONS } from "../learn/lessons.js";
import { progress } from "../learn/progress.js";

const named = given(location.search, "lesson"), lesson = named in LESSONS ? named : "first", place = document.querySelector("#place");
if (progress(lesson).game) {
  const table = document.createElement("billet-lesson");
  table.setAttribute("lesson", lesson);
  place.replaceWith(table);
} else begin(lesson).catch(({ message }) => { place.textContent = message; });
