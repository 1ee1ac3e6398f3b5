"""Rated games that have ended, and players who have played many."""

from tests.service.at_table import EN, Game, guest

POOL = "standard-2-days-people"
"""That of games of two people without a clock."""


def rated(service, *players, kind="human"):
    """Returns a rated game that has ended: the last of the players resigns."""
    ann, ben = players or (guest(service, "Ann", kind), guest(service, "Ben", kind))
    game = Game.open(service, "open", "open", rated=True)
    for seat, player in enumerate((ann, ben)):
        service.tables.take_seat(player.token, game.id, {"seat": seat}, words=EN)
        game.guests[seat] = player
    service.tables.leave(ben.token, game.id, words=EN)
    return game


def recorded(service, *games):
    for game in games:
        service.recording.record(game.id)
    return games


def steady(service, clock):
    """Returns two players whose ratings are no longer provisional."""
    ann, ben = guest(service, "Ann"), guest(service, "Ben")
    for number in range(60):
        clock.advance(86_400)
        recorded(service, rated(service, *((ann, ben) if number % 2 else (ben, ann))))
    return ann, ben
