"""Backups that nobody has made, by hand or by changing one, and what a Redis holds."""

import gzip
import random
from hashlib import sha256

import orjson
import redis

from service.store import keys
from service.store.scripts import COPY

KEY = "the key of this installation, 32+".replace(" ", "-")
GAME = "abcdefghijkl2345"
PLAYER = "p0123456789abcdef0123"
FIRST = {"format": "billet-backup-1", "at": 1_764_380_000_000}
PLANTED = [
    ["rq:queue:turns", "list", None, ["job"]],
    ["rq:job:x", "hash", None, ["data", "os.system"]],
    [keys.DUE, "zset", None, [GAME, "0"]],
    [keys.player(PLAYER), "hash", None, ["name", "Eve", "kind", "human", "token", "0" * 64]],
    [keys.SECRET, "string", None, "0" * 64],
    [keys.DAMAGED, "zset", None, [GAME, "0"]],
    ["billet:worker:alive", "string", None, "1"],
    [keys.lobby("open"), "zset", None, [GAME, "0"]],
]


def packed(records):
    """Returns the bytes of a backup with lines, whole and not signed."""
    return gzip.compress(sealed(b"".join(orjson.dumps(one) + b"\n" for one in [FIRST, *records]), None))


def sealed(lines, signature):
    """Returns lines with the last one, which holds their digest; of a packed backup, those without its last one."""
    if lines[:2] == b"\x1f\x8b":
        lines = b"".join(gzip.decompress(lines).splitlines(keepends=True)[:-1])
    return lines + orjson.dumps({"sha256": sha256(lines).hexdigest(), "signature": signature}) + b"\n"


def changed(raw, rng):
    """Returns a backup changed at random: its packed bytes, its text, its lines or what they hold.

    Whoever changes what it holds makes the digest anew, as anybody can.
    """
    return rng.choice([_bytes, _text, _lines, _keys, _keys, _keys])(raw, rng)


def _bytes(raw, rng):
    at, length = rng.randrange(len(raw)), rng.randrange(1, 9)
    return rng.choice(
        [
            raw[:at] + bytes([raw[at] ^ (1 << rng.randrange(8))]) + raw[at + 1 :],
            raw[:at] + rng.randbytes(length) + raw[at:],
            raw[:at] + raw[at + length :],
            raw[:at],
            raw + raw,
            raw + rng.randbytes(length),
            raw[:4] + rng.randbytes(4) + raw[8:],  # the time in the head of gzip says nothing
        ]
    )


def _text(raw, rng):
    text = bytearray(gzip.decompress(raw))
    for _ in range(rng.randrange(1, 4)):
        text[rng.randrange(len(text))] = rng.randrange(256)
    return gzip.compress(bytes(text))


def _lines(raw, rng):
    first, *lines, last = gzip.decompress(raw).splitlines(keepends=True)
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines[one], lines[other] = lines[other], lines[one]
        case 2:
            lines.insert(one, lines[other])
        case 3:
            last = orjson.dumps(orjson.loads(last) | {"signature": None}) + b"\n"
    return _again(first, lines, last)


def _keys(raw, rng):
    first, *lines, last = gzip.decompress(raw).splitlines(keepends=True)
    at = rng.randrange(len(lines))
    found = orjson.loads(lines[at])["keys"]
    one = rng.choice(found)
    match rng.randrange(7):
        case 0:
            found.append(rng.choice(PLANTED))
        case 1:
            lines.append(orjson.dumps({"keys": [rng.choice(PLANTED)]}) + b"\n")
        case 2:
            one[0] = rng.choice([name for name, *_ in PLANTED])
        case 3:
            one[1] = rng.choice(["string", "hash", "list", "zset", "stream", "none", "module"])
        case 4:
            one[2] = rng.choice([1, -1, 2**62, 1_900_000_000_000, "x"])
        case 5:
            one[3] = rng.choice(["", "x", [], ["x"], ["x", "y"], [["1-0", ["x", "y"]]], None, 1, {}])
        case 6:
            held = orjson.dumps(one[3])
            at_byte = rng.randrange(len(held))
            change = held[:at_byte] + rng.choice([b"0", b"a", b"]", b'"', b"["]) + held[at_byte + 1 :]
            lines[at] = lines[at].replace(held, change, 1)
            return _again(first, lines, last)
    lines[at] = orjson.dumps({"keys": found}) + b"\n"
    return _again(first, lines, last)


def _again(first, lines, last):
    text = b"".join([first, *lines])
    return gzip.compress(sealed(text, orjson.loads(last)["signature"]))


def mutated(raw, number):
    """Yields so many changed backups, the same in each run."""
    for seed in range(number):
        yield changed(raw, random.Random(seed))


def held(settings):
    """Returns all keys with what they hold and whether they pass."""
    client = redis.Redis.from_url(settings.redis_url)
    found = {}
    for name in client.scan_iter():
        kind, _, value = client.eval(COPY.text, 1, name)[0]
        whole = sorted(zip(value[::2], value[1::2], strict=True)) if kind == b"hash" else value
        found[name.decode()] = (kind, whole, client.pttl(name) > 0)
    return found
