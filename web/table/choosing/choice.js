// From a list of legal actions to one of them, step by step: card, face, target, guess, or what a decision asks.
// Pure. A step is offered only where the list leaves a choice, and skipped where it leaves one.

// The ways to spell an action, as steps in the order they are asked; targets may be chosen in any order.
function spellings(action, most) {
  const { type } = action;
  if (type === "play_card") {
    const guess = action.guess !== undefined ? [["guess", action.guess]]
      : action.guess_value !== undefined ? [["number", action.guess_value]] : [];
    const head = [["card", action.card], ...(action.face ? [["face", action.face]] : [])];
    const seats = action.targets.map((seat) => ["target", seat]);
    const orders = seats.length === 2 ? [seats, [seats[1], seats[0]]] : [seats];
    const enough = seats.length && seats.length < most ? [["enough", seats.length]] : [];
    return orders.map((order) => [...head, ...order, ...enough, ...guess]);
  }
  if (type === "keep_card") return [[["keep", action.keep], ...action.bottom.map((card) => ["bottom", card])]];
  if (type === "redraw_hand") return [[["redraw", action.redraw]]];
  if (type === "peek_hand") return [[["peek", action.seat ?? null]]];
  if (type === "give_hands") return [action.hands.map(({ seat, card }) => [`give-${seat}`, card])];
  return [[["action", JSON.stringify(action)]]];
}

const same = (one, other) => one[0] === other[0] && one[1] === other[1];

// Returns where a choice stands: the steps taken (`skipped` says which by themselves), the kind and options of the next
// one, or the entry of the list that is chosen. An option has `value`, and `entry` where it leaves a single action.
export function stand(legal, chosen) {
  const most = new Map();
  for (const { action } of legal) {
    const at = `${action.card} ${action.face}`;
    most.set(at, Math.max(most.get(at) ?? 0, action.targets?.length ?? 0));
  }
  let ways = legal.flatMap((entry) => spellings(entry.action, most.get(`${entry.action.card} ${entry.action.face}`))
    .map((steps) => ({ steps, entry })));
  const taken = [];
  for (;;) {
    const at = taken.length;
    if (ways.length && ways.every(({ steps }) => steps.length === at)) return { taken, entry: ways[0].entry, options: [] };
    const values = [...new Map(ways.map((way) => [String(way.steps[at]), way.steps[at]])).values()];
    const wanted = chosen[taken.filter(({ skipped }) => !skipped).length];
    const step = values.length === 1 ? values[0] : values.find((value) => wanted && same(value, wanted));
    if (!step) return { taken, entry: null, kind: values[0]?.[0], options: values.map((value) => option(value, ways, at)) };
    taken.push({ kind: step[0], value: step[1], skipped: values.length === 1 });
    ways = ways.filter(({ steps }) => same(steps[at], step));
  }
}

function option(step, ways, at) {
  const entries = new Set(ways.filter(({ steps }) => same(steps[at], step)).map(({ entry }) => entry));
  return { kind: step[0], value: step[1], entry: entries.size === 1 ? [...entries][0] : null };
}

// The actions that a choice leads to.
export function reached(legal, chosen) {
  const { entry, options } = stand(legal, chosen);
  return entry ? [entry] : options.flatMap(({ kind, value }) => reached(legal, [...chosen, [kind, value]]));
}

// The same choice, as far as it still leads anywhere in another list.
export function kept(legal, chosen) {
  for (let length = chosen.length; length > 0; length--) {
    const { taken } = stand(legal, chosen.slice(0, length));
    if (taken.filter(({ skipped }) => !skipped).length === length) return chosen.slice(0, length);
  }
  return [];
}
