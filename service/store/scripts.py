"""Loads the Lua scripts that run atomically in Redis. Each script describes itself."""

import hashlib
from importlib.resources import files


class Script:
    """A Lua script beside the module that runs it, known to Redis by its digest."""

    def __init__(self, name: str) -> None:
        self.text = files("service.store").joinpath(name).read_text()
        self.digest = hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()


APPEND = Script("log/append.lua")
COPY = Script("upkeep/copy.lua")
LOAD = Script("log/load.lua")
REPLACE = Script("log/replace.lua")
REMOVE = Script("log/remove.lua")
NAME_ARCHIVE = Script("name_archive.lua")
RETIRE = Script("players/retire.lua")
LINK = Script("log/link.lua")
HINT = Script("log/hint.lua")
REVIEW = Script("log/review.lua")
CHANGE_PLAYER = Script("players/change.lua")
BAN = Script("players/ban.lua")
ERASE = Script("players/erase.lua")
CLAIM = Script("lists/claim.lua")
ALIVE = Script("metrics/alive.lua")
RESCORE = Script("lists/rescore.lua")
GRANT = Script("players/grant.lua")
COUNT = Script("limits/count.lua")
ADD = Script("metrics/add.lua")
LIST = Script("lists/list.lua")
ADD_RATED = Script("ratings/add.lua")
REMOVE_RATED = Script("ratings/remove.lua")
COMMIT_RATINGS = Script("ratings/commit.lua")
RECORD = Script("lists/record.lua")
NOTIFY = Script("feeds/notify.lua")
NOTIFIED = Script("feeds/notified.lua")
JOIN_LINE = Script("jobs/join_line.lua")
NEXT_IN_LINE = Script("jobs/next_in_line.lua")
ASK = Script("queue/ask.lua")
STOP = Script("queue/stop.lua")
TAKE = Script("queue/take.lua")
OPENED = Script("queue/opened.lua")
GIVE_UP = Script("queue/give_up.lua")
BEGIN_MATCH = Script("matches/begin.lua")
MOVE_MATCH = Script("matches/move.lua")
OPEN_GAME = Script("matches/open.lua")
NOTE_THERE = Script("matches/there.lua")
ADD_LINE = Script("daily/add_line.lua")
TRY_DEAL = Script("daily/try.lua")
WAVES = Script("queue/waves.lua")
