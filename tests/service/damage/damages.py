"""Ways to damage what is stored of a game: every part of it, at its start, in its middle and at its end."""

import gzip
import random
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson

from service.store import keys
from service.store.log.packed import packed, read_packed
from service.store.upkeep.whole_games import names_of


class Place:
    """A game in its Redis and its archive, where chance chooses what is damaged."""

    def __init__(self, client: Any, game: str, others: list[str], archive: Path, rng: random.Random) -> None:
        self.client = client
        self.game = game
        self.other = rng.choice([one for one in others if one != game])
        self.archive = archive
        self.rng = rng

    @property
    def entries(self) -> list[tuple[bytes, dict[bytes, bytes]]]:
        """The entries of the log."""
        return self.client.xrange(keys.log(self.game))

    def rewrite(self, entries: list[tuple[bytes, dict[bytes, bytes]]]) -> None:
        """Puts other entries in the place of the log."""
        self.client.delete(keys.log(self.game))
        for entry_id, fields in entries:
            self.client.xadd(keys.log(self.game), fields, id=entry_id)

    def somewhere(self, entries: list[Any]) -> int:
        """Returns a place in a log: its first, its last, or any."""
        return self.rng.choice([0, self.rng.randrange(len(entries)), len(entries) - 1])

    @property
    def file(self) -> Path:
        """The file in the archive."""
        return next(self.archive.glob(f"*/{self.game}-*.gz"))


def with_a_flipped_bit(raw: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(raw))
    return raw[:at] + bytes([raw[at] ^ 1 << rng.randrange(8)]) + raw[at + 1 :]


# --- the log as a stream ---


def change_an_event(place: Place, change: Callable[[bytes], bytes]) -> None:
    entries = place.entries
    at = place.somewhere(entries)
    raw = entries[at][1][b"e"]
    entries[at][1][b"e"] = change(raw)
    assert entries[at][1][b"e"] != raw
    place.rewrite(entries)


def flip_a_bit_of_an_event(place: Place) -> None:
    change_an_event(place, lambda raw: with_a_flipped_bit(raw, place.rng))


def change_a_number_of_an_event(place: Place) -> None:
    change_an_event(
        place, lambda raw: re.sub(rb"(?<=[:\[,])\d+", lambda number: b"%d" % (int(number[0]) + 1), raw, count=1)
    )


def empty_an_event(place: Place) -> None:
    change_an_event(place, lambda raw: b"")


def lose_a_checksum(place: Place) -> None:
    entries = place.entries
    del entries[place.somewhere(entries)][1][b"c"]
    place.rewrite(entries)


def remove_an_event(place: Place) -> None:
    entries = place.entries
    place.client.xdel(keys.log(place.game), entries[place.somewhere(entries)][0])


def remove_several_events(place: Place) -> None:
    entries = place.entries
    begin = place.somewhere(entries)
    place.client.xdel(
        keys.log(place.game), *[entry_id for entry_id, _ in entries[begin : begin + place.rng.randint(2, 9)]]
    )


def double_an_event(place: Place) -> None:
    entries = place.entries
    at = place.somewhere(entries)
    version = entries[at][0].partition(b"-")[0]
    entries.insert(at + 1, (version + b"-1", entries[at][1]))
    place.rewrite(entries)


def double_an_event_as_the_next(place: Place) -> None:
    entries = place.entries
    at = place.somewhere(entries)
    doubled = [*[fields for _, fields in entries[: at + 1]], *[fields for _, fields in entries[at:]]]
    place.rewrite([(b"%d-0" % version, fields) for version, fields in enumerate(doubled, 1)])


def exchange_two_events(place: Place) -> None:
    entries = place.entries
    one, other = place.rng.sample(range(len(entries)), 2)
    fields = [fields for _, fields in entries]
    fields[one], fields[other] = fields[other], fields[one]
    place.rewrite([(b"%d-0" % version, each) for version, each in enumerate(fields, 1)])


def remove_the_log(place: Place) -> None:
    place.client.delete(keys.log(place.game))


def make_the_log_a_string(place: Place) -> None:
    remove_the_log(place)
    place.client.set(keys.log(place.game), "no stream")


def put_the_log_of_another_there(place: Place) -> None:
    remove_the_log(place)
    other = next(game for game in (place.other, *STREAMS) if game != place.game and place.client.exists(keys.log(game)))
    place.client.copy(keys.log(other), keys.log(place.game), replace=True)


STREAMS: list[str] = []
"""The games whose logs are streams."""


# --- the hash beside it ---


def change_a_field(place: Place) -> None:
    held = {name for name in place.client.hkeys(keys.meta(place.game)) if name not in UNCHECKED}
    name = place.rng.choice(sorted(held))
    value = place.client.hget(keys.meta(place.game), name)
    version, colon, tag = value.partition(b":")
    if name == b"head":
        changed = b"%d" % (int(version) + place.rng.choice([-1, 1])) + colon + tag
    else:
        changed = place.rng.choice([b"", b"x", value + b"0", value[:-1], value[:-1] + b"7"])
    place.client.hset(keys.meta(place.game), name, changed if changed != value else b"y")


def lose_a_field(place: Place) -> None:
    held = {name for name in place.client.hkeys(keys.meta(place.game)) if name not in UNCHECKED}
    name = place.rng.choice(sorted(held))
    place.client.hdel(keys.meta(place.game), name)


UNCHECKED = (b"address_hash", b"hints", b"next_game", b"tell", b"told")
"""Fields that follow from nothing that is stored: any value of their form may be right."""


def garble_what_players_are_told(place: Place) -> None:
    place.client.hset(keys.meta(place.game), place.rng.choice(["tell", "told"]), place.rng.choice(["x", "-1", ""]))


def remove_the_hash(place: Place) -> None:
    place.client.delete(keys.meta(place.game))


def make_the_hash_a_string(place: Place) -> None:
    remove_the_hash(place)
    place.client.set(keys.meta(place.game), "no hash")


def put_the_hash_of_another_there(place: Place) -> None:
    place.client.copy(keys.meta(place.other), keys.meta(place.game), replace=True)


# --- a log that is packed or archived ---


def change_a_value(name: Callable[[str], str]) -> Callable[[Place], None]:
    def change(place: Place) -> None:
        raw = place.client.get(name(place.game))
        way = place.rng.choice(
            [lambda: with_a_flipped_bit(raw, place.rng), lambda: raw[: place.rng.randrange(len(raw))]]
        )
        place.client.set(name(place.game), way())

    return change


def lose_a_value(name: Callable[[str], str]) -> Callable[[Place], None]:
    return lambda place: place.client.delete(name(place.game))


def pack_other_events(place: Place) -> None:
    events = read_packed(place.client.get(keys.packed(place.game)))
    at = place.somewhere(events)
    way = place.rng.choice(["removed", "doubled", "changed"])
    if way == "removed":
        del events[at]
    elif way == "doubled":
        events.insert(at, events[at])
    else:
        events[at]["at"] = "2030-01-01T00:00:00.000Z"
    place.client.set(keys.packed(place.game), packed(events))


def summarize_other_events(place: Place) -> None:
    parts = orjson.loads(zlib.decompress(place.client.get(keys.summary(place.game))))
    part = place.rng.choice(parts)
    part.pop(place.rng.randrange(len(part)))
    place.client.set(keys.summary(place.game), zlib.compress(orjson.dumps(parts)))


def leave_the_stream_beside_it(place: Place) -> None:
    place.client.copy(keys.log(place.rng.choice(STREAMS)), keys.log(place.game))


# --- a file of the archive ---


def change_the_file(place: Place) -> None:
    raw = place.file.read_bytes()
    way = place.rng.choice([lambda: with_a_flipped_bit(raw, place.rng), lambda: raw[: place.rng.randrange(len(raw))]])
    place.file.write_bytes(way())


def remove_the_file(place: Place) -> None:
    place.file.unlink()


def remove_an_event_of_the_file(place: Place) -> None:
    lines = gzip.decompress(place.file.read_bytes()).splitlines(keepends=True)
    del lines[place.somewhere(lines)]
    place.file.write_bytes(gzip.compress(b"".join(lines), mtime=0))


OF_ALL = (
    change_a_field,
    change_a_field,
    lose_a_field,
    lose_a_field,
    garble_what_players_are_told,
    remove_the_hash,
    make_the_hash_a_string,
    put_the_hash_of_another_there,
)
OF_STREAMS = (
    flip_a_bit_of_an_event,
    flip_a_bit_of_an_event,
    change_a_number_of_an_event,
    empty_an_event,
    lose_a_checksum,
    remove_an_event,
    remove_an_event,
    remove_several_events,
    double_an_event,
    double_an_event_as_the_next,
    exchange_two_events,
    remove_the_log,
    make_the_log_a_string,
    put_the_log_of_another_there,
)
OF_SUMMARIES = (
    change_a_value(keys.summary),
    lose_a_value(keys.summary),
    summarize_other_events,
    leave_the_stream_beside_it,
)
OF_PACKED = (change_a_value(keys.packed), lose_a_value(keys.packed), pack_other_events)
OF_FILES = (change_the_file, remove_the_file, remove_an_event_of_the_file)


def ways_to_damage(client: Any, game: str) -> tuple[Callable[[Place], None], ...]:
    """Returns how a game can be damaged, by where its log is."""
    if client.exists(keys.log(game)):
        return (*OF_STREAMS, *OF_ALL)
    if client.exists(keys.packed(game)):
        return (*OF_PACKED, *OF_SUMMARIES, *OF_ALL)
    return (*OF_FILES, *OF_SUMMARIES, *OF_ALL)


class Kept:
    """All that is stored of a game, to be put back."""

    def __init__(self, place: Place) -> None:
        self._client = place.client
        self._held = {name: place.client.dump(name) for name in names_of(place.game)}
        self._files = {path: path.read_bytes() for path in place.archive.glob(f"*/{place.game}-*.gz")}

    def put_back(self) -> None:
        """Puts a game back as it was kept."""
        for name, raw in self._held.items():
            if raw is None:
                self._client.delete(name)
            else:
                self._client.restore(name, 0, raw, replace=True)
        for path, raw in self._files.items():
            path.write_bytes(raw)
