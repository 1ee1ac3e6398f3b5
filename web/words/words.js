// Words of the interface in the reader's language; names of cards and sentences about the game are the service's.
import { preferences } from "../look/preferences.js";
import de from "./de.js";
import en from "./en.js";

export const languages = { en: "English", de: "Deutsch" };
const wished = [document.documentElement.dataset.billetLanguage, preferences.language, ...navigator.languages].map((tag) => tag?.slice(0, 2).toLowerCase());
export const language = wished.find((tag) => tag in languages) ?? "en";
const catalogues = { en, de };
const catalogue = { ...catalogues[language] };
// The word in every language, as the language may change.
export const everyWord = (key) => Object.values(catalogues).map((words) => words[key]);

// Adds the words of other pages.
export const add = (more) => Object.assign(catalogue, more[language]);

// Returns the text of a key with its {places} filled; for a number `n`, `key.one` where the language says so.
export function t(key, places = {}) {
  const one = "n" in places && new Intl.PluralRules(language).select(places.n) === "one";
  const text = (one && catalogue[`${key}.one`]) || catalogue[key];
  if (text === undefined) throw new Error(`no words for ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, place) => places[place]);
}

// Returns what comes of a file. What the browser says of one that does not come is in the browser's own language.
export const brought = (file) => file.catch(() => { throw new Error(t("trouble")); });
