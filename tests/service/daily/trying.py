"""Tries at deals of the day, for tests: as people make them and workers carry them out."""

import random

from engine.logs.codec import read_action
from games.daily.days import Day
from games.player import bot_player
from service.store import keys
from tests.service.at_table import EN, Guest, guest, read

NOON = 1_800_014_400_000
"""The middle of a day in UTC."""
WINS = "21"
"""With these choices the deal of that day is won."""


def at_noon(clock, client):
    """Brings a clock to the middle of a day in UTC, whose deals are the same in each run."""
    client.set(keys.SECRET, "00" * 32)
    clock.ms = NOON


def person(service, clock, name="Ann") -> Guest:
    """Returns a person whose account is older than the day."""
    clock.advance(-24 * 3600)
    made = guest(service, name)
    clock.advance(24 * 3600)
    return made


def begin(service, player, edition="standard"):
    """Returns a player's try, begun or as it is."""
    return read(service.daily.begin(player.token, edition, words=EN))


def play(service, player, game, seed="same"):
    """Plays a player's try to its end; the same seed makes the same choices."""
    rng = random.Random(seed)
    while True:
        service.play.bot_turns(game, 60)
        seen = read(service.games.view(player.token, game, words=EN))
        if seen["status"] != "active":
            service.recording.record(game)
            return seen
        action = rng.choice(seen["legal_actions"])["action"]
        service.play.act(player.token, game, read_action(action), words=EN)


def today(clock, edition="standard") -> Day:
    return Day.at(edition, clock.ms)


def let_the_bot_try(service, day):
    """Plays the bot's own try, as workers do."""
    service.day_waves.run(day.id)
    game = day.game(service.players.installation_secret(), bot_player("expert"))
    while service.play.think(game) is not None or service.play.bot_turns(game, 60) is not None:
        pass
    return game


def end(service, clock, day, looks=50):
    """Ends a day and does all that follows."""
    clock.ms = max(clock.ms, day.ends)
    for _ in range(looks):
        service.day_waves.run(day.id)
        if not service.redis.send(("EXISTS", f"billet:{{day:{day.id}}}:tries"))[0]:
            return
    raise AssertionError("the day does not end")
