// A page that holds a replay in a frame steers it by messages: {billet: "goto", version: 57}, {billet: "play"}, {billet: "pause"}.
// It gets {billet: "at", version} after each step. Nothing else can be asked, so that any page may ask.
export function obey(replay) {
  const orders = {
    goto: ({ version }) => Number.isInteger(version) && replay.jump(version),
    play: () => !replay.playing && replay.toggle(),
    pause: () => replay.pause(),
  };
  addEventListener("message", ({ source, data }) => {
    if (source === window.parent && replay.source && Object.hasOwn(orders, data?.billet)) orders[data.billet](data);
  });
  replay.addEventListener("billet-at", ({ detail: version }) => { if (window.parent !== window) window.parent.postMessage({ billet: "at", version }, "*"); });
}
