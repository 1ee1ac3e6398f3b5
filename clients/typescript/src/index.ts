/** The package's exports: the client, its errors, and the types of the OpenAPI document by their names. */

export * from "./billet.js";
export type * from "./calls.js";
export type * from "./document.js";
export * from "./errors.js";
export type { View } from "./kept.js";
export type { Options, Send } from "./options.js";
export type { Choose, Legal } from "./playing.js";
export type { Http } from "./sending/http.js";
