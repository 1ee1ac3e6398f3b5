// What this browser keeps for the reader: player, nonces, preferences, notes. Where it keeps nothing, because storage is blocked
// or full, this page remembers it, and `handing.js` hands it on to the next page of ours.

const PREFIX = "billet.";
const held = new Map(Object.entries(globalThis.history?.state?.billet ?? {}));
const parsed = new Map();
// "change" says in `detail` what has changed, by another tab too; "leave" comes before the page leads elsewhere by itself.
export const changes = new EventTarget();
const told = (name) => changes.dispatchEvent(new CustomEvent("change", { detail: name }));

export const storage = {
  // Whether nothing is kept: then another tab, or the address opened anew, knows nothing of this page.
  blocked: false,
  leaving: false,

  get(name) {
    if (held.has(name)) return held.get(name);
    try { return localStorage.getItem(PREFIX + name); } catch { return null; }
  },

  // Nothing, or null, removes it.
  set(name, text = null) {
    const before = held.delete(name);
    try {
      if (text === null) localStorage.removeItem(PREFIX + name);
      else localStorage.setItem(PREFIX + name, text);
    } catch {
      block();
      if (text !== null) held.set(name, text);
    }
    if (before || held.has(name)) storage.hand();
    told(name);
  },

  // The same as plain data. What is kept may be of any age, or by anybody: the caller checks what matters.
  read(name) {
    const text = storage.get(name);
    if (parsed.get(name)?.text !== text) {
      let value = null;
      try { value = JSON.parse(text); } catch { /* as if nothing were kept */ }
      parsed.set(name, { text, value });
    }
    return parsed.get(name).value;
  },
  write(name, value) { storage.set(name, JSON.stringify(value)); },

  // Puts what is remembered into the state of an entry of the history, which no server sees and a reload keeps.
  hand(state = history.state) {
    try { history.replaceState({ ...state, billet: Object.fromEntries(held) }, ""); } catch { /* a document without a history */ }
  },
};

let handing;
function block() {
  if (storage.blocked) return;
  storage.blocked = true;
  handing = import("./handing.js");
}

// Outside a browser, where a log is told in words, there is nothing to keep.
if (globalThis.window) {
  try {
    localStorage.setItem(`${PREFIX}trial`, "");
    localStorage.removeItem(`${PREFIX}trial`);
  } catch {
    block();
  }
  addEventListener("pageshow", () => { storage.leaving = false; });
  addEventListener("storage", ({ key }) => { if (key === null || key.startsWith(PREFIX)) told(key?.slice(PREFIX.length) ?? null); });
}

// What is noted from now on is for the next page.
function leave() {
  storage.leaving = true;
  changes.dispatchEvent(new Event("leave"));
}

// Loads this page anew, with something to be said there.
export function anew(notice) {
  leave();
  storage.write("notice", notice);
  location.reload();
}

// Leads to another page of ours.
export async function go(address) {
  leave();
  if (handing) (await handing).lead(new URL(address, location.href));
  else location.assign(address);
}
