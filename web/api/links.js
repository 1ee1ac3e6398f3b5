import { base } from "./client.js";

// The page of a player; the service's own bots have none.
export const pageOf = ({ id }) => (id.startsWith("bot-") ? null : new URL(`players/${id}`, base));

// What the address of a page says behind `#` or `?`, without the full stop or bracket that a chat or a mail has put behind the link.
export const clean = (text) => text?.match(/^[\w.-]*[\w-]/)?.[0] ?? null;

export const given = (part, name) => clean(new URLSearchParams(part.slice(1)).get(name));
