"""What leaves the service is plain JSON without a card that its reader may not know; log lines hold no card at all."""

import json
import logging
import random
import re

import orjson
import pytest

from engine.bots import BOTS, Bot
from engine.editions import EDITIONS, rulebook
from games.errors import Refused, Unavailable
from games.submitted import Submitted
from games.texts.cards import card_name
from games.texts.catalogue import LANGUAGES, catalogue
from service import Settings, build
from service.store import keys
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, Game, guest, said
from tests.service.readable import everything_for, hidden

PLAIN = (dict, list, str, int, float, bool, type(None))


def card_words():
    keys = {card.key for edition in EDITIONS.values() for seats in edition.seats for card in edition.cards_for(seats)}
    return keys | {card_name(catalogue(language), key).lower() for language in LANGUAGES for key in keys}


def check_plain(value, path="$"):
    """Checks that a value is made of nothing but what JSON knows."""
    assert type(value) in PLAIN, path
    if isinstance(value, dict):
        for name, inner in value.items():
            assert type(name) is str, path
            check_plain(inner, f"{path}.{name}")
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            check_plain(inner, f"{path}[{i}]")


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


# --- plain JSON ---


def test_everything_that_leaves_the_service_is_plain_json(service):
    rng = random.Random(1)
    ann = guest(service)
    check_plain(service.players.me(ann.token))
    check_plain(service.schedule.hints())
    for game in games_of_all_kinds(service, rng):
        if rng.random() < 0.1:
            for viewer in (None, *game.guests):
                for answer in (
                    service.games.view(game.token(viewer), game.id, words=EN),
                    service.games.events(game.token(viewer), game.id),
                    service.games.view(game.token(viewer), game.id, at=rng.randrange(1, 3), words=EN),
                ):
                    assert json.loads(answer.body) == orjson.loads(answer.body)
                    assert type(answer.body) is bytes
                    assert answer.tag is None or answer.tag.isascii()
            check_plain(service.lobby.public(None))
            check_plain(service.lobby.mine(game.creator.token))
    check_plain(service.health.ready()._asdict())


def test_refusals_are_plain_json(service):
    game = Game.begin(service, 3, sandbox={"rounds": [{"starter": 0, "order": ["spy", "guard", "king", "baron"]}]})
    calls = [
        lambda: game.act(0, {"type": "play_card", "card": "guard", "targets": [0], "guess": "spy"}),
        lambda: game.act(0, {}),
        lambda: game.act(1, {"type": "redraw_hand", "redraw": True}),
        lambda: game.act(0, {"type": "redraw_hand", "redraw": True}, seen=["x"]),
        lambda: service.tables.create(game.creator.token, {"edition": "x", "seats": []}, words=EN),
        lambda: game.view(at=99),
    ]
    for call in calls:
        with pytest.raises(Refused) as refused:
            call()
        error = refused.value
        check_plain([error.code, error.reason, error.legal_actions, error.version])
        for language in LANGUAGES:
            check_plain(said(error, catalogue(language)))


# --- what others hold ---


@pytest.mark.parametrize(
    ("edition", "seats", "held", "played", "shown"),
    [
        ("standard", 2, "baron", "handmaid", ["guard", "spy", "priest"]),
        ("standard", 6, "baron", "handmaid", []),
        ("classic", 2, "baron", "handmaid", ["guard", "guard", "priest"]),
        ("premium", 8, "bishop", "handmaid", []),
        ("lovecraft", 2, "great_race_of_yith", "elder_sign", ["investigators"] * 4 + ["cthulhu"]),
        ("lovecraft", 6, "great_race_of_yith", "liber_ivonis", []),
    ],
)
def test_what_a_viewer_cannot_know_changes_nothing_they_read(service, client, edition, seats, held, played, shown):
    """Games that differ only in cards out of a viewer's sight are the same to that viewer to the last byte."""
    rng = random.Random(seats)
    deck = list(rulebook(edition, seats, {}).deck)
    for card in (held, played, *shown):
        deck.remove(card)
    seen = []
    for _ in range(2):
        client.flushall()
        rest = deck[:]
        rng.shuffle(rest)
        order = [rest.pop(), *shown, held, *[rest.pop() for _ in range(seats - 1)], played, *rest]
        rounds = [{"starter": 0, "order": order}]
        game = Game.begin(service, seats, edition=edition, sandbox={"rounds": rounds})
        before = [everything_for(service, game, viewer) for viewer in (None, 0)]
        action = next(action for action in game.legal(0) if action["card"] == played)
        done = service.play.act(game.token(0), game.id, Submitted.read(action), words=EN)
        after = [everything_for(service, game, viewer) for viewer in (None, 0)]
        seen.append([*before, hidden(done.body.decode(), game), *after])
    assert seen[0] == seen[1]
    assert played in seen[0][0] or played in seen[0][1], "they read something at all"


def test_what_an_action_was_is_read_by_nobody_else(service, client):
    """Games that differ only in which cards a seat has put back are the same to the others, whatever the log keeps."""
    seen, kept = [], []
    order = ["spy", "chancellor", "guard", "handmaid", "priest", "king", "baron", "countess"]
    for keep, bottom in (("king", ["priest", "baron"]), ("priest", ["king", "baron"]), ("priest", ["baron", "king"])):
        client.flushall()
        game = Game.begin(service, 3, sandbox={"rounds": [{"starter": 0, "order": order}]})
        game.act(0, {"type": "play_card", "card": "chancellor", "targets": []})
        game.act(0, {"type": "keep_card", "keep": keep, "bottom": bottom})
        seen.append([everything_for(service, game, viewer) for viewer in (None, 1, 2)])
        (stored,) = [fields for _, fields in client.xrange(keys.log(game.id)) if b'"type":"keep_card"' in fields[b"e"]]
        kept.append(orjson.loads(stored[b"e"])["cause"]["action"])
        assert '"cause"' not in "".join(seen[-1])
    assert [(action["keep"], *action["bottom"]) for action in kept] == [
        ("king", "priest", "baron"),
        ("priest", "king", "baron"),
        ("priest", "baron", "king"),
    ], "the log knows"
    assert seen[1] == seen[0]
    assert seen[2] == seen[0]


# --- log lines ---


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


@pytest.mark.parametrize(
    "line", ["plays guard", "['great_race_of_yith']", "card=mi_go", "Große Rasse von Yith", "(Graf)"]
)
def test_a_line_that_names_a_card_is_found(line):
    check_no_card(["guarded by the kingdom, counted"])
    with pytest.raises(AssertionError):
        check_no_card(["fine", line])


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
            service.schedule.hints()
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
