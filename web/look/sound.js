// A short note when it is one's turn, made here; and a mark in the title of the page.
import { preferences } from "./preferences.js";

let context;
export function chime() {
  if (!preferences.sound) return;
  context ??= new AudioContext();
  for (const [at, pitch] of [[0, 523], [0.14, 784]]) {
    const tone = context.createOscillator(), volume = context.createGain(), start = context.currentTime + at;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.08, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.6);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.7);
  }
}

const plain = document.title;
export function mark(on) {
  document.title = on ? `● ${plain}` : plain;
  if (on) navigator.setAppBadge?.(1).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}
