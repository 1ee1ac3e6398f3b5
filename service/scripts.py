"""The Lua scripts that run inside Redis, each in one step; what they are for is said in the scripts."""

import hashlib
from importlib.resources import files
from typing import Any

import redis
from redis.exceptions import NoScriptError


class Script:
    """A script of this package, called by its digest and sent in full only to a Redis that does not know it."""

    def __init__(self, name: str) -> None:
        self.text = files("service").joinpath(name).read_text()
        self.digest = hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()

    def run(self, client: "redis.Redis", names: list[str], arguments: list[Any], first: Any = None) -> Any:
        """Runs the script in one round trip, after the commands that `first` queues on the pipeline it is given."""
        for known in (True, False):
            if not known:
                client.script_load(self.text)
            pipe = client.pipeline(transaction=False)
            if first is not None:
                first(pipe)
            pipe.evalsha(self.digest, len(names), *names, *arguments)
            try:
                return pipe.execute()[-1]
            except NoScriptError:
                if not known:
                    raise
        raise AssertionError("unreachable")  # pragma: no cover


APPEND = Script("append.lua")
LOAD = Script("load.lua")
CLAIM = Script("claim.lua")
RESCORE = Script("rescore.lua")
