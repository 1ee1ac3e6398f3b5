// Keys that are held down. A key acts once, when it is pressed, and only on what was asked by then: its repeats act on nothing
// of ours, and nor does its release once something else is asked. What the browser does by itself goes on: typing, scrolling,
// and moving a slider.
const down = new Map();
const late = new Set();

addEventListener("keydown", (event) => {
  if (event.repeat) return;
  down.set(event.code, event);
  late.delete(event.code);
}, true);
addEventListener("keyup", ({ code }) => down.delete(code));
addEventListener("blur", () => { down.clear(); late.clear(); });

// Something new is asked: no key that is down by now is an answer.
export function asksAnew() {
  for (const code of down.keys()) late.add(code);
}

const PRESSES = new Set(["Enter", " ", "Escape"]);
const WRITES = "input:not([type=button], [type=checkbox], [type=file], [type=radio], [type=range], [type=submit]), textarea";

// Keeps such keys from all that listens in a part, and from its buttons, links and fields.
export function guardKeys(part) {
  part.addEventListener("keydown", (event) => {
    if (!event.repeat) return;
    event.stopPropagation();
    const types = event.key === " " && event.composedPath()[0].matches(WRITES);
    if ((PRESSES.has(event.key) && !types) || down.get(event.code)?.defaultPrevented) event.preventDefault();
  }, true);
  part.addEventListener("keyup", (event) => {
    if (!late.delete(event.code)) return;
    event.stopPropagation();
    event.preventDefault();
  }, true);
}
