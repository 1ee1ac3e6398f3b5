"""All that Redis holds, and logs that are written there past the service."""

import orjson

from games.snapshot import first_snapshot
from service.store import keys
from service.store.log.event_log import entry_of
from service.store.log.meta import meta_of
from service.store.log.packed import read_packed
from service.store.log.stored_events import checksum_of_entry, decoded, encoded

POISON = b'[1,"no_such",0,[]]'
"""An event of no type."""


def values(client):
    """Everything that Redis holds, by key; packed logs are unpacked."""
    read_by = {
        b"string": client.get,
        b"hash": client.hgetall,
        b"list": lambda name: client.lrange(name, 0, -1),
        b"set": client.smembers,
        b"zset": lambda name: client.zrange(name, 0, -1, withscores=True),
        b"stream": client.xrange,
    }
    for name in client.scan_iter():
        kind = client.type(name)
        found = read_by[kind](name) if kind != b"none" else None  # it has just expired
        yield name, read_packed(found) if name.endswith(b":packed") else found


def entry(game, version, event):
    """Returns the fields of an entry of a game's log as the service stores them; `event` is an object, or stored."""
    raw = event if isinstance(event, bytes) else orjson.dumps(encoded(event))
    return {"e": raw, "c": checksum_of_entry(game, version, raw)}


def read_log(client, game):
    """Returns the events of a game's log, as objects."""
    return [decoded(orjson.loads(fields[b"e"])) for _, fields in client.xrange(keys.log(game))]


def write_log(client, game, events):
    """Puts events in the place of a game's log, as if the service had stored them."""
    client.delete(keys.log(game))
    for version, event in enumerate(events, 1):
        client.xadd(keys.log(game), entry(game, version, event), id=f"{version}-0")


def add_poison(client, game):
    """Appends an event to a game's log that nobody can read, though nothing is missing or changed."""
    version = client.xlen(keys.log(game)) + 1
    client.xadd(keys.log(game), entry(game, version, POISON), id=f"{version}-0")
    client.hset(keys.meta(game), "head", f"{version}:00000000")


def rewrite_game(client, game, events):
    """Puts events in the place of a game's log, and lets the hash beside it say what follows from them."""
    head, secret, join_code = (value.decode() for value in client.hmget(keys.meta(game), "head", "secret", "join_code"))
    first, *entries = [entry_of(version, event) for version, event in enumerate(events, 1)]
    write_log(client, game, events)
    client.hset(
        keys.meta(game), mapping=meta_of(first_snapshot(first, bytes.fromhex(secret), join_code).after(entries, head))
    )


def put_game(client, events):
    """Puts an ended game, given the events of its log, into Redis as the service stores it; returns its id."""
    game, secret = events[0]["data"]["game"], events[-1]["data"]["secret"]
    first, *entries = [entry_of(version, event) for version, event in enumerate(events, 1)]
    ended = first_snapshot(first, bytes.fromhex(secret), "JFZDTVJB").after(entries, f"{len(events)}:0123abcd")
    write_log(client, game, events)
    client.hset(
        keys.meta(game), mapping=meta_of(ended) | {"tell": len(events), "told": len(events), "address_hash": ""}
    )
    return game
