/** What the package offers: the client, what it fails with, and the types of the document by their names. */

export * from "./billet.js";
export type * from "./document.js";
export * from "./errors.js";
export type { Http } from "./http.js";
export type { Legal, Choose } from "./playing.js";
export type { View } from "./kept.js";
export type { Call, Options } from "./options.js";
