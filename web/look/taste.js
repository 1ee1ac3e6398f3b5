// A reader's preferences, kept in this browser: theme, sound, asking before sending, whether others' moves are shown.

const read = (name) => { try { return localStorage.getItem(`billet.${name}`); } catch { return null; } };
const write = (name, value) => { try { localStorage.setItem(`billet.${name}`, value); } catch { /* a browser that keeps nothing */ } };

export const taste = {
  get theme() { return read("theme") ?? "auto"; },
  set theme(value) { write("theme", value); wear(); },
  get language() { return read("language"); },
  set language(value) { write("language", value); },
  get sound() { return read("sound") === "on"; },
  set sound(on) { write("sound", on ? "on" : "off"); },
  get setup() { try { return JSON.parse(read("setup")); } catch { return null; } },
  set setup(value) { write("setup", JSON.stringify(value)); },
  get confirm() { return read("confirm") !== "off"; },
  set confirm(on) { write("confirm", on ? "on" : "off"); },
  get tell() { return read("tell") !== "off"; },
  set tell(on) { write("tell", on ? "on" : "off"); },
};

export function wear() {
  const theme = taste.theme;
  document.documentElement.style.colorScheme = theme === "auto" ? "light dark" : theme;
}

export const dark = () => taste.theme === "dark" || (taste.theme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
// Nothing moves; sentences are shown all the same.
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
