"""A client that knows nothing but `legal_actions` plays whole games over HTTP, at every table there is."""

from base64 import b32encode
from functools import partial

import pytest

from tests.dealt_billet import next_bytes
from tools.players import mixed_games
from tools.players.endings import check_end
from tools.players.tables import CREATOR, OPEN, SIZES, bots, together

CLOCK = {"seconds": 120, "on_timeout": "bot_plays"}  # longer than any test: it must change nothing


def but_soaked(tables, *now):
    """Returns tables of which the soak alone plays all but those that are named."""
    assert set(now) <= set(tables)
    return [pytest.param(*table, marks=[] if table in now else pytest.mark.soak) for table in tables]


# A game of `premium` takes four times as long at eight seats as at two.
FULL = but_soaked(SIZES[::2], ("standard", 2))
MIXED = but_soaked(SIZES[1::2], ("premium", 3))
"""The tables of people alone and, at the other sizes, of people and bots; `test_soak` plays the other editions."""
UNLISTED = but_soaked([("standard", 4), ("classic", 4), ("premium", 8), ("lovecraft", 6)], ("standard", 4))
FORKED = but_soaked([("standard", 3), ("classic", 2), ("premium", 5), ("lovecraft", 4)], ("classic", 2))
"""Tables whose edition makes no difference to being unlisted or forked."""


def test_the_ids_of_a_test_and_so_its_cards_follow_from_its_name(register, request):
    counted = {"test": request.node.nodeid, "drawn": {}}
    player, game = (next_bytes(counted, 10) for _ in range(2))
    ann = register("Ann")
    assert ann.id == f"p{player.hex()}"
    assert ann.create("standard", [CREATOR, OPEN])["id"] == b32encode(game).decode().lower()


def in_the_second_round(view):
    return view["round"]["number"] == 2


@pytest.mark.parametrize(("edition", "seats"), FULL)
def test_people_alone_play_to_the_end(edition, seats, register):
    people = [register(f"Player {i}") for i in range(seats)]
    clock = {"clock": CLOCK} if seats % 2 else {}
    view = people[0].create(edition, [CREATOR] + [OPEN] * (seats - 1), **clock)
    assert view["status"] == "open"
    for seat, person in reversed(list(enumerate(people))[1:]):
        view = person.join(view["id"], seat=seat)
        assert view["viewer"] == {"seat": seat}
    assert view["status"] == "active"
    together([partial(person.play, view["id"]) for person in people])
    check_end(view["id"], people)


@pytest.mark.parametrize(("edition", "seats"), MIXED)
def test_games_of_people_and_bots_in_every_mixture_are_played_to_the_end(edition, seats, register):
    people = [register(f"Player {i}") for i in range(seats)]
    mixtures = [mixed_games.play(edition, seats, number, people) for number in range(3)]
    assert [outcome.actions > 0 for outcome in mixtures] == [False, True, True]  # of bots alone, with one person, more
    assert all(outcome.plays >= outcome.actions / 2 for outcome in mixtures)


@pytest.mark.parametrize(("edition", "seats"), UNLISTED)
def test_people_and_bots_play_at_an_unlisted_table_for_others(edition, seats, register):
    host, guests = register("Host"), [register(f"Guest {i}") for i in range(2)]
    view = host.create(edition, [OPEN] * seats, visibility="unlisted", starter=1, nonce="salt")
    assert view["viewer"] is None
    for bot_seat in range(2, seats):
        view = host.join(view["id"], seat=bot_seat, bot="cautious")
    for guest in guests:
        view = guest.join(view["id"], join_code=view["join_code"] or host.view(view["id"])["join_code"])
    assert view["status"] == "active"
    assert view["round"]["starter"] == 1
    together([partial(guest.play, view["id"]) for guest in guests])
    check_end(view["id"], [host, *guests])


def test_bots_play_on_when_the_last_person_has_resigned(register):
    person = register()
    view = person.create("standard", [CREATOR, *bots(3)])
    person.play(view["id"], stop=in_the_second_round)
    assert person.delete(f"/games/{view['id']}/seats/me").status_code == 200
    last = person.play(view["id"])
    assert last["seats"][0]["left"]
    assert last["winners"]
    assert 0 not in last["winners"]


@pytest.mark.parametrize(("edition", "seats"), FORKED)
def test_a_fork_is_played_to_an_end_of_its_own_that_can_be_verified(edition, seats, register):
    ann, ben = register("Ann"), register("Ben")
    view = ann.create(edition, [CREATOR, OPEN, *bots(seats - 2)], clock=CLOCK)
    ben.join(view["id"])
    together([partial(person.play, view["id"], stop=in_the_second_round) for person in (ann, ben)])
    assert ann.delete(f"/games/{view['id']}/seats/me").status_code == 200
    ben.play(view["id"])
    last = ann.view(view["id"])["version"]
    answer = ben.post(f"/games/{view['id']}/fork", {"version": last // 2, "bots": [{"seat": 0, "bot": "random"}]})
    assert answer.status_code == 201, answer.text
    fork = answer.json()
    assert fork["viewer"] == {"seat": 1}
    then = ben.view(view["id"], at=fork["forked_from"]["version"])
    assert (fork["round"], fork["to_act"]) == (then["round"], then["to_act"])
    assert [seat["hand"] for seat in fork["seats"]] == [seat["hand"] for seat in then["seats"]]
    assert ben.play(fork["id"])["status"] == "finished"
    log = ben.get(f"/games/{fork['id']}/log").json()
    assert ben.post("/logs/verify", log).json()["valid"]
