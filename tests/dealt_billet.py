"""`billet` that deals by the name of the test that runs, not by chance: what the tests play on in its place.

What a test opens gets the same ids, and so the same cards, in every run. It runs in several processes, which count in
one file what was drawn.
"""

import fcntl
import json
import os
import random
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

COUNTED = "DEALT_BY_TEST"
"""The variable of the environment that names the file."""


@contextmanager
def counting(path):
    """Gives what is counted in a file, for one process at a time, and keeps what becomes of it."""
    with Path(path).open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        counted = json.loads(file.read() or '{"test": "", "drawn": {}, "ids": {}}')
        yield counted
        file.truncate(0)
        file.write(json.dumps(counted))


def begin(path, test):
    """Lets the installation that counts in a file deal to a test from here on."""
    with counting(path) as counted:
        counted |= {"test": test, "drawn": {}, "ids": {}}


def next_bytes(counted, count):
    """Returns the next bytes for the test; each number of bytes is drawn, and counted, by itself."""
    drawn = counted["drawn"].setdefault(str(count), 0)
    counted["drawn"][str(count)] += 1
    return random.Random(f"{counted['test']} {count} {drawn}").randbytes(count)


def token_bytes(count):
    with counting(os.environ[COUNTED]) as counted:
        return next_bytes(counted, count)


def derived_id(*parts):
    """Returns the id that belongs to a player's key for repetition, which a page draws by chance: the same for each."""
    with counting(os.environ[COUNTED]) as counted:
        ids = counted["ids"]
        name = " ".join(parts)
        if name not in ids:
            ids[name] = chance.base64.b32encode(next_bytes(counted, 10)).decode().lower()
        return ids[name]


if __name__ == "__main__":
    from billet import cli
    from billet.processes import serve
    from service import tables
    from service.inputs import chance

    chance.secrets = SimpleNamespace(token_bytes=token_bytes, token_hex=chance.secrets.token_hex)
    tables.derived_id = derived_id
    serve.billet = lambda *words: [sys.executable, "-P", __file__, *words]
    sys.exit(cli.main())
