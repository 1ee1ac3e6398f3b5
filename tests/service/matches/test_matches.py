"""Matches: who makes, accepts and steers them, when their games are opened, and what comes of them."""

import csv
import io

import pytest

from games.notices import MATCH_INVITED
from games.queue.tickets import HERE_MS
from service.lobby import page_cursor
from service.matches.matches import MOST_OPEN
from service.matches.waves import LEASE_MS, SETTLED_MS
from service.store import keys
from tests.service.at_table import EN, guest, read, refusal, told
from tests.service.matches.playing import body, finish, games, here, made, program, resign, running, view


def create(service, creator, *programs, key=None, **more):
    return service.matches.create(creator.token, body(*programs, **more), key).match


def test_bots_play_at_once_and_the_match_ends(service):
    creator = guest(service, "Ann")
    match = create(service, creator, bots=2)
    assert (match["state"], match["played"], match["creator"]["name"]) == ("running", 0, "Ann")
    assert [(one["bot"], one["accepted"]) for one in match["entrants"]] == [("random", True), ("cautious", True)]
    ended = finish(service, match["id"])
    assert (ended["played"], ended["running"]) == (4, 0)
    assert sum(one["share"] for one in ended["standings"]) == pytest.approx(1)
    assert [one["games"] for one in ended["standings"]] == [4, 4]
    assert ended["pairs"][0]["deals"] == 4
    assert service.match_waves.tasks() == [], "nothing is left to do"


def test_a_match_waits_until_all_its_programs_accept(service):
    creator, one, other = guest(service), program(service, "One"), program(service, "Other")
    told(service, one)
    cursor = told(service, one)["cursor"]
    match = create(service, creator, one, other)
    assert match["state"] == "invited"
    [notice] = told(service, one, cursor)["events"]
    assert (notice["type"], notice["game"], notice["player"]["id"]) == (MATCH_INVITED, match["id"], creator.id)
    service.match_waves.run(match["id"])
    assert games(service, match["id"]) == []
    assert service.matches.accept(one.token, match["id"])["state"] == "invited"
    assert service.matches.accept(one.token, match["id"])["state"] == "invited", "again"
    assert service.matches.accept(other.token, match["id"])["state"] == "running"
    service.match_waves.run(match["id"])
    assert len(games(service, match["id"])) == 4


def test_a_program_that_begins_to_follow_is_told_of_the_matches_that_it_has_not_accepted(service):
    creator, other, one = guest(service), guest(service), program(service)
    accepted, declined, open_, blocked = [
        create(service, by, one, bots=1)["id"] for by in (creator, creator, creator, other)
    ]
    service.matches.accept(one.token, accepted)
    service.matches.withdraw(one.token, declined)
    assert {notice["game"] for notice in told(service, one)["events"]} == {blocked, open_}
    service.blocks.block(one.token, other.id, words=EN)
    [notice] = told(service, one)["events"]
    assert (notice["type"], notice["game"], notice["cursor"]) == (MATCH_INVITED, open_, None)
    assert notice["player"]["id"] == creator.id
    assert told(service, creator)["events"] == []


def test_whoever_makes_a_match_of_their_own_has_accepted(service):
    one = program(service)
    match = create(service, one, one, bots=1)
    assert match["state"] == "running"


def test_a_program_that_declines_ends_the_match(service):
    creator, one, other = guest(service), program(service), program(service)
    match = create(service, creator, one, other)["id"]
    service.matches.accept(other.token, match)
    assert service.matches.withdraw(one.token, match)["state"] == "ended"
    assert refusal(lambda: service.matches.accept(one.token, match)).code == "game_over"


def test_others_neither_accept_nor_steer(service):
    creator, one, other = guest(service), program(service), program(service)
    match = create(service, creator, one, other)["id"]
    for do in (service.matches.accept, service.matches.withdraw):
        assert refusal(lambda do=do: do(creator.token, match)).code == "not_seated"
    assert refusal(lambda: service.matches.end(one.token, match)).code == "not_creator"
    assert refusal(lambda: service.matches.change(one.token, match, "paused")).code == "not_creator"
    assert refusal(lambda: service.matches.change(creator.token, match, "paused")).code == "game_not_started"
    assert refusal(lambda: service.matches.accept(None, match)).code == "unauthenticated"
    for do in (service.matches.view, service.matches.games, service.matches.table, service.matches.end):
        assert refusal(lambda do=do: do(creator.token, "mnosuchmatch")).code == "not_found"


# --- who is invited ---


def test_programs_that_do_not_accept_it_are_not_invited(service):
    creator, person, one = guest(service), guest(service), program(service)
    for other, code in (
        (person, "invalid_request"),
        (program(service, editions=["classic"]), "not_accepted"),
        (program(service, rated=False), None),
        (guest(service, "Bare", "bot"), None),
    ):
        refused = refusal(lambda other=other: create(service, creator, one, other)) if code is not None else None
        assert code == (refused.code if refused is not None else None)
    modest = program(service, "Modest", rated=False)
    declined = refusal(lambda: create(service, creator, one, modest, rated=True))
    assert (declined.code, declined.detail.values) == ("not_accepted", {"program": "Modest"}), "it says which of them"
    unknown = guest(service)._replace(id="p" + "0" * 20)
    assert refusal(lambda: create(service, creator, one, unknown)).faults[0].field == "entrants.1.player"


def test_blocks_are_respected(service):
    creator, one, other = guest(service), program(service), program(service)
    service.blocks.block(one.token, creator.id, words=EN)
    assert refusal(lambda: create(service, creator, one, other)).code == "not_accepted"
    service.blocks.unblock(one.token, creator.id)
    service.blocks.block(other.token, one.id, words=EN)
    assert refusal(lambda: create(service, creator, one, other)).code == "not_accepted"
    service.blocks.unblock(other.token, one.id)
    assert create(service, creator, one, other)["state"] == "invited"


def test_only_so_many_matches_are_open(service):
    creator, one = guest(service), program(service)
    matches = [create(service, creator, one, bots=1)["id"] for _ in range(MOST_OPEN)]
    refused = refusal(lambda: create(service, creator, bots=2))
    assert (refused.code, refused.limit) == ("rate_limited", "open_matches")
    assert create(service, one, one, bots=1)["state"] == "running", "what others invite a program to leaves it free"
    assert create(service, guest(service), one, bots=1)["state"] == "invited"
    service.matches.end(creator.token, matches[0])
    assert create(service, creator, one, bots=1)["state"] == "invited"


def test_an_open_match_counts_however_many_were_made_since(service):
    creator = guest(service)
    for _ in range(MOST_OPEN - 1):
        create(service, creator, bots=2)
    for _ in range(51):
        service.matches.end(creator.token, create(service, creator, bots=2)["id"])
    create(service, creator, bots=2)
    assert refusal(lambda: create(service, creator, bots=2)).limit == "open_matches"


def test_an_invitation_is_told_however_many_were_withdrawn_since(service):
    creator, one = guest(service), program(service)
    match = create(service, guest(service), one, bots=1)["id"]
    for _ in range(51):
        service.matches.end(creator.token, create(service, creator, one, bots=1)["id"])
    assert [notice["game"] for notice in told(service, one)["events"]] == [match]


def test_blocking_somebody_declines_the_matches_to_which_they_have_invited(service):
    creator, other, one = guest(service), guest(service), program(service)
    open_, accepted, of_other = [create(service, by, one, bots=1)["id"] for by in (creator, creator, other)]
    service.matches.accept(one.token, accepted)
    service.blocks.block(one.token, creator.id, words=EN)
    assert [view(service, match)["state"] for match in (open_, accepted, of_other)] == ["ended", "running", "invited"]


def test_invitations_to_matches_are_declined_with_all_others(service):
    one = program(service)
    first, other, third = guest(service), guest(service), guest(service)
    matches = [create(service, by, one, bots=1)["id"] for by in (first, other, third)]
    assert service.matches.decline_all(one.token, first.id) == [matches[0]]
    assert sorted(service.matches.decline_all(one.token)) == sorted(matches[1:])
    assert {view(service, match)["state"] for match in matches} == {"ended"}
    assert refusal(lambda: service.matches.decline_all(None)).code == "unauthenticated"


def test_a_retry_gives_the_same_match(service):
    creator = guest(service)
    first = service.matches.create(creator.token, body(bots=2), "key")
    again = service.matches.create(creator.token, body(bots=2), "key")
    assert (first.replayed, again.replayed) == (False, True)
    assert again.match == first.match
    other = refusal(lambda: service.matches.create(creator.token, body(bots=2, games=6), "key"))
    assert other.code == "idempotency_key_reused"
    assert service.matches.create(creator.token, body(bots=2), "another").match["id"] != first.match["id"]


# --- when games are opened ---


def test_only_so_many_games_run_at_once(service):
    creator, one, other = guest(service), program(service, at_once=9), program(service, at_once=9)
    match = made(service, creator, one, other, games=8, at_once=3)
    service.match_waves.run(match)
    first = running(service, match)
    assert len(first) == 3
    service.match_waves.run(match)
    assert running(service, match) == first
    resign(service, first[0], [one])
    service.match_waves.run(match)
    assert len(running(service, match)) == 3
    assert len(games(service, match)) == 4


def test_a_program_plays_no_more_than_it_accepts(service):
    creator, one, other = guest(service), program(service, at_once=2), program(service, at_once=9)
    match = made(service, creator, one, other, games=8, at_once=8)
    service.match_waves.run(match)
    assert len(running(service, match)) == 2


def test_no_game_is_opened_while_a_program_is_away(service, clock):
    creator, one, other, third = guest(service), *(program(service, name) for name in "abc")
    match = made(service, creator, one, other, third, games=6, at_once=16)
    clock.advance(HERE_MS / 1000 + 1)
    here(service, one, third)
    service.match_waves.run(match)
    seats = [{seat["player"]["id"] for seat in game["seats"]} for game in games(service, match)]
    assert seats == [{one.id, third.id}] * 2, "the others wait, and hold up nobody"
    here(service, other)
    service.match_waves.run(match)
    assert len(games(service, match)) == 6


def test_a_program_that_goes_away_loses_the_game_and_not_the_match(service, clock):
    creator, one, other = guest(service), program(service, "One"), program(service, "Other")
    match = made(service, creator, one, other, games=2, at_once=1)
    service.match_waves.run(match)
    [game] = running(service, match)
    mover = read(service.games.view(None, game, words=EN))
    clock.advance(61)
    service.play.time_out(game, mover["version"])
    here(service, one, other)
    service.match_waves.run(match)
    ended = games(service, match)[0]
    assert ended["status"] == "finished"
    assert ended["seats"][mover["to_act"]]["place"] == 2
    assert view(service, match)["state"] == "running"
    assert len(running(service, match)) == 1


def test_a_paused_match_opens_nothing_until_it_is_resumed(service):
    creator = guest(service)
    match = create(service, creator, bots=2, at_once=1)["id"]
    service.match_waves.run(match)
    assert service.matches.change(creator.token, match, "paused")["state"] == "paused"
    for game in running(service, match):
        resign(service, game)
    service.match_waves.run(match)
    found = view(service, match)
    assert (found["played"], found["running"], found["state"]) == (1, 0, "paused")
    assert service.matches.change(creator.token, match, "running")["state"] == "running"
    service.match_waves.run(match)
    assert view(service, match)["running"] == 1


def test_a_paused_match_ends_once_all_its_games_have(service):
    creator = guest(service)
    match = create(service, creator, bots=2, games=2, at_once=2, deals="rotated")["id"]
    service.match_waves.run(match)
    service.matches.change(creator.token, match, "paused")
    for game in running(service, match):
        resign(service, game)
    service.match_waves.run(match)
    assert (view(service, match)["state"], view(service, match)["secret"] is None) == ("ended", False)


def test_a_match_that_is_ended_counts_what_still_runs(service):
    creator = guest(service)
    match = create(service, creator, bots=2, at_once=2)["id"]
    service.match_waves.run(match)
    left = running(service, match)
    assert service.matches.end(creator.token, match)["state"] == "ended"
    assert service.matches.end(creator.token, match)["state"] == "ended", "again"
    assert refusal(lambda: service.matches.change(creator.token, match, "running")).code == "game_over"
    service.match_waves.run(match)
    for game in left:
        resign(service, game)
    service.match_waves.run(match)
    assert view(service, match)["played"] == 2
    assert service.match_waves.tasks() == []


def test_a_game_that_is_called_off_is_not_played_again(service):
    creator, one, other = guest(service), program(service), program(service)
    match = made(service, creator, one, other, games=1)
    service.match_waves.run(match)
    [game] = running(service, match)
    assert refusal(lambda: service.tables.abort(creator.token, game, words=EN)).code == "not_creator"
    service.administration.abort(game)
    service.match_waves.run(match)
    found = view(service, match)
    assert (found["state"], found["played"], found["standings"][0]["games"]) == ("ended", 1, 0)
    [listed] = games(service, match)
    assert (listed["status"], listed["seats"][0]["place"]) == ("aborted", None)


def test_a_game_that_is_removed_as_soon_as_it_was_opened_is_not_opened_again(service):
    creator, one, other = guest(service), program(service), program(service)
    match = made(service, creator, one, other, games=2, at_once=1, deals="rotated")
    service.match_waves.run(match)
    [game] = running(service, match)
    service.administration.delete(game)
    service.match_waves.run(match)
    assert [found["status"] for found in games(service, match)] == ["aborted", "active"], "the deck was seen"


# --- what others see ---


def test_games_of_fresh_deals_are_public_and_count(service):
    creator, one, other = guest(service), program(service, "One"), program(service, "Other")
    match = made(service, creator, one, other, games=2, rated=True)
    service.match_waves.run(match)
    listed = games(service, match)
    for item in listed:
        seen = read(service.games.view(None, item["game"], words=EN))
        assert (seen["rated"], seen["match"]) == (True, {"id": match, "number": item["number"]})
        assert seen["deal"] is None
        assert (item["commitment"], item["secret"]) == (None, None)
        resign(service, item["game"], [other])
        service.recording.record(item["game"])
    assert [result["rated"] for result in service.results.page(None)["results"]] == [True, True]
    [standing] = service.pages.ratings(None, one.id)["items"]
    assert (standing["pool"], standing["games"]) == ("standard-2-live-programs", 2)
    ended = finish(service, match)
    assert [(one["share"], one["place"]) for one in ended["standings"]] == [(1.0, 1), (0.0, 2)]


def test_matches_are_listed(service, clock):
    creator, one = guest(service), program(service)
    names = []
    for number in range(3):
        clock.advance(1)
        names.append(create(service, creator, *([one] if number == 1 else []), bots=1 + (number != 1))["id"])
    assert [match["id"] for match in service.matches.page(None)["items"]] == names[::-1]
    assert [match["id"] for match in service.matches.page(None, player=one.id)["items"]] == [names[1]]
    assert [match["id"] for match in service.matches.page(None, state="invited", player=one.id)["items"]] == [names[1]]
    page = service.matches.page(None, limit=2)
    assert [match["id"] for match in service.matches.page(None, cursor=page["next_cursor"])["items"]] == names[:1]
    assert refusal(lambda: service.matches.page(None, cursor="none")).code == "invalid_request"
    assert refusal(lambda: service.matches.page("p.wrong")).code == "unauthenticated"


def test_games_are_listed_in_pages(service):
    match = create(service, guest(service), bots=2, at_once=16, games=6)["id"]
    service.match_waves.run(match)
    page = service.matches.games(None, match, limit=4)
    assert [game["number"] for game in page["items"]] == [5, 4, 3, 2]
    rest = service.matches.games(None, match, limit=4, cursor=page["next_cursor"])
    assert ([game["number"] for game in rest["items"]], rest["next_cursor"]) == ([1, 0], None)
    assert service.matches.games(None, match, cursor=page_cursor(0, 0, ""))["items"] == []


def test_the_table_has_a_line_for_each_seat(service):
    match = create(service, guest(service), bots=2, games=2)["id"]
    finish(service, match)
    lines = [*csv.DictReader(io.StringIO(service.matches.table(None, match)))]
    assert [(line["number"], line["seat"]) for line in lines] == [("0", "0"), ("0", "1"), ("1", "0"), ("1", "1")]
    assert sum(float(line["share"]) for line in lines) == 2
    assert {line["state"] for line in lines} == {"finished"}


# --- who is erased or banned ---


def test_erasing_ends_matches_and_removes_their_name(service):
    creator, one, other = guest(service), program(service), program(service)
    own, played = create(service, creator, one, bots=1)["id"], create(service, guest(service), one, other)["id"]
    service.administration.erase(creator.id)
    assert (view(service, own)["state"], view(service, own)["name"]) == ("ended", "")
    assert view(service, played)["state"] == "invited"
    service.administration.ban(one.id)
    assert (view(service, played)["state"], view(service, played)["name"]) == ("ended", "A match")


def test_what_was_never_stored_leaves_the_lists(service, client, clock):
    client.zadd(keys.MATCHES, {"mgone": 1_000_000_000_000})
    client.zadd(keys.MATCHES_DUE, {"mgone": 1_000_000_000_000})
    now = service.matches.page(None)
    assert now["items"] == []
    for task in service.match_waves.tasks():
        service.match_waves.run(task.game)
    assert (client.zcard(keys.MATCHES), client.zcard(keys.MATCHES_DUE)) == (0, 0)


def test_a_match_that_is_just_being_stored_stays_listed(service, client, clock):
    match = create(service, guest(service), bots=2)["id"]
    client.delete(keys.match(match))
    service.match_waves.run(match)
    assert client.zscore(keys.MATCHES_DUE, match) is not None
    clock.advance(SETTLED_MS / 1000 + 1)
    service.match_waves.run(match)
    assert client.zscore(keys.MATCHES_DUE, match) is None


def test_a_match_is_looked_at_again_and_again_while_it_runs(service, clock):
    match = create(service, guest(service), bots=2)["id"]
    clock.advance(LEASE_MS / 1000)
    assert [task.game for task in service.match_waves.tasks()] == [match]
    assert service.match_waves.tasks() == []
    clock.advance(LEASE_MS / 1000 + 0.01)
    assert [task.game for task in service.match_waves.tasks()] == [match]


def test_workers_seldom_look_at_a_match_of_which_no_game_runs(service, clock):
    """Anybody can make matches that wait for ever: those that are played are looked at each second all the same."""
    creator, one = guest(service), program(service, "One")
    match = service.matches.create(creator.token, body(one, bots=1, games=6)).match["id"]

    def due():
        return [task.game for task in service.match_waves.tasks()]

    assert due() == [match]
    service.match_waves.run(match)
    clock.advance(9)
    assert due() == []
    service.matches.accept(one.token, match)
    assert due() == [match], "it is looked at as soon as something changes"
    here(service, one)
    service.match_waves.run(match)
    assert running(service, match)
    clock.advance(1)
    assert due() == [match]
    service.matches.change(creator.token, match, "paused")
    for game in running(service, match):
        resign(service, game, [one])
    service.match_waves.run(match)
    clock.advance(9)
    assert due() == []
    service.matches.change(creator.token, match, "running")
    assert due() == [match]


def test_no_cell_of_the_table_of_a_match_begins_a_formula(service):
    """A program that opens CSV may take a name for a formula: there is none in it."""
    creator, one = guest(service), program(service, "=1+1")
    match = made(service, creator, one, bots=1, name="@SUM(1)")
    finish(service, match, [one])
    _, *lines = service.matches.table(None, match).split("\r\n")
    assert all(cell[:1].isalnum() for line in lines if line for cell in line.split(",") if cell)
