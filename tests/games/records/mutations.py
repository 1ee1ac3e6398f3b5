"""Every kind of change to one place of a portable log."""

import random
from itertools import product

from engine.rules import RULES_VERSION
from games.records.portable import digest_of

TESTIMONY = {
    ("package_version",),
    *(("game_created", "data", name) for name in ("previous_game", "visibility", "starter", "sandbox", "aids")),
    *(("game_created", "data", "clock", name) for name in ("seconds", "increment", "on_timeout", "break_days")),
    *product(("act", "time_out"), ("cause",), ("thought",), ("bot", "version", "think_ms", "looks")),
    ("", "at"),
}
"""What no other part of a log tells of, or only sometimes: who changes it and the digest with it is not found out."""


def is_testimony(log, path):
    """Whether no other part of a log tells of what stands at a path."""
    kind = kind_of(log, path)
    if kind == ("game_created", "data", "creator"):
        (created, *_) = log["events"]
        return created["data"]["creator"] not in [one.get("player") for one in created["cause"]["joining"]]
    return kind in TESTIMONY


def places(value, path=()):
    """Yields the path of every value in a log that holds no others, and of every empty list or object."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    found = False
    for name, one in inner:
        found = True
        yield from places(one, (*path, name))
    if not found:
        yield path


def other(value, rng):
    """Returns something else than a value, mostly of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return rng.choice([value + 1, max(0, value - 1) if value else 2, True, str(value)])
        case str() if value.endswith("Z") and value[4:5] == "-":
            return value[:-2] + str((int(value[-2]) + 1) % 10) + "Z"
        case str() if len(value) == 64:
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        case str():
            return rng.choice([value + "x", "guard" if value != "guard" else "priest", None])
        case None:
            return rng.choice([0, "guard", False])
        case _:
            return rng.choice([None, "x"])


def changed(log, path, rng):
    """Returns a log with another value at one place; it shares everything else with the one that is given."""
    name, *inner = path
    made = log.copy()
    made[name] = changed(log[name], inner, rng) if inner else other(log[name], rng)
    return made


def mixed_up(log, rng):
    """Yields what happened to the order of a log, and the log: events dropped, doubled, swapped, causes taken away."""
    events = log["events"]
    begins = [i for i, event in enumerate(events) if event["cause"] is not None]
    i = rng.randrange(len(events))
    yield "dropped", {**log, "events": renumbered(events[:i] + events[i + 1 :])}
    yield "dropped, with a gap", {**log, "events": events[:i] + events[i + 1 :]}
    yield "doubled", {**log, "events": renumbered(events[: i + 1] + events[i:])}
    i = rng.randrange(len(events) - 1)
    yield "swapped", {**log, "events": renumbered([*events[:i], events[i + 1], events[i], *events[i + 2 :]])}
    yield "broken off", {**log, "events": events[: max(1, i)]}
    k = rng.randrange(len(begins) - 1)
    begin, end = begins[k], begins[k + 1]
    yield "a step dropped", {**log, "events": renumbered(events[:begin] + events[end:])}
    yield "a step doubled", {**log, "events": renumbered(events[:end] + events[begin:])}
    bare = {**events[begins[k]], "cause": None, "rules": None}
    yield "without a cause", {**log, "events": [*events[: begins[k]], bare, *events[begins[k] + 1 :]]}


def renumbered(events):
    """Returns events with dense versions."""
    return [{**event, "version": number} for number, event in enumerate(events, 1)]


def sealed(log):
    """Returns a log with the digest that belongs to it, as whoever forges one would."""
    return {**log, "digest": digest_of(log)}


def by_other_rules(log):
    """Returns a log that says that all its steps were made by the next version of the rules."""
    events = [{**event, "rules": event["rules"] and RULES_VERSION + 1} for event in log["events"]]
    return sealed({**log, "rules_version": RULES_VERSION + 1, "events": events})


def sampled(log, count, seed):
    """Returns paths in a log: all kinds of them, chosen by a seed."""
    rng = random.Random(seed)
    by_kind = {}
    for path in places(log):
        by_kind.setdefault(kind_of(log, path), []).append(path)
    chosen = [rng.choice(paths) for paths in by_kind.values()]
    return rng.sample(chosen, min(count, len(chosen)))


def kind_of(log, path):
    """Returns what stands at a path, whichever event it is of."""
    if path[0] != "events":
        return path[:1]
    event = log["events"][path[1]]
    names = tuple(name for name in path[2:] if isinstance(name, str))
    whose = event["type"] if names[0] == "data" else (event["cause"] or {}).get("type") if names[0] == "cause" else ""
    return (whose, *names)
