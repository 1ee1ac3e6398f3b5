"""Games of every status and kind, and the lists that they are on."""

import random

from tests.service.at_table import EN, Game, guest, read

CLOCK = {"seconds": 1000, "on_timeout": "bot_plays"}


def several_games(service):
    """Returns games of every status and kind, and their guests."""
    rng = random.Random(1)
    games = [
        Game.open(service, "creator", "open"),
        Game.open(service, "creator", "open", "random", visibility="unlisted"),
        Game.begin(service, 3).play(rng, 5),
        Game.begin(service, 2, clock=CLOCK).play(rng, 3),
        Game.begin(service, 2, visibility="unlisted").play(rng, 5).cut_short(),
        Game.begin(service, 2, edition="classic").play(rng, 5).cut_short(),
        Game.open(service, "creator", "random", sandbox={"rounds": [{"starter": 1}]}),
        Game.open(service, "random", "cautious"),
        Game.open(service, "creator", "open"),
    ]
    service.administration.abort(games[-1].id)
    left = guest(service)
    service.tables.take_seat(left.token, games[0].id, {}, words=EN)
    games[0].guests[1] = left
    again = Game.begin(service, 2)
    service.tables.leave(again.token(0), again.id, words=EN)
    rematch = read(service.tables.rematch(again.token(1), again.id, words=EN))
    games += [again, Game(service, rematch["id"], again.creator, again.guests)]
    return games, {one for game in games for one in (game.creator, *game.guests.values())}


def lists(service, guests):
    """Returns all lists as everybody reads them."""
    statuses = ("open", "active", "finished", "aborted")
    public = {status: ids(service.lobby.public(None, status)) for status in statuses}
    return public, {guest.id: ids(service.lobby.mine(guest.token)) for guest in guests}


def ids(page):
    assert page["next_cursor"] is None
    return [item["id"] for item in page["items"]]
