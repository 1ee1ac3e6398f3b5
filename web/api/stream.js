// A stream of the service, opened again whenever it breaks; the line counts as lost until it is open.
import { account } from "./account.js";
import { base, call, nap, setLine } from "./client.js";

// Follows `${path}/${name}` until `signal`, or until it ends while `over()`. `take` gets what comes; `asked` returns what to ask
// for each time. A ticket stands in for the token, which a stream cannot send; throws the problem if none is issued.
// `instead` is called when a stream was not even opened, as where a player has too many.
export async function follow(path, name, { take, signal, asked = () => ({}), types = ["message"], body, over = () => false, instead }) {
  let broken = () => {};
  signal.addEventListener("abort", () => broken());
  // What is open then may never say that it broke.
  addEventListener("offline", () => broken(), { signal });
  try {
    for (;;) {
      const query = new URLSearchParams(asked());
      if (account.token) query.set("ticket", (await call("POST", `${path}/tickets`, body, { signal })).ticket);
      if (signal.aborted) return;
      const source = new EventSource(new URL(`v1${path}/${name}?${query}`, base));
      let opened = false;
      source.onopen = () => { opened = true; setLine(signal, null); };
      for (const type of types) source.addEventListener(type, ({ data }) => take(JSON.parse(data)));
      await new Promise((resolve) => {
        broken = source.onerror = resolve;
      });
      source.close();
      if (signal.aborted || over()) return;
      setLine(signal, "lost");
      if (!opened) await instead?.();
      await nap(1000, signal);
      if (signal.aborted) return;
    }
  } finally {
    setLine(signal, null);
  }
}
