// A reader's preferences: language, theme, sound, vibration, asking before sending, whether others' moves and what can be known are shown,
// the last game set up.
import { storage } from "./storage.js";

const { get, set } = storage;

export const preferences = {
  get theme() { return get("theme") ?? "auto"; },
  set theme(value) { set("theme", value); wear(); },
  get language() { return get("language"); },
  set language(value) { set("language", value); },
  get sound() { return get("sound") === "on"; },
  set sound(on) { set("sound", on ? "on" : "off"); },
  get vibrate() { return get("vibrate") === "on"; },
  set vibrate(on) { set("vibrate", on ? "on" : "off"); },
  get setup() { return storage.read("setup"); },
  set setup(value) { storage.write("setup", value); },
  get confirm() { return get("confirm") !== "off"; },
  set confirm(on) { set("confirm", on ? "on" : "off"); },
  get tell() { return get("tell") !== "off"; },
  set tell(on) { set("tell", on ? "on" : "off"); },
  get chances() { return get("chances") === "on"; },
  set chances(on) { set("chances", on ? "on" : "off"); },
};

export function wear() {
  const theme = preferences.theme;
  document.documentElement.style.colorScheme = theme === "auto" ? "light dark" : theme;
}

export const dark = () => preferences.theme === "dark" || (preferences.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
// Nothing moves; sentences are shown all the same.
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
