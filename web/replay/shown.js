// A game from a file takes the place of an element; what cannot be read is thrown as an error in words.
import { brought } from "../words/words.js";

export async function shown(source, place) {
  const opener = () => brought(import("./opening.js"));
  const [{ opened }] = await Promise.all([opener(), brought(import("./element.js"))]);
  const replay = document.createElement("billet-replay");
  replay.film = await opened(source);
  replay.opener = opener;
  document.body.classList.add("game");
  place.replaceWith(replay);
}
