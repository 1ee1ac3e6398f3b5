// How far the reader is in each lesson, kept in this browser: the game, the step and how many of its sentences were read.
import { base } from "../api/client.js";
import { storage } from "../look/storage.js";

const PLACE = "learn";
const all = () => storage.read(PLACE) ?? {};

export const addressOf = (lesson) => new URL(`learn?lesson=${lesson}`, base);
export const progress = (lesson) => all()[lesson] ?? {};
export const keep = (lesson, more) => storage.write(PLACE, { ...all(), [lesson]: { ...progress(lesson), ...more } });
// Which lesson a game belongs to.
export const lessonOf = (game) => Object.keys(all()).find((lesson) => progress(lesson).game === game);
