"""Matches that are played, for tests: as workers carry them out, with programs that act at random."""

import random
from contextlib import suppress

from engine.logs.codec import read_action
from service.store.matches.stored_matches import StoredMatches
from tests.service.at_table import EN, Guest, guest, read

BOTS = [{"bot": "random"}, {"bot": "cautious"}]


def program(service, name="Pro", **accepts) -> Guest:
    """Returns a program that is here and has described itself."""
    player = guest(service, name, "bot")
    described = {"version": "1", "accepts": {"at_once": 10, "rated": True, **accepts}}
    service.players.change(player.token, program=described)
    here(service, player)
    return player


def here(service, *players):
    for player in players:
        service.presence.note(player.id)
    service.presence.write()


def body(*programs, bots=0, **more):
    """Returns the request for a match, by default a duel in four games."""
    entrants = [{"player": one.id} for one in programs] + BOTS[:bots]
    clock = {"clock": {"seconds": 60}} if programs else {}
    return {
        "name": "A match",
        "edition": "standard",
        "entrants": entrants,
        "seats": 2,
        "games": 4,
        "deals": "fresh",
        **clock,
        **more,
    }


def made(service, creator, *programs, **more) -> str:
    """Returns the match that somebody makes and all programs accept."""
    match = service.matches.create(creator.token, body(*programs, **more)).match
    for one in programs:
        service.matches.accept(one.token, match["id"])
    return match["id"]


def view(service, match):
    return service.matches.view(None, match)


def games(service, match):
    """The games of a match that were opened, in their order."""
    return service.matches.games(None, match)["items"][::-1]


def running(service, match):
    """Returns the ids of a match's games that run."""
    stored = StoredMatches(service.redis).read(match)
    return [stored.setup.game(number) for number in stored.running]


def play(service, game, programs=(), seed=1):
    """Plays a game of a match to its end: programs act at random, and bots as they do."""
    rng = random.Random(f"{game} {seed}")
    tokens = {one.id: one.token for one in programs}
    while True:
        service.play.bot_turns(game, 60)
        found = read(service.games.view(None if not programs else programs[0].token, game, words=EN))
        if found["status"] != "active":
            return found
        seat = found["to_act"]
        token = tokens[found["seats"][seat]["player"]["id"]]
        own = read(service.games.view(token, game, words=EN))
        action = rng.choice(own["legal_actions"])["action"]
        service.play.act(token, game, read_action(action), words=EN)


def finish(service, match, programs=(), waves=500):
    """Carries a match out to its end, as workers do."""
    for _ in range(waves):
        service.match_waves.run(match)
        left = running(service, match)
        if not left and view(service, match)["state"] == "ended":
            return view(service, match)
        for game in left:
            resign(service, game, programs)
    raise AssertionError("the match does not end")


def resign(service, game, programs=()):
    """Ends a game of a match quickly: programs leave it, bots play it."""
    for one in programs:
        with suppress(Exception):
            service.tables.leave(one.token, game, words=EN)
    service.play.bot_turns(game, 60)
