"""The Lua scripts that run inside Redis, each in one step; what they are for is said in the scripts."""

import hashlib
from importlib.resources import files


class Script:
    """A script of this package; Redis knows it by its digest."""

    def __init__(self, name: str) -> None:
        self.text = files("service").joinpath(name).read_text()
        self.digest = hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()


APPEND = Script("append.lua")
LOAD = Script("load.lua")
PUT_AWAY = Script("put_away.lua")
CLAIM = Script("claim.lua")
RESCORE = Script("rescore.lua")
GRANT = Script("grant.lua")
COUNT = Script("count.lua")
ADD = Script("add.lua")
TELL = Script("tell.lua")
TOLD = Script("told.lua")
AWAIT_THOUGHT = Script("await_thought.lua")
NEXT_THOUGHT = Script("next_thought.lua")
