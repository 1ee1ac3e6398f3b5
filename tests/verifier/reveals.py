"""Portable logs of games by commit and reveal that somebody has doctored, each sealed with the digest it needs."""

import copy

from engine.shuffle import nonce_digest, revealed_digest
from games.times import ms_of, text_of
from tests.games.records.mutations import renumbered, sealed
from tests.games.whole_logs import read_log

REVEALED, UNREVEALED = 4, 10
"""Seeds of games in which everybody, or all but the creator, reveals in time."""
ANOTHER = "another nonce, of the right length"


def log_of(seed, edition="standard", seats=4):
    """Returns the log of a game at whose table nonces are revealed."""
    return read_log(edition, seats, seed)


def doctored():
    """Yields what was done to a log, and the log."""
    for name, change in CHANGES.items():
        log = copy.deepcopy(log_of(UNREVEALED if change in OF_UNREVEALED else REVEALED))
        yield name, sealed(change(log) or log)


def first(log, kind):
    return next(event for event in log["events"] if event["type"] == kind)


def another_nonce(log):
    revealed = first(log, "nonce_revealed")
    revealed["data"]["nonce"] = revealed["cause"]["nonce"] = ANOTHER


def another_nonce_and_what_it_gives(log):
    another_nonce(log)
    gives(log, first(log, "nonce_revealed")["data"]["seat"], revealed_digest(ANOTHER))


def another_hash(log):
    taken, seat = committed(log)
    taken["nonce_hash"] = nonce_digest(ANOTHER)
    for cause in causes(log):
        for joining in [cause, *cause.get("joining", ())]:
            if joining.get("seat") == seat and "nonce_hash" in joining:
                joining["nonce_hash"] = nonce_digest(ANOTHER)


def another_nonce_and_hash(log):
    """What an operator would do who had found a nonce that it likes."""
    another_hash(log)
    _, seat = committed(log)
    for event in log["events"]:
        if event["type"] == "nonce_revealed" and event["data"]["seat"] == seat:
            event["data"]["nonce"] = event["cause"]["nonce"] = ANOTHER
    gives(log, seat, revealed_digest(ANOTHER))


def what_a_nonce_gives(log):
    gives(log, first(log, "nonce_revealed")["data"]["seat"], nonce_digest(ANOTHER))


def the_hash_as_contribution(log):
    taken, seat = committed(log)
    gives(log, seat, taken["nonce_hash"])


def a_nonce_that_is_left_out(log):
    """Drops the first step in which a nonce is revealed, and says that it never was."""
    at = log["events"].index(first(log, "nonce_revealed"))
    seat = log["events"].pop(at)["data"]["seat"]
    log["events"] = renumbered(log["events"])
    unrevealed(log, seat)


def a_nonce_left_out_when_the_time_was_up(log):
    """Drops the last nonce, too, whose step started the game, and lets the time be up instead."""
    last = [event for event in log["events"] if event["type"] == "nonce_revealed"][-1]
    at = log["events"].index(last)
    started = log["events"][at + 1]
    started["cause"], started["rules"] = {"type": "end_reveal"}, last["rules"]
    log["events"] = renumbered(log["events"][:at] + log["events"][at + 1 :])
    for event in log["events"][at:]:
        event["at"] = text_of(ms_of(event["at"]) + 20_000)
    unrevealed(log, last["data"]["seat"])


def a_seat_wrongly_named(log):
    first(log, "game_started")["data"]["unrevealed"] = [2]


def a_seat_not_named(log):
    first(log, "game_started")["data"]["unrevealed"] = []


def a_start_before_the_time_was_up(log):
    started = first(log, "game_started")
    back = 10_000
    for event in log["events"][log["events"].index(started) :]:
        event["at"] = text_of(ms_of(event["at"]) - back)


def nobody_committed(log):
    started = first(log, "game_started")["data"]
    started["committed"], started["unrevealed"] = [], []


def nobody_was_asked(log):
    at = log["events"].index(first(log, "reveal_started"))
    log["events"] = renumbered(log["events"][:at] + log["events"][at + 1 :])


def others_were_asked(log):
    first(log, "reveal_started")["data"]["seats"].pop()


def a_seat_that_got_up_meanwhile(log):
    at = log["events"].index(first(log, "nonce_revealed"))
    step = log["events"][at]
    left = {"type": "seat_vacated", "v": 1, "data": {"seat": 0}, "cause": {"type": "leave", "seat": 0}}
    taken = next(one for one in log["events"] if one["type"] == "seat_taken" and one["data"]["seat"] == 0)
    joined = {"type": "join", "seat": 0, "player": "p0", "nonce": "", "nonce_hash": taken["data"]["nonce_hash"]}
    back = {"type": "seat_taken", "v": 1, "data": taken["data"], "cause": joined}
    more = [{**step, **one} for one in (left, back)]
    log["events"] = renumbered([*log["events"][:at], *more, *log["events"][at:]])


CHANGES = {
    change.__name__: change
    for change in (
        another_nonce,
        another_nonce_and_what_it_gives,
        another_hash,
        another_nonce_and_hash,
        what_a_nonce_gives,
        the_hash_as_contribution,
        a_nonce_that_is_left_out,
        a_nonce_left_out_when_the_time_was_up,
        a_seat_wrongly_named,
        a_seat_not_named,
        a_start_before_the_time_was_up,
        nobody_committed,
        nobody_was_asked,
        others_were_asked,
        a_seat_that_got_up_meanwhile,
    )
}
OF_UNREVEALED = {a_seat_wrongly_named, a_seat_not_named, a_start_before_the_time_was_up}


def causes(log):
    return [event["cause"] for event in log["events"] if event["cause"] is not None]


def committed(log):
    """Returns the data of the first seat that was taken with a hash and kept to the start, and its number."""
    seat = first(log, "game_started")["data"]["committed"][0]
    taken = [one["data"] for one in log["events"] if one["type"] == "seat_taken" and one["data"]["seat"] == seat]
    return taken[-1], seat


def gives(log, seat, digest):
    """Says that a seat has contributed this, in the head too."""
    log["nonces"][seat] = first(log, "game_started")["data"]["nonces"][seat] = digest


def unrevealed(log, seat):
    gives(log, seat, "")
    started = first(log, "game_started")["data"]
    started["unrevealed"] = sorted([*started["unrevealed"], seat])
