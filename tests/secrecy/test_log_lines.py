"""The lines that the processes log hold no card, no token and no secret, whatever goes wrong."""

import logging
import random
import re

import pytest

from engine.bots import BOTS, Bot
from engine.editions import EDITIONS
from games.errors import Refused, Unavailable
from games.texts.cards import card_name
from games.texts.catalogue import LANGUAGES, catalogue
from service import Settings, build
from service.upkeep.rebuild import rebuild
from tests.service.at_table import Game


def card_words():
    keys = {card.key for edition in EDITIONS.values() for seats in edition.seats for card in edition.cards_for(seats)}
    return keys | {card_name(catalogue(language), key).lower() for language in LANGUAGES for key in keys}


def games_of_all_kinds(service, rng):
    """Yields games of all kinds, step by step; after some turns all but one resign."""
    for edition, seats in (("standard", 5), ("classic", 4), ("premium", 5), ("lovecraft", 4)):
        clock = {"seconds": 600, "on_timeout": "bot_plays"}
        game = Game.open(service, "creator", *["open"] * (seats - 2), "cautious", edition=edition, clock=clock)
        yield game
        game.fill()
        yield game
        for _ in range(30):
            if not game.step(rng):
                break
            yield game
        game.cut_short()
        yield game


@pytest.fixture
def lines(caplog):
    """Returns everything that was logged so far, as text."""
    caplog.set_level(logging.DEBUG)

    def lines():
        formatter = logging.Formatter("%(name)s %(levelname)s %(message)s")
        return [formatter.format(record) for record in caplog.records]

    return lines


NAMED = re.compile(rf"(?<![^\W\d_])({'|'.join(map(re.escape, card_words()))})(?![^\W\d_])")
"""A card by its key or name, which is no part of a longer word."""


def check_no_card(logged, ids=()):
    """Checks that no line names a card; ids, which are drawn from letters and digits, may spell one by chance."""
    for line in logged:
        for one in ids:
            line = line.replace(one, "-")
        assert NAMED.search(line.lower()) is None, line


def test_no_line_of_the_log_names_a_card_or_holds_a_token_or_a_secret_over_games_of_all_kinds(
    service, client, redis_url, lines
):
    rng = random.Random(2)
    settings = Settings(redis_url=redis_url)
    ids, tokens = set(), set()
    for game in games_of_all_kinds(service, rng):
        ids.add(game.id)
        tokens |= {one.token for one in game.guests.values()}
        if rng.random() < 0.1 and game.guests:
            with pytest.raises(Refused):
                game.act(0, {"type": "play_card", "card": "princess", "targets": [7]})
            service.schedule.tasks()
    rebuild(settings)
    with pytest.raises(Refused):
        service.players.me(min(tokens) + "x")
    assert lines(), "something is logged at this level"
    check_no_card(lines(), ids)
    logged = "\n".join(lines())
    secrets = [client.hget(name, "secret").decode() for name in client.keys("billet:*:meta")]
    for secret in (*secrets, *[token.split(".")[1] for token in tokens]):
        assert secret not in logged


def test_no_line_of_the_log_names_a_card_when_bots_fail(service, lines, monkeypatch):
    def tells_all(asked, rng):
        view = asked.view
        raise ValueError(f"I do not know what to do with {view.seats[view.to_act].hand}")

    monkeypatch.setitem(BOTS, "random", Bot(tells_all))
    monkeypatch.setitem(BOTS, "cautious", Bot(lambda asked, rng: asked.view.seats[asked.view.to_act].hand))
    game = Game.open(service, "random", "cautious").play(random.Random(1))
    assert game.view()["status"] == "finished"
    assert sum("bot" in line for line in lines()) > 10
    check_no_card(lines(), [game.id])


def test_no_line_of_the_log_and_no_error_names_a_card_when_redis_is_lost(proxy, lines):
    service = build(Settings(redis_url=proxy.url))
    game = Game.begin(service)
    for when in ("before", "after"):
        seat = game.to_act()
        action = game.legal(seat)[0]
        proxy.lose(when, for_good=True)
        with pytest.raises(Unavailable) as unavailable:
            game.act(seat, action)
        check_no_card([str(unavailable.value), repr(unavailable.value.__cause__)], [game.id])
        proxy.heal()
    check_no_card(lines(), [game.id])
