"""Decks that several games of a match share: nobody learns of one while a game with it is still to be played."""

import pytest

from engine.shuffle import commitment
from games.matches.setup import REFERENCE, ROTATED, deal_secret
from games.records.verification import verify
from service.store.matches.stored_matches import StoredMatches
from service.upkeep.ended_logs import stored_logs
from tests.service.at_table import EN, guest, read, refusal
from tests.service.matches.playing import finish, games, made, play, program, resign, running, view


@pytest.fixture
def match(service):
    """A match of two programs on two reference deals, of which the first game has ended."""
    return Played(service)


class Played:
    def __init__(self, service):
        self.service = service
        self.creator = guest(service)
        self.programs = [program(service, "One"), program(service, "Other")]
        more = {"deals": REFERENCE, "against": [{"bot": "random"}], "games": 4, "at_once": 1}
        self.id = made(service, self.creator, *self.programs, **more)
        service.match_waves.run(self.id)
        [self.game] = running(service, self.id)
        play(service, self.game, self.programs[:1])
        service.match_waves.run(self.id)

    @property
    def stored(self):
        return StoredMatches(self.service.redis).read(self.id)

    def finish(self):
        return finish(self.service, self.id, self.programs)


def readers(service, match):
    """Returns whoever must not look, by their tokens: everybody but the program that has played."""
    return [None, match.creator.token, match.programs[1].token, guest(service).token]


def test_nobody_else_looks_at_a_game_while_its_deck_is_in_use(service, match):
    for token in readers(service, match):
        for look in (
            lambda token=token: service.games.view(token, match.game, words=EN),
            lambda token=token: service.games.view(token, match.game, as_="all", words=EN),
            lambda token=token: service.games.events(token, match.game),
            lambda token=token: service.games.rounds(token, match.game),
            lambda token=token: service.games.log(token, match.game),
            lambda token=token: service.frames.page(token, match.game, words=EN),
            lambda token=token: service.game_streams.begin(token, match.game, words=EN),
        ):
            assert refusal(look).code == "game_not_finished"


def test_whoever_played_sees_what_their_seat_saw_and_no_more(service, match):
    token = match.programs[0].token
    view_ = read(service.games.view(token, match.game, words=EN))
    assert view_["status"] == "finished"
    for more in ({"as_": "all"}, {"as_": 1 - view_["viewer"]["seat"]}):
        refused = refusal(lambda more=more: service.games.view(token, match.game, words=EN, **more))
        assert refused.code == "game_not_finished"
    assert refusal(lambda: service.games.log(token, match.game)).code == "game_not_finished"
    fork = {"version": view_["version"] - 2}
    assert refusal(lambda: service.tables.fork(token, match.game, fork, words=EN)).code == "game_not_finished"
    events = read(service.games.events(token, match.game))["events"]
    assert "secret_revealed" not in {event["type"] for event in events}


def test_the_deck_is_revealed_once_its_last_game_has_ended(service, match):
    [other] = running(service, match.id)
    assert [game["secret"] for game in games(service, match.id)] == [None, None]
    resign(service, other, match.programs)
    service.match_waves.run(match.id)
    secret = deal_secret(match.stored.secret, 0)
    listed = games(service, match.id)
    assert [game["secret"] for game in listed] == [secret.hex(), secret.hex(), None]
    assert {game["commitment"] for game in listed[:2]} == {commitment(secret)}
    for game in (match.game, other):
        log = service.games.log(None, game)
        assert log["secret"] == secret.hex()
        verdict = verify(log)
        assert (verdict.divergence, verdict.unchecked) == (None, ())
    assert read(service.games.view(None, match.game, as_="all", words=EN))["deal"] == f"{match.id}/0"
    [third] = running(service, match.id)
    assert refusal(lambda: service.games.view(None, third, words=EN)).code == "game_not_finished"


def test_the_secret_of_the_match_is_revealed_when_all_is_over(service, match):
    before = view(service, match.id)
    assert (before["commitment"], before["secret"]) == (commitment(match.stored.secret), None)
    ended = match.finish()
    service.match_waves.run(match.id)
    ended = view(service, match.id)
    assert (ended["state"], ended["secret"]) == ("ended", match.stored.secret.hex())
    assert commitment(bytes.fromhex(ended["secret"])) == before["commitment"]


def test_a_match_that_is_ended_reveals_what_was_played(service, match):
    service.matches.end(match.creator.token, match.id)
    for game in running(service, match.id):
        resign(service, game, match.programs)
    for _ in range(2):
        service.match_waves.run(match.id)
    assert {game["secret"] is None for game in games(service, match.id)} == {False}
    assert service.match_waves.tasks() == []


def test_a_sealed_game_is_in_no_list_and_no_result(service, match, client):
    service.recording.record(match.game)
    assert service.results.page(None)["results"] == []
    everything = service.lobby.public(None, words=EN)["items"]
    assert match.game not in {game["id"] for game in everything}
    assert service.pages.page(None, match.programs[0].id, EN)["games"] == []
    assert not client.zrange("billet:unrecorded", 0, -1)


def test_a_sealed_game_is_neither_packed_nor_archived_nor_exported(service, match, settings):
    assert not service.packing.pack(match.game)
    assert service.retention.archive(match.game) != "archived"
    assert [*stored_logs(settings)] == []
    match.finish()
    service.match_waves.run(match.id)
    assert service.packing.pack(match.game)
    assert verify(service.games.log(None, match.game)).divergence is None


@pytest.mark.parametrize("deals", [ROTATED, REFERENCE])
def test_games_of_a_deal_are_dealt_alike_and_others_not(service, deals):
    one, other = program(service, "One"), program(service, "Other")
    match = made(service, guest(service), one, other, deals=deals, against=[{"bot": "random"}], games=4, at_once=16)
    finish(service, match, [one, other])
    service.match_waves.run(match)
    dealt = {}
    for game in games(service, match):
        events = service.games.log(None, game["game"])["events"]
        rounds = [event["data"] for event in events if event["type"] == "round_started"]
        dealt.setdefault(game["deal"], []).append(str(rounds[0]["hands"]) + str(rounds[0]["starter"]))
    assert all(len({*same}) == 1 for same in dealt.values())
    assert len({one[0] for one in dealt.values()}) == 2


def test_the_bots_of_a_deal_choose_alike_as_long_as_nobody_else_has(service):
    """Whoever plays against it, a bot that draws its action draws the same at the beginning of a reference deal."""
    setup = {"name": "Alike", "edition": "standard", "seats": 2, "games": 24, "deals": REFERENCE, "at_once": 16}
    rivals = {"entrants": [{"bot": "cautious"}, {"bot": "random"}], "against": [{"bot": "random"}]}
    match = service.matches.create(guest(service).token, {**setup, **rivals}).match["id"]
    finish(service, match)
    service.match_waves.run(match)
    begun, first = set(), {}
    for game in games(service, match):
        filled = 1 - game["deal"] % 2  # the entrant sits on seat 0 in the first deal
        events = service.games.log(None, game["game"])["events"]
        play = next(event for event in events if event["type"] == "card_played")["data"]
        if play["seat"] == filled:
            begun.add(game["deal"])
            first.setdefault(game["deal"], set()).add(str(play))
    assert all(len(same) == 1 for same in first.values())
    assert begun, "in some deal the bot begins"
