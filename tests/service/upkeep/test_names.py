"""Players are found by how their names begin, as long as they are called so."""

import pytest

from service import Settings
from service.results.searching import MOST_LOOKS
from service.store import keys
from service.store.players.names import StoredNames
from service.upkeep.expiry import LEASE_MS, SETTLED_MS
from service.upkeep.rebuild import rebuild
from tests.service.at_table import guest, refusal

MONTH = 30 * 86400


def page(service, name, **more):
    return service.search.page(None, name=name, **more)


def found(service, name, **more):
    return [one["name"] for one in page(service, name, **more)["items"]]


def named(service, client):
    """What the list holds, as it is stored."""
    return client.zrange(keys.NAMES, 0, -1)


@pytest.mark.parametrize(
    ("name", "sought"),
    [
        ("Ann", "ann"),
        ("ann", "AN"),
        ("\uff21\uff4e\uff4e", "ann"),
        ("Straße", "STRASSE"),
        ("\u00c5ngs", "A\u030angs"),
        ("Ann", "Ann"),
    ],
)
def test_a_name_is_found_by_its_beginning_however_it_is_written(service, name, sought):
    guest(service, name)
    guest(service, "Ben")
    assert found(service, sought) == [name]


def test_nobody_is_found_by_what_stands_in_the_middle_or_by_an_id(service):
    ann = guest(service, "Ann Bee")
    assert found(service, "bee") == found(service, ann.id) == found(service, "ann bee!") == []
    assert page(service, "ann")["items"] == [{"id": ann.id, "name": "Ann Bee", "kind": "human", "online": False}]


def test_who_hides_being_online_is_found_without(service):
    ann = guest(service)
    service.players.change(ann.token, hidden=["online"])
    assert page(service, "ann")["items"][0]["online"] is None


def test_another_name_takes_the_place_of_the_one_before(service, client):
    ann = guest(service, "Ann")
    for name in ("Anna", "ANNA", "Bo"):
        service.players.change(ann.token, name)
    assert (found(service, "an"), found(service, "b")) == ([], ["Bo"])
    assert len(named(service, client)) == 1
    assert refusal(lambda: service.players.change(f"{ann.id}.other", "Cy")).code == "unauthenticated"
    assert len(named(service, client)) == 1


def test_a_name_whose_change_was_interrupted_is_not_shown(service):
    ann = guest(service, "Ann")
    StoredNames(service.redis).add((ann.id, "Bo"))
    assert (found(service, "b"), found(service, "a")) == ([], ["Ann"])


def test_banned_players_are_not_found_until_the_ban_is_lifted(service):
    ann = guest(service)
    service.administration.ban(ann.id)
    assert found(service, "ann") == []
    service.administration.unban(ann.id)
    assert found(service, "ann") == ["Ann"]


def test_nothing_is_left_of_the_name_of_an_erased_player(service, client):
    made = service.players.register("Ann", "human", None, "k" * 32)
    service.administration.erase(made.player.id)
    assert named(service, client) == []
    refusal(lambda: service.players.register("Ann", "human", None, "k" * 32))
    assert named(service, client) == [], "a repeat brings nothing back"


def test_a_repeated_registration_that_was_interrupted_enters_the_name(service, client):
    made = service.players.register("Ann", "human", None, "k" * 32)
    client.delete(keys.NAMES)
    assert service.players.register("Ann", "human", None, "k" * 32).replayed
    assert found(service, "a") == ["Ann"]
    service.players.change(made.token, "Bo")
    service.players.register("Ann", "human", None, "k" * 32)
    assert (found(service, "a"), found(service, "b")) == ([], ["Bo"])


def test_who_expires_is_off_the_list(service, client, clock):
    guest(service)
    for seconds in (MONTH, max(LEASE_MS, SETTLED_MS) / 1000):
        clock.advance(seconds)
        [*service.expiry.expire_players()]
    assert named(service, client) == []


def test_it_is_paged_in_the_order_of_names(service):
    names = [f"Ann {number:03}" for number in range(9)]
    for name in reversed(names):
        guest(service, name)
    listed, cursor = [], None
    while True:
        part = page(service, "ann", limit=4, cursor=cursor)
        listed += [one["name"] for one in part["items"]]
        if (cursor := part["next_cursor"]) is None:
            break
    assert listed == names
    first = page(service, "ann", limit=4)["next_cursor"]
    for wrong in (f"{first}x", "", "WzFd", "W10"):
        assert refusal(lambda wrong=wrong: page(service, "ann", cursor=wrong)).code == "invalid_request"
    assert refusal(lambda: page(service, "b", cursor=first)).faults[0].field == "cursor", "it is of another search"
    assert refusal(lambda: service.search.page("p.wrong", name="a")).code == "unauthenticated"


def test_many_who_are_not_shown_make_a_page_short_and_not_slow(service):
    StoredNames(service.redis).add(*[(f"p{number:020}", "Ann") for number in range(MOST_LOOKS)])
    guest(service, "Anne")
    first = page(service, "ann")
    assert first["items"] == []
    assert [one["name"] for one in page(service, "ann", cursor=first["next_cursor"])["items"]] == ["Anne"]


def test_rebuilding_makes_the_list_anew(service, client, redis_url):
    guest(service, "Ann")
    gone = guest(service, "Ben")
    service.administration.erase(gone.id)
    before = named(service, client)
    client.delete(keys.NAMES)
    StoredNames(service.redis).add((gone.id, "Ben"), ("pnobody", "Cy"))
    rebuild(Settings(redis_url=redis_url))
    assert named(service, client) == before
    assert found(service, "ann") == ["Ann"]
