"""Names everything stored in Redis; `channels` names what is published there.

The keys of one game share a hash tag, so that one script can use them together on a Redis Cluster.
"""

DUE = "billet:due"
PENDING_NOTICES = "billet:untold"
UNRECORDED = "billet:unrecorded"
"""The sorted set of ended games whose result may not have been recorded, by when to look at them."""
ENDED = "billet:ended"
"""The sorted set of ended games that are not archived, by time of ending."""
NOT_ARCHIVED = "billet:not-archived"
"""The hash of games whose last archiving attempt failed, with the reason."""
BACKED_UP = "billet:backed-up"
"""When the last backup began that was written whole, in milliseconds since 1970."""
DAMAGED = "billet:damaged"
"""The sorted set of games that could not be read, by the time when that was last found."""
DAMAGED_FILES = "billet:damaged-files"
"""The sorted set of games whose file in the archive is missing or damaged, by the time when that was last found."""
ARCHIVE = "billet:archive"
"""The id of the archive, which its marker file repeats, and whether the marker has been written."""
PACKED_UP_TO = "billet:packed-up-to"
"""The time of ending, in milliseconds since 1970, up to which ended games have been packed."""
INSTALLATION = "billet:installation"
"""The installation's own name, made once; the names of its channels begin with it."""
CHECKED = "billet:checked"
"""The hash that says how far a check of all games has come, until it is done."""
SECRET = "billet:secret"
"""32 random bytes of the installation, in hex, from which unpredictable ids are derived."""
EXPIRING = "billet:expiring"
"""The sorted set of games that will end or leave Redis unless somebody touches them, by when to check them."""
IDLE = "billet:idle"
"""The sorted set of players, by when to check whether they have games."""
MATCHES = "billet:matches"
"""The Redis key of all matches, a sorted set by when they were made."""
MATCHES_DUE = "billet:matches:due"
"""The Redis key of the matches that are not over, a sorted set by when to look at them."""
MATCHES_OVER = "billet:matches:over"
"""The Redis key of the matches that are over, a sorted set by when workers found them so."""
NAMES = "billet:names"
"""The Redis key of all players by their names: a sorted set without scores, in the order of its bytes."""
DAYS_DUE = "billet:days:due"
"""The Redis key of the deals of the day that somebody has tried, a sorted set by when to look at them."""
REVIEWS = "billet:reviews"
"""The sorted set of games whose review is under way, by when to look at them again."""
PROGRAMS = "billet:programs"
"""The Redis key of the programs that describe themselves, a sorted set by when they last did."""
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
STALE = "billet:{lobby}:stale"
"""The sorted set of games with a change that followers of the lobby may not have got, by version."""


RESULTS = "billet:{results}:order"
"""The sorted set of the games with a result, by its number: the cursor of those who follow the results."""
LAST_RESULT = "billet:{results}:last"
"""The last number that a result was given."""
HOSTS = "billet:{lobby}:hosts"
"""The hash of public open tables: their hosts, and whether they were there when followers of the lobby were told."""
SEEN = "billet:{lobby}:seen"
"""The sorted set of players by when they were last seen, for as long as that matters to the lobby."""

WAVES = "billet:{queue}:waves"
"""The sorted set of editions for which somebody waits, by when to match them next."""
QUEUE_TICKETS = "billet:{queue}:tickets"
"""The hash of the players who wait, or are matched and have no game yet, with the queue ticket of each."""
MET = "billet:{queue}:met"
"""The sorted set of pairs of players who were matched, by when that was last; it matters for an hour."""


def log(game: str) -> str:
    """Names the Redis key of a game's log, a stream of events with ids `VERSION-0`."""
    return f"billet:{{{game}}}:log"


def game_of(name: str) -> str:
    """Returns the game of a Redis key."""
    return name[name.index("{") + 1 : name.index("}")]


def all_of(game: str) -> str:
    """Returns the pattern of all Redis keys of a game."""
    return f"billet:{{{game}}}:*"


def ticket(game: str, digest: str) -> str:
    """Names the Redis key of a ticket for a game's stream; it holds the player."""
    return f"billet:{{{game}}}:ticket:{digest}"


def meta(game: str) -> str:
    """Names the Redis key of the hash beside a game's log: its head, its secret, what sweepers and lists read."""
    return f"billet:{{{game}}}:meta"


def packed(game: str) -> str:
    """Names the Redis key of an ended game's packed log, which replaces the stream."""
    return f"billet:{{{game}}}:packed"


def summary(game: str) -> str:
    """Names the Redis key of the events needed to list and view a game with a packed or archived log."""
    return f"billet:{{{game}}}:summary"


def review(game: str) -> str:
    """Names the Redis key of the hash of an ended game's review: the facts about each choice, by version."""
    return f"billet:{{{game}}}:review"


def answer(game: str, player: str, digest: str) -> str:
    """Names the Redis key of the stored answer to a call with an idempotency key."""
    return f"billet:{{{game}}}:answer:{player}:{digest}"


def noop_calls(game: str, player: str) -> str:
    """Names the Redis key of the list of a player's latest idempotency keys that changed nothing in a game.

    Each has the fingerprint of its call.
    """
    return f"billet:{{{game}}}:noop:{player}"


def match(match_id: str) -> str:
    """Names the Redis key of a match's hash: what it is, its state, what came of its games."""
    return f"billet:{{match:{match_id}}}:state"


def day(day_id: str) -> str:
    """Names the Redis key of the hash of a deal of the day: how far it has come, and what came of it."""
    return f"billet:{{day:{day_id}}}:state"


def day_tries(day_id: str) -> str:
    """Names the Redis key of those who have tried a deal of the day, a sorted set by what came of it."""
    return f"billet:{{day:{day_id}}}:tries"


def day_lines(day_id: str) -> str:
    """Names the Redis key of the lines of those who have tried a deal of the day, a hash by player."""
    return f"billet:{{day:{day_id}}}:lines"


def matches_of(player_id: str) -> str:
    """Names the Redis key of the matches that a player has made or is to play, a sorted set by when they were made."""
    return f"billet:player:{player_id}:matches"


def matches_made(player_id: str) -> str:
    """Names the Redis key of those matches that a player has made and that have not ended, a sorted set like that."""
    return f"billet:player:{player_id}:matches:made"


def matches_invited(player_id: str) -> str:
    """Names the Redis key of those matches that a program has not accepted yet, a sorted set like that."""
    return f"billet:player:{player_id}:matches:invited"


def player(player_id: str) -> str:
    """Names the Redis key of a player's hash."""
    return f"billet:player:{player_id}"


def used(player_id: str, digest: str) -> str:
    """Names the Redis key of the fingerprint of the one call for which a player used an idempotency key."""
    return f"billet:{{{player(player_id)}}}:used:{digest}"


def grant(player_id: str, digest: str) -> str:
    """Names the Redis key of the grant of a token that a call with an idempotency key gave a player.

    It shares the cluster slot of the player's hash, because the two are written together.
    """
    return f"billet:{{{player(player_id)}}}:grant:{digest}"


def playing(player_id: str) -> str:
    """Names the Redis key of a player's running games, a sorted set by time of joining."""
    return f"billet:player:{player_id}:playing"


def played(player_id: str) -> str:
    """Names the Redis key of a player's ended games, a sorted set by time of ending."""
    return f"billet:player:{player_id}:played"


def invited(player_id: str) -> str:
    """Names the Redis key of the games a player is invited to, a sorted set by time of the invitation.

    It shares the cluster slot of the player's hash, because the two are read together.
    """
    return f"billet:{{{player(player_id)}}}:invited"


def blocked(player_id: str) -> str:
    """Names the Redis key of the players whom a player has blocked, a sorted set by time.

    It shares the cluster slot of the player's hash, because it is read when the player is notified.
    """
    return f"billet:{{{player(player_id)}}}:blocked"


def opened(player_id: str) -> str:
    """Names the Redis key of the unfinished games that a player has opened, a sorted set by time of opening.

    It shares the cluster slot of the player's hash, because the two are read together.
    """
    return f"billet:{{{player(player_id)}}}:opened"


def opened_from(address_hash: str) -> str:
    """Names the Redis key of the unfinished games opened from an address, a sorted set by time of opening.

    `address_hash` is from `ids.address_hash_of`.
    """
    return f"billet:opened-from:{address_hash}"


def notices(player_id: str) -> str:
    """Names the Redis key of a player's notices, a stream with ids `CURSOR-0` in the slot of the player's hash."""
    return f"billet:{{{player(player_id)}}}:notices"


def results_of(player_id: str, against: str, outcome: str) -> str:
    """Names the Redis key of a player's results of one kind (`ratings.records`), a sorted set by time of ending."""
    return f"billet:{{{player(player_id)}}}:results:{against}:{outcome}"


def approaches(player_id: str) -> str:
    """Names the Redis key of the notices that others cause without playing with the player (`notices.APPROACHES`)."""
    return f"billet:{{{player(player_id)}}}:approaches"


def notified_of(player_id: str, game: str) -> str:
    """Names the Redis key of the version of a game up to which a player has been notified; it expires."""
    return f"billet:{{{player(player_id)}}}:told:{game}"


def notices_read(player_id: str) -> str:
    """Names the Redis key that says that somebody reads a player's notices; it expires when nobody has for long."""
    return f"billet:{{{player(player_id)}}}:asked-for"


def for_notifying(player_id: str, game: str) -> list[str]:
    """Names the Redis keys with which a player is notified of a game, as `notify.lua` takes them."""
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


def of_pool(pool: str, part: str) -> str:
    """Names the Redis key of a part of a pool of ratings: order, inputs, state, outcomes, latest, table."""
    return f"billet:{{pool:{pool}}}:{part}"


def of_pool_player(pool: str, player_id: str) -> str:
    """Names the Redis key of a player's games in a pool of ratings, a sorted set by time of ending."""
    return f"billet:{{pool:{pool}}}:of:{player_id}"


def own_ticket(digest: str) -> str:
    """Names the Redis key of a ticket for the stream of a player's notices; it holds the player."""
    return f"billet:ticket:{digest}"


def line_prefix(queue: str) -> str:
    """Names the prefix of the Redis keys of a queue's lines: `players:ADDRESS` or `line:ADDRESS:PLAYER` follows.

    Both are sorted sets by turn: the players at an address who have a line, and the games in a line.
    """
    return f"billet:{{lines}}:{queue}:"


def line_turns(queue: str) -> str:
    """Names the Redis key of the addresses whose bots wait in line at a queue, a sorted set by turn."""
    return line_prefix(queue) + "turns"


def line_places(queue: str) -> str:
    """Names the Redis key of the games that wait in line at a queue, a hash with address and player."""
    return line_prefix(queue) + "places"


def code_shown(game: str, address: str) -> str:
    """Names the Redis key of the mark that an address has sent a game's right join code; it expires after a day."""
    return f"billet:{{{game}}}:code-shown:{address}"


def counter(name: str) -> str:
    """Names the Redis key of the number of calls that a limit counts; it expires with its window."""
    return f"billet:calls:{name}"


def probe(number: int) -> str:
    """Names the Redis key that checks write to see whether a Redis takes writes; each number has its own slot."""
    return f"billet:{{probe-{number}}}:written"


def touched(key: str) -> str:
    """Names the Redis key that is written in a key's slot, on its node, before waiting for replicas."""
    tag = game_of(key) if "{" in key else key
    return f"billet:{{{tag}}}:touched"


def reported(batch: str) -> str:
    """Names the Redis key of the mark that a batch of measurements has been added to the sums."""
    return f"billet:{{measured}}:reported:{batch}"


def active(edition: str) -> str:
    """Names the Redis key of an edition's running games, a sorted set for operators.

    Sandbox games are left out.
    """
    return f"billet:active:{edition}"


def with_join_code(code: str) -> str:
    """Names the Redis key of the games with a join code: one, unless chance has made the same code twice."""
    return f"billet:joining:{code}"


def left_lobby(game: str) -> str:
    """Names the Redis key of the mark that a game has left the lobby; it expires. It shares the lobby's slot."""
    return f"billet:{{lobby}}:gone:{game}"


def lobby(status: str) -> str:
    """Names the Redis key of the public games with a status, a sorted set by time of creation."""
    return f"billet:lobby:{status}"


def queue_ticket(ticket: str) -> str:
    """Names the Redis key of a queue ticket, a hash."""
    return f"billet:{{queue}}:place:{ticket}"


def waiting_for(edition: str) -> str:
    """Names the Redis key of the queue tickets that wait for an edition, a sorted set by when somebody last asked."""
    return f"billet:{{queue}}:waiting:{edition}"


def pairings(edition: str) -> str:
    """Names the Redis key of an edition's pairings whose games may not be open yet, a hash by game."""
    return f"billet:{{queue}}:pairings:{edition}"
