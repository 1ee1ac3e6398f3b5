"""Loads the Lua scripts that run atomically in Redis. Each script describes itself."""

import hashlib
from importlib.resources import files


class Script:
    """A Lua script of this package, known to Redis by its digest."""

    def __init__(self, name: str) -> None:
        self.text = files("service.store").joinpath("lua", name).read_text()
        self.digest = hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()


APPEND = Script("append.lua")
COPY = Script("copy.lua")
LOAD = Script("load.lua")
PUT_AWAY = Script("put_away.lua")
REMOVE = Script("remove.lua")
NAME_ARCHIVE = Script("name_archive.lua")
RETIRE = Script("retire.lua")
LINK = Script("link.lua")
RENAME = Script("rename.lua")
BAN = Script("ban.lua")
ERASE = Script("erase.lua")
CLAIM = Script("claim.lua")
ALIVE = Script("alive.lua")
RESCORE = Script("rescore.lua")
GRANT = Script("grant.lua")
COUNT = Script("count.lua")
ADD = Script("add.lua")
LIST = Script("list.lua")
NOTIFY = Script("notify.lua")
NOTIFIED = Script("notified.lua")
JOIN_LINE = Script("join_line.lua")
NEXT_IN_LINE = Script("next_in_line.lua")
