"""Names everything stored in Redis; `channels` names what is published there.

The keys of one game share a hash tag, so that one script can use them together on a Redis Cluster.
"""

DUE = "billet:due"
PENDING_NOTICES = "billet:untold"
ENDED = "billet:ended"
"""The sorted set of ended games that are not archived, by time of ending."""
NOT_ARCHIVED = "billet:not-archived"
"""The hash of games whose last archiving attempt failed, with the reason."""
DAMAGED = "billet:damaged"
"""The sorted set of games that could not be read, by the time when that was last found."""
DAMAGED_FILES = "billet:damaged-files"
"""The sorted set of games whose file in the archive is missing or damaged, by the time when that was last found."""
ARCHIVE = "billet:archive"
"""The id of the archive, which its marker file repeats, and whether the marker has been written."""
PACKED_UP_TO = "billet:packed-up-to"
"""The time of ending, in milliseconds since 1970, up to which ended games have been packed."""
FORM = "billet:form"
"""The newest form in which events may be stored (`service/store/forms/form.py`)."""
SECRET = "billet:secret"
"""32 random bytes of the installation, in hex, from which unpredictable ids are derived."""
EXPIRING = "billet:expiring"
"""The sorted set of games that will end or leave Redis unless somebody touches them, by when to check them."""
IDLE = "billet:idle"
"""The sorted set of players, by when to check whether they have games."""
WORKER_ALIVE = "billet:worker:alive"
RESTORING = "billet:restoring"
"""The digest of the backup that is being restored."""
MEASURED = "billet:{measured}:sums"
"""The measurements of all processes: each sample's sum by its name and labels."""
PROCESSES = "billet:{measured}:processes"
"""The running processes, with their gauges."""

LISTED = "billet:{lobby}:listed"
"""The hash of the games that followers of the lobby see, by id, and the number of changes so far."""
LISTED_CHANGES = "billet:{lobby}:changes"
"""The stream of the latest changes of the lobby; entry ids are `NUMBER-0`."""
DOUBTED = "billet:{lobby}:doubted"
"""The sorted set of games with a change that followers of the lobby may not have been told, by version."""


def log(game: str) -> str:
    """The stream of a game's events; entry ids are `VERSION-0`."""
    return f"billet:{{{game}}}:log"


def game_of(name: str) -> str:
    """The game of a key."""
    return name[name.index("{") + 1 : name.index("}")]


def all_of(game: str) -> str:
    """A pattern of all keys of a game."""
    return f"billet:{{{game}}}:*"


def ticket(game: str, digest: str) -> str:
    """The player of a ticket for a game's stream."""
    return f"billet:{{{game}}}:ticket:{digest}"


def meta(game: str) -> str:
    """The hash beside the log: its head, its secret and what sweepers and lists read."""
    return f"billet:{{{game}}}:meta"


def packed(game: str) -> str:
    """What replaces the stream of a game that has ended: the whole log, compressed."""
    return f"billet:{{{game}}}:packed"


def summary(game: str) -> str:
    """The events needed to list and view a game whose log is packed or archived."""
    return f"billet:{{{game}}}:remains"


def answer(game: str, player: str, digest: str) -> str:
    """The stored answer to a call with an idempotency key."""
    return f"billet:{{{game}}}:answer:{player}:{digest}"


def idle_calls(game: str, player: str) -> str:
    """The list of a player's latest idempotency keys whose calls changed nothing in a game, with their fingerprints."""
    return f"billet:{{{game}}}:idle:{player}"


def player(player_id: str) -> str:
    """The hash of a player."""
    return f"billet:player:{player_id}"


def used(player_id: str, digest: str) -> str:
    """The fingerprint of the one call for which a player used an idempotency key."""
    return f"billet:{{{player(player_id)}}}:used:{digest}"


def grant(player_id: str, digest: str) -> str:
    """The grant of a token that a player was given by a call with an idempotency key.

    It shares the cluster slot of the player's hash, because the two are written together.
    """
    return f"billet:{{{player(player_id)}}}:grant:{digest}"


def playing(player_id: str) -> str:
    """The sorted set of a player's running games, by time of joining."""
    return f"billet:player:{player_id}:playing"


def played(player_id: str) -> str:
    """The sorted set of a player's ended games, by time of ending."""
    return f"billet:player:{player_id}:played"


def invited(player_id: str) -> str:
    """The sorted set of the games a player is invited to, by time of the invitation.

    It shares the cluster slot of the player's hash, because the two are read together.
    """
    return f"billet:{{{player(player_id)}}}:invited"


def blocked(player_id: str) -> str:
    """The sorted set of the players whom a player has blocked, by time.

    It shares the cluster slot of the player's hash, because it is read when the player is notified.
    """
    return f"billet:{{{player(player_id)}}}:blocked"


def opened(player_id: str) -> str:
    """The sorted set of the unfinished games that a player has opened, by time of opening.

    It shares the cluster slot of the player's hash, because the two are read together.
    """
    return f"billet:{{{player(player_id)}}}:opened"


def opened_from(share: str) -> str:
    """The sorted set of the unfinished games opened from an address, by time of opening.

    `share` is the hashed share of the address (`ids.share_of`).
    """
    return f"billet:opened-from:{share}"


def notices(player_id: str) -> str:
    """The stream of a player's notifications, in the cluster slot of the player's hash; entry ids are `CURSOR-0`."""
    return f"billet:{{{player(player_id)}}}:notices"


def approaches(player_id: str) -> str:
    """The stream of those that others can cause without playing with the player (`notices.APPROACHES`)."""
    return f"billet:{{{player(player_id)}}}:approaches"


def notified_of(player_id: str, game: str) -> str:
    """The version of a game up to which a player has been notified; it expires."""
    return f"billet:{{{player(player_id)}}}:told:{game}"


def asked_for(player_id: str) -> str:
    """Whether somebody reads a player's notifications; it expires when nobody has for long."""
    return f"billet:{{{player(player_id)}}}:asked-for"


def for_notifying(player_id: str, game: str) -> list[str]:
    """The keys with which a player is notified of a game, as `notify.lua` takes them."""
    whole = player(player_id)
    own = f"billet:{{{whole}}}:"
    return [
        whole,
        f"{own}notices",
        f"{own}told:{game}",
        f"{own}asked-for",
        f"{own}approaches",
        f"{own}blocked",
    ]


def own_ticket(digest: str) -> str:
    """The player of a ticket for their stream of notifications."""
    return f"billet:ticket:{digest}"


def line_prefix(queue: str) -> str:
    """The prefix of the lines at a queue, followed by `players:ADDRESS` or `line:ADDRESS:PLAYER`.

    Both are sorted sets by turn: the players at an address who have a line, and the games in a line.
    """
    return f"billet:{{lines}}:{queue}:"


def line_turns(queue: str) -> str:
    """The sorted set of the addresses whose bots wait in line at a queue, by turn."""
    return line_prefix(queue) + "turns"


def line_places(queue: str) -> str:
    """The hash of the games that wait in line at a queue, with address and player."""
    return line_prefix(queue) + "places"


def code_shown(game: str, address: str) -> str:
    """The mark that an address has sent the right join code of a game; it expires after a day."""
    return f"billet:{{{game}}}:code-shown:{address}"


def counter(name: str) -> str:
    """The number of calls that a limit counts; it expires with its window."""
    return f"billet:calls:{name}"


def probe(number: int) -> str:
    """What checks write, to see whether a Redis takes writes; each number is in a slot of its own."""
    return f"billet:{{probe-{number}}}:written"


def touched(key: str) -> str:
    """What is written on the node of a key before waiting for its replicas; in the key's slot."""
    tag = game_of(key) if "{" in key else key
    return f"billet:{{{tag}}}:touched"


def reported(batch: str) -> str:
    """The mark that a batch of measurements has been added to the sums."""
    return f"billet:{{measured}}:reported:{batch}"


def active(edition: str) -> str:
    """The sorted set of an edition's running games, for operators.

    Sandbox games are left out.
    """
    return f"billet:active:{edition}"


def joining(code: str) -> str:
    """The sorted set of the games with a join code: one, unless chance has made the same code twice."""
    return f"billet:joining:{code}"


def unlisted(game: str) -> str:
    """The mark that a game has left the lobby; it expires. It shares the cluster slot of the listed games."""
    return f"billet:{{lobby}}:gone:{game}"


def lobby(status: str) -> str:
    """The sorted set of public games with a status, by time of creation."""
    return f"billet:lobby:{status}"
