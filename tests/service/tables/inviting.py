"""Tables whose seats are reserved for players, and what is refused there."""

import pytest

from games.errors import Refused
from tests.service.at_table import EN, body, read


def table(service, ann, *seats, **more):
    """A table of the creator and what else there is; returns its view."""
    setup = body("creator", "open", **more) | {"seats": [{"kind": "creator"}, *seats]}
    return read(service.tables.create(ann.token, setup, words=EN))


def kept(player):
    return {"kind": "invited", "player": player.id}


OPEN = {"kind": "open"}


def invite(service, ann, game, player, **more):
    return read(service.tables.take_seat(ann.token, game, {"player": player.id, **more}, words=EN))


def refused(call, *arguments, **more):
    with pytest.raises(Refused) as refusal:
        call(*arguments, **{"words": EN, **more})
    return refusal.value


def invited(view):
    return [seat["invited"] and seat["invited"]["name"] for seat in view["seats"]]


def setup_with(player):
    return body("open", "open") | {"seats": [OPEN, {"kind": "invited", "player": player}]}
