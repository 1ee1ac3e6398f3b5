"""Programs: how they describe themselves, are found and invited, and how their versions are rated."""

import pytest

from service.lobby import page_cursor
from service.results.player_pages import ONLINE_MS
from service.results.programs import MOST_LOOKS
from service.store import keys
from service.store.players.stored_players import BANNED
from service.store.ratings.stored_pools import StoredPool
from service.upkeep.rebuild import rebuild
from tests.service.at_table import EN, body, guest, read, refusal
from tests.service.ratings.rated_games import rated, recorded

PROGRAMS = "standard-2-days-programs"


def program(service, name="Pro", version="1.0", **more):
    """Returns a program that has described itself; `more` is what it accepts."""
    player = guest(service, name, "bot")
    describe(service, player, version, **more)
    return player


def describe(service, player, version="1.0", **accepts):
    return service.players.change(player.token, program={"version": version, "accepts": accepts})["program"]


def found(service, **wanted):
    return [one["name"] for one in service.programs.page(None, **wanted)["items"]]


def test_a_program_describes_itself_and_everybody_reads_it(service):
    player = guest(service, "Pro", "bot")
    assert service.players.me(player.token)["program"] is None
    said = {"version": "2", "author": "Ann", "about": "Counts cards.", "accepts": {"seats": [2]}}
    stored = service.players.change(player.token, program=said)["program"]
    assert stored | {"accepts": None} == said | {"accepts": None}
    assert stored["accepts"]["seats"] == (2,)
    assert service.players.me(player.token)["program"] == stored
    assert service.pages.page(None, player.id, EN)["program"] == stored
    assert service.own_data.of(player.token)["program"] == stored
    (listed,) = service.programs.page(None)["items"]
    assert listed == {"id": player.id, "name": "Pro", "kind": "bot", "online": False, "program": stored}
    service.players.change(player.token, name="Else")
    assert service.players.me(player.token)["program"] == stored, "what is absent stays"


def test_a_person_is_no_program(service):
    person = guest(service)
    refused = refusal(lambda: describe(service, person))
    assert (refused.code, refused.faults[0].field) == ("invalid_request", "program")
    assert found(service) == []
    assert service.pages.page(None, person.id, EN)["program"] is None


def test_programs_are_found_by_what_they_accept(service, clock):
    program(service, "Duels", seats=[2])
    clock.advance(1)
    program(service, "Classic", editions=["classic"])
    clock.advance(1)
    program(service, "All")
    assert found(service) == ["All", "Classic", "Duels"]
    assert found(service, edition="standard") == ["All", "Duels"]
    assert found(service, edition="classic", seats=3) == ["All", "Classic"]
    clock.advance(1)
    assert found(service, seats=5) == ["All", "Classic"]


def test_programs_are_found_by_whether_they_are_online(service, clock):
    here, hiding = program(service, "Here"), program(service, "Hiding")
    service.players.change(hiding.token, hidden=["online"])
    for one in (here, hiding):
        service.presence.note(one.id)
    service.presence.write()
    assert found(service, online=True) == ["Here"]
    assert {one["name"]: one["online"] for one in service.programs.page(None)["items"]} == {
        "Here": True,
        "Hiding": None,
    }
    clock.advance(ONLINE_MS / 1000)
    assert found(service, online=True) == []


def test_pages_have_each_program_once(service):
    names = {program(service, f"Pro {number}").id for number in range(7)}
    cursor, seen = None, []
    while True:
        page = service.programs.page(None, limit=2, cursor=cursor)
        seen += [one["id"] for one in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(seen) == 7
    assert {*seen} == names


def test_a_page_looks_at_so_many_programs_and_goes_on(service, client):
    one = program(service)
    client.zadd(keys.PROGRAMS, {f"p{number:020}": 2**50 + number for number in range(MOST_LOOKS)})
    page = service.programs.page(None)
    assert page["items"] == []
    assert [item["id"] for item in service.programs.page(None, cursor=page["next_cursor"])["items"]] == [one.id]


def test_cursors_of_others_and_wrong_tokens_are_refused(service):
    assert refusal(lambda: service.programs.page(None, cursor="none")).code == "invalid_request"
    assert refusal(lambda: service.programs.page("p.wrong")).code == "unauthenticated"
    assert service.programs.page(None, cursor=page_cursor(0, 5, ""))["items"] == []


def test_an_erased_program_is_not_found_and_nothing_of_it_is_kept(service, client):
    gone = program(service, "Gone")
    describe(service, gone, "1.1")
    service.administration.erase(gone.id)
    assert found(service) == []
    assert client.zcard(keys.PROGRAMS) == 0
    assert {*client.hgetall(keys.player(gone.id))} == {
        *(b"name", b"token", b"kind", b"created_at", b"versions", b"settling"),
    }


def test_a_banned_program_is_not_found(service):
    banned = program(service)
    service.administration.ban(banned.id)
    assert service.players.stored.token(banned.id) == BANNED
    assert found(service) == []
    service.administration.unban(banned.id)
    assert found(service) == ["Pro"]


# --- invitations ---


def test_a_program_is_invited_to_what_it_accepts_alone(service):
    person, invited = guest(service), program(service, seats=[2], at_once=1)

    def table(*seats, **more):
        return read(service.tables.create(person.token, body(*seats, **more), words=EN))

    setup = {"kind": "invited", "player": invited.id}
    three = {**body("creator", "open", "open"), "seats": [{"kind": "creator"}, setup, {"kind": "open"}]}
    duel = {**three, "seats": three["seats"][:2]}
    refused = refusal(lambda: service.tables.create(person.token, three, words=EN))
    assert (refused.code, refused.detail.key) == ("not_accepted", "detail.program_declines")
    assert (
        refusal(lambda: service.tables.create(person.token, {**duel, "rated": True}, words=EN)).code == "not_accepted"
    )
    open_table = table("creator", "open", "open")
    late = refusal(lambda: service.tables.take_seat(person.token, open_table["id"], {"player": invited.id}, words=EN))
    assert late.code == "not_accepted"
    game = read(service.tables.create(person.token, duel, words=EN))
    assert game["seats"][1]["invited"]["kind"] == "bot", "everybody sees that it is a program"
    service.tables.take_seat(invited.token, game["id"], {}, words=EN)
    busy = refusal(lambda: service.tables.create(person.token, duel, words=EN))
    assert (busy.code, busy.detail.key) == ("not_accepted", "detail.program_busy")
    service.tables.leave(person.token, game["id"], words=EN)
    assert read(service.tables.create(person.token, duel, words=EN))["status"] == "open"


def test_a_rematch_asks_a_program_again(service):
    person, invited = guest(service), program(service)
    seats = [{"kind": "creator"}, {"kind": "invited", "player": invited.id}]
    game = read(service.tables.create(person.token, {**body("creator", "open"), "seats": seats}, words=EN))["id"]
    service.tables.take_seat(invited.token, game, {}, words=EN)
    service.tables.leave(person.token, game, words=EN)
    describe(service, invited, editions=[])
    assert refusal(lambda: service.tables.rematch(person.token, game, words=EN)).code == "not_accepted"


# --- ratings by version ---


@pytest.fixture
def versions(service, clock):
    """Returns two programs of which the first has played two games as each of two versions."""
    one, other = program(service, "One"), program(service, "Other")
    for version in ("1.0", "2.0"):
        describe(service, one, version)
        for _ in range(2):
            clock.advance(10)
            recorded(service, rated(service, one, other))
        clock.advance(10)
    return one, other


def test_each_version_is_rated_for_itself(service, versions):
    one, other = versions
    [pool] = service.pages.ratings(None, one.id)["items"]
    assert pool["pool"] == PROGRAMS
    assert pool["games"] == 2, "of the present version"
    assert [point["version"] for point in pool["history"]] == ["1.0", "1.0", "2.0", "2.0"]
    ratings = [point["rating"] for point in pool["history"]]
    assert 1500 < ratings[0] < ratings[1] > ratings[2] < ratings[3]
    assert service.pages.ratings(None, other.id)["items"][0]["games"] == 4
    [person] = service.pages.ratings(None, recorded(service, rated(service))[0].guests[0].id)["items"]
    assert person["history"][0]["version"] is None


def test_a_game_counts_for_the_version_that_began_it(service, clock):
    one, other = program(service, "One"), program(service, "Other")
    begun = service.tables.create(one.token, body("creator", "open", rated=True), words=EN)
    game = read(begun)["id"]
    service.tables.take_seat(other.token, game, {}, words=EN)
    clock.advance(10)
    describe(service, one, "2.0")
    service.tables.leave(other.token, game, words=EN)
    service.recording.record(game)
    [pool] = service.pages.ratings(None, one.id)["items"]
    assert [point["version"] for point in pool["history"]] == ["1.0"]


@pytest.mark.parametrize("erased", [False, True])
def test_rebuilt_ratings_of_versions_are_equal_also_after_one_is_erased(service, client, settings, versions, erased):
    stored = StoredPool(service.redis, PROGRAMS)
    if erased:
        service.administration.erase(versions[0].id)
    before = [stored.history(player.id, 100) for player in versions]
    for key in client.keys("billet:{pool:*"):
        client.delete(key)
    rebuild(settings)
    assert [stored.history(player.id, 100) for player in versions] == before
