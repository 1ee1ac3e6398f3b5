"""The names of everything kept in Redis; what is kept there is for the modules that use it to say.

The keys of one game share a hash tag, so that one script may use them together on a Redis Cluster too.
"""

DUE = "billet:due"
UNTOLD = "billet:untold"
ENDED = "billet:ended"
"""The sorted set of the ended games that are not in the archive, by time of ending."""
NOT_ARCHIVED = "billet:not-archived"
"""The hash of the games that could not be archived when it was last tried, with what kept them from it."""
WORKER_ALIVE = "billet:worker:alive"
MEASURED = "billet:{measured}:sums"
"""What all processes have measured, each sample's sum by its name and labels."""
PROCESSES = "billet:{measured}:processes"
"""The processes that run and what each has at present."""
TOKENS = "billet:tokens"
"""The channel on which it is published that a player has another token."""


def log(game: str) -> str:
    """The stream of a game's events; the id of an entry is `VERSION-0`."""
    return f"billet:{{{game}}}:log"


def feed(game: str) -> str:
    """The channel on which appends to a game's log are published."""
    return f"billet:{{{game}}}:feed"


def game_of(name: str) -> str:
    """The game that a key or a channel is about."""
    return name[name.index("{") + 1 : name.index("}")]


def ticket(game: str, digest: str) -> str:
    """Whose ticket it is that opens a stream of a game."""
    return f"billet:{{{game}}}:ticket:{digest}"


def meta(game: str) -> str:
    """The hash beside the log: its head, its secret and what sweepers and lists read."""
    return f"billet:{{{game}}}:meta"


def remains(game: str) -> str:
    """What is kept in the place of the log of a game that is in the archive: the events by which it is listed."""
    return f"billet:{{{game}}}:remains"


def answer(game: str, player: str, digest: str) -> str:
    """The stored answer to a call with an idempotency key."""
    return f"billet:{{{game}}}:answer:{player}:{digest}"


def player(player_id: str) -> str:
    """The hash of a player."""
    return f"billet:player:{player_id}"


def grant(player_id: str, digest: str) -> str:
    """What a token was made of that a player was given by a call with an idempotency key.

    It is beside the player's hash on a cluster too, for the two are written together.
    """
    return f"billet:{{{player(player_id)}}}:grant:{digest}"


def playing(player_id: str) -> str:
    """The sorted set of a player's games that have not ended, by time of joining."""
    return f"billet:player:{player_id}:playing"


def played(player_id: str) -> str:
    """The sorted set of a player's ended games, by time of ending."""
    return f"billet:player:{player_id}:played"


def invited(player_id: str) -> str:
    """The sorted set of the games to which a player is invited, by time of the invitation.

    It is beside the player's hash on a cluster too, for the two are read together.
    """
    return f"billet:{{{player(player_id)}}}:invited"


def opened(player_id: str) -> str:
    """The sorted set of the games that a player has opened and that have not ended, by time of opening.

    It is beside the player's hash on a cluster too, for the two are read together.
    """
    return f"billet:{{{player(player_id)}}}:opened"


def notices(player_id: str) -> str:
    """The stream of what a player has been told, beside the player's hash; the id of an entry is `CURSOR-0`."""
    return f"billet:{{{player(player_id)}}}:notices"


def approaches(player_id: str) -> str:
    """The same stream of what others may have a player told without playing with them (`notices.APPROACHES`)."""
    return f"billet:{{{player(player_id)}}}:approaches"


def told_of(player_id: str, game: str) -> str:
    """The version of a game up to which a player has been told of it; it passes some time after."""
    return f"billet:{{{player(player_id)}}}:told:{game}"


def asked_for(player_id: str) -> str:
    """Whether somebody reads what a player is told; it passes when nobody has for long."""
    return f"billet:{{{player(player_id)}}}:asked-for"


def bell(player_id: str) -> str:
    """The channel on which it is published that a player has been told something."""
    return f"billet:{{{player(player_id)}}}:bell"


def player_of(channel: str) -> str | None:
    """The player whose bell a channel is; None for any other channel."""
    begins, ends = bell("\n").split("\n")
    return channel[len(begins) : -len(ends)] if channel.endswith(ends) else None


def own_ticket(digest: str) -> str:
    """Whose ticket it is that opens the stream of what they are told."""
    return f"billet:ticket:{digest}"


def thought_turns(unattended: bool) -> str:
    """The sorted set of the players whose bots wait for a thought, by turn; `unattended`: in games of bots alone."""
    return f"billet:{{thoughts}}:{'unattended' if unattended else 'attended'}:turns"


def thought_line(unattended: bool, player_id: str) -> str:
    """The list of a player's games, with their versions, in which a bot waits for a thought."""
    return f"billet:{{thoughts}}:{'unattended' if unattended else 'attended'}:line:{player_id}"


def counter(name: str) -> str:
    """The number of calls that a limit counts; it passes with its window."""
    return f"billet:calls:{name}"


def reported(batch: str) -> str:
    """The mark that a batch of measurements has been added to the sums."""
    return f"billet:{{measured}}:reported:{batch}"


def active(edition: str) -> str:
    """The sorted set of the games of an edition that are being played, for operators who want to know how many.

    Sandbox games are not in it: they count nowhere.
    """
    return f"billet:active:{edition}"


def lobby(status: str) -> str:
    """The sorted set of public games with a status, by time of creation."""
    return f"billet:lobby:{status}"
