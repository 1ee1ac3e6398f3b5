// What is heard, made here and quiet: four sounds of the table, and two notes when it is one's turn. All are off until the reader
// chooses them. And a mark in the title of the page.
import { preferences } from "./preferences.js";

// Tones: after how many seconds, from which pitch to which, and for how long.
const SOUNDS = {
  deal: [[0, 1500, 500, 0.09]],
  play: [[0, 260, 130, 0.16], [0.02, 900, 300, 0.06]],
  out: [[0, 294, 277, 0.3], [0.16, 233, 110, 0.6]],
  token: [[0, 1047, 1047, 0.3], [0.09, 1319, 1319, 0.3], [0.18, 1568, 1568, 0.6]],
  turn: [[0, 523, 523, 0.6], [0.14, 784, 784, 0.6]],
};
const HEARD = { round_started: "deal", card_drawn: "deal", card_played: "play", knocked_out: "out", token_awarded: "token" };
const LOUD = 0.08, RISE = 0.015;
// Of several at once one is heard.
const APART_MS = 60;

// Whether the reader has touched the page: before that, browsers keep it silent and still.
const touched = () => navigator.userActivation?.hasBeenActive ?? true;
const last = {};
let context;

function sound(name) {
  const now = performance.now();
  if (!preferences.sound || !touched() || now - (last[name] ?? -APART_MS) < APART_MS) return;
  last[name] = now;
  context ??= new AudioContext();
  strike(context, name);
}

export function strike(context, name) {
  for (const [after, from, to, length] of SOUNDS[name]) {
    const tone = context.createOscillator(), volume = context.createGain(), start = context.currentTime + after, end = start + length;
    tone.frequency.setValueAtTime(from, start);
    tone.frequency.exponentialRampToValueAtTime(to, end);
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(LOUD, start + RISE);
    volume.gain.exponentialRampToValueAtTime(0.0001, end);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(end);
  }
}

// What an event of a game sounds like, if it does.
export function hear({ type }) {
  if (HEARD[type]) sound(HEARD[type]);
}

export const vibrates = Boolean(navigator.vibrate) && matchMedia("(pointer: coarse)").matches;

// Calls the reader: it is their turn.
export function chime() {
  sound("turn");
  if (preferences.vibrate && vibrates && touched()) navigator.vibrate([40, 60, 40]);
}

const plain = document.title;
export function mark(on) {
  document.title = on ? `● ${plain}` : plain;
  if (on) navigator.setAppBadge?.(1).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}
