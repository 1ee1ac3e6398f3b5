"""All that Redis holds."""

from service.store.formats.packed import read_packed


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
