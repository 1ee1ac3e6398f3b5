"""A frame is the same bytes whichever way it comes: an action's answer, the list, the stream, the replay."""

import asyncio
import random
from itertools import product

import orjson
import pytest

from engine.logs.codec import read_action
from games.errors import Refused
from games.texts.catalogue import LANGUAGES, catalogue
from service.live import frame_reader as reading
from tests.service.at_table import EN, LONG, Game, guest, read
from tests.service.live.followers import SECONDS, Noting, sit, until
from tests.service.play.recorded import TABLES, Looker, Recorded


def page(service, token, game, words=EN, **more):
    return service.frames.page(token, game, **{"words": words, "texts": True, **more})


def all_frames(service, token, game, **more):
    """Returns the frames of a game, page after page."""
    found, after, last = [], more.pop("after", 0), None
    while last is None or last["frames"]:
        last = read(page(service, token, game, after=after, **more))
        found += last["frames"]
        after = last["version"]
    return found


class Framed(Recorded):
    """A recorded game that is also looked at by frames; a look notes those that are new to each looker."""

    def __init__(self, *table):
        self.frames = {}
        self.acted = []
        super().__init__(*table)

    def look(self):
        for looker in self.lookers:
            after = self._known.get(looker, 0)
            came = self.frames_of(looker, after=after)
            seat = came[-1]["game"]["viewer"]
            self.frames.setdefault((looker, seat and seat["seat"]), []).extend(map(orjson.dumps, came))
            self._known[looker] = came[-1]["version"]

    def frames_of(self, looker, **which):
        words = catalogue(looker.language)
        return all_frames(self.service, looker.token, self.game.id, words=words, join_code=looker.code, **which)

    def _act(self, view, seat):
        token, words = self.game.token(seat), catalogue(self.random.choice(LANGUAGES))
        action = self.random.choice(self.game.legal(seat))
        answer = self.service.play.act(token, self.game.id, read_action(action), words=words, texts=True)
        self.acted.append((Looker(token, words.language, None), seat, answer.body))


def test_a_frame_counts_the_hints_from_before_its_step_whenever_it_is_made(service, another):
    game = Game.begin(service, 2)
    hinted, live = [], all_frames(service, None, game.id)
    while len(hinted) < 2:
        hinted.append((game.view()["to_act"], game.view()["version"]))
        service.hints.read(game.token(hinted[-1][0]), game.id, words=EN)
        assert all_frames(service, None, game.id) == live, "nothing has come after it yet"
        game.act(hinted[-1][0], game.legal(hinted[-1][0])[0])
        live += all_frames(service, None, game.id, after=live[-1]["version"])
    for frame in live:
        earlier = [seat for seat, version in hinted if version < frame["version"]]
        assert [seat["hints"] for seat in frame["game"]["seats"]] == [earlier.count(0), earlier.count(1)]
    assert all_frames(another(), None, game.id) == live


@pytest.mark.parametrize(("edition", "seats", "number"), TABLES)
def test_frames_are_the_same_bytes_live_and_in_replay(service, another, clock, log, edition, seats, number):
    recorded = Framed(service, clock, edition, seats, number).sit_down().play(9)
    ends = sorted(recorded.ends(log))
    recorded.service = another()
    stranger, whole = recorded.stranger, {}

    def replay(language, **which):
        key = (language, *which.values())
        if key not in whole:
            came = recorded.frames_of(stranger._replace(language=language), **which)
            assert [one["version"] for one in came] == ends, "a frame for each step"
            assert [event["version"] for one in came for event in one["events"]] == list(range(1, ends[-1] + 1))
            whole[key] = {one["version"]: orjson.dumps(one) for one in came}
        return whole[key]

    for looker, seat, body in recorded.acted:
        assert replay(looker.language, as_=seat)[orjson.loads(body)["version"]] == body, "as its player was answered"
    compared = 0
    for (looker, seat), came in recorded.frames.items():
        if seat is not None or looker == stranger:
            frames = replay(looker.language, **({} if seat is None else {"as_": seat}))
            for one in came:
                assert frames[orjson.loads(one)["version"]] == one
                compared += 1
    assert compared > len(ends)
    for as_ in [*recorded.game.guests, "all"]:
        before = 0
        for version, one in list(replay("de", as_=as_).items())[:: 1 + len(ends) // 10]:
            german = stranger._replace(language="de")
            frame = orjson.loads(one)
            before = version - len(frame["events"])
            assert orjson.dumps(frame["game"]) == recorded.view(german, at=version, as_=as_).body
            events = recorded.page(german, before, at=version, as_=as_)
            assert events.body.startswith(b'{"events":' + orjson.dumps(frame["events"]) + b",")


@pytest.mark.parametrize("edition", ["standard", "classic", "premium", "lovecraft"])
async def test_a_stream_of_frames_sends_what_the_list_has(service, another, feeds_of, monkeypatch, edition):
    monkeypatch.setattr(reading, "PAGE", 7)  # pages end with steps wherever that is
    game = Game.begin(service, 3, edition=edition)
    rng = random.Random(edition)
    for _ in range(4):
        game.step(rng)
    middle = game.view()["version"]

    def begin(viewer, after, words):
        token = game.token(viewer)
        return service.game_streams.begin(token, game.id, after=after, words=words, texts=words is not EN, frames=True)

    feeds = feeds_of(another())
    streams = {}
    for viewer, after, language in product((None, 0, 2), (None, 0, middle - 1), LANGUAGES):
        if viewer is None or (viewer == 0) == (language == "en"):
            start = begin(viewer, after, catalogue(language))
            stream = streams[viewer, after, start.follower_view.language] = Noting(start)
            if after is None:
                stream.told.append(start.view)
            await feeds.games.join(start, stream)
    await asyncio.to_thread(lambda: game.play(rng, 8).cut_short())
    for (viewer, after, language), stream in streams.items():
        await asyncio.wait_for(stream.ending.wait(), SECONDS)
        words = catalogue(language)
        told, more = stream.told, {"words": words, "texts": words is not EN}
        if after is None:
            first, told, after = told[0], told[1:], middle
            assert (first["version"], first["events"]) == (middle, [])
            assert (
                orjson.dumps(first["game"])
                == service.games.view(game.token(viewer), game.id, at=middle, words=words).body
            )
        listed = all_frames(service, game.token(viewer), game.id, after=after, **more)
        assert orjson.dumps(told) == orjson.dumps(listed), (viewer, after)
        if viewer is not None and after:
            assert listed == all_frames(service, None, game.id, after=after, as_=viewer, **more)
    feeds.close()


def test_frames_that_begin_inside_a_step_have_the_rest_of_it(service):
    game = Game.begin(service, 2)
    game.step(random.Random(1))
    whole = all_frames(service, game.token(0), game.id)
    for after in range(game.view()["version"] + 1):
        rest = [
            {**one, "events": [event for event in one["events"] if event["version"] > after]}
            for one in whole
            if one["version"] > after
        ]
        assert all_frames(service, game.token(0), game.id, after=after) == rest


def test_what_comes_after_a_reader_was_admitted_is_left_for_the_next_page(service):
    game, rng = Game.begin(service, sandbox=LONG), random.Random(1)
    while game.view()["round"]["number"] < 2:
        game.step(rng)
    start = service.game_streams.begin(None, game.id, after=0, words=EN, frames=True)
    game.step(rng)
    assert (
        [frame["version"] for frame in service.game_streams.rest(start)][-1]
        == start.snapshot.version
        < game.view()["version"]
    )


async def test_who_sits_down_or_gets_up_gets_that_step_as_whom_they_are_then(service, feeds_of):
    game = Game.open(service, "creator", "open", "open")
    newcomer, other = guest(service, "Ben"), guest(service, "Cleo")

    def begin(after):
        return service.game_streams.begin(newcomer.token, game.id, after=after, words=EN, frames=True)

    feeds = feeds_of(service)
    told, after = [], 0
    for change in (
        lambda: sit(service, game, newcomer, 1),
        lambda: service.tables.leave(newcomer.token, game.id, words=EN),
        lambda: sit(service, game, newcomer, 2),
    ):
        start = begin(after)
        stream = Noting(start)
        await feeds.games.join(start, stream)
        await asyncio.to_thread(change)
        await asyncio.wait_for(stream.ending.wait(), SECONDS)
        told += stream.told
        after = told[-1]["version"]
    start = begin(after)
    stream = Noting(start)
    await feeds.games.join(start, stream)
    await asyncio.to_thread(sit, service, game, other, 1)  # the last: the game starts
    await until(lambda: stream.version == game.view()["version"])
    told += stream.told
    feeds.close()
    versions = [event["version"] for frame in told for event in frame["events"]]
    assert versions == list(range(1, game.view()["version"] + 1))
    assert [frame["game"]["viewer"] for frame in told] == [None, {"seat": 1}, None, {"seat": 2}, {"seat": 2}]
    assert told[-1]["game"]["seats"][2]["hand"] != [None], "the deal came as the seat sees it"


def test_who_opened_an_unlisted_table_finds_its_code_in_frames_and_who_watches_does_not(service):
    game = Game.open(service, "open", "open", visibility="unlisted")
    code = game.view(creator=True)["join_code"]
    for token, shown in ((game.creator.token, code), (guest(service).token, None)):
        (frame,) = read(page(service, token, game.id, join_code=code))["frames"]
        assert frame["game"]["join_code"] == shown
        start = service.game_streams.begin(token, game.id, join_code=code, words=EN, frames=True)
        assert start.view["game"]["join_code"] == shown


def test_a_page_of_frames_waits_for_the_next_step(service, another):
    game = Game.begin(service, 2)
    newest = game.view()["version"]
    seat = game.to_act()
    answered = []

    def act(*what):
        answered.append(
            service.play.act(game.token(seat), game.id, read_action(game.legal(seat)[0]), words=EN, texts=True)
        )

    came = page(another(), game.token(seat), game.id, after=newest, wait=30, waiter=act)
    assert came.body.startswith(b'{"frames":[' + answered[0].body)
    newest = game.view()["version"]
    assert read(page(service, None, game.id, after=newest, wait=30, waiter=lambda *what: None))["frames"] == []


def test_frames_of_others_are_read_once_the_game_has_ended(service):
    game = Game.begin(service, 3)
    for as_ in ("all", 1, 2):
        with pytest.raises(Refused) as refused:
            page(service, game.token(0), game.id, as_=as_)
        assert refused.value.code == "game_not_finished"
    game.play(random.Random(1))
    whole = read(page(service, None, game.id, as_="all", limit=3))
    assert (len(whole["frames"]), whole["finished"]) == (3, False)
    assert None not in [card for seat in whole["frames"][-1]["game"]["seats"] for card in seat["hand"]]
    last = read(page(service, None, game.id, as_="all", after=game.view()["version"]))
    assert (last["frames"], last["finished"]) == ([], True)


def test_frames_of_a_fork_are_the_moves_made_again(service):
    game = Game.begin(service, 2).play(random.Random(3))
    turns = [turn for one in read(service.games.rounds(None, game.id))["rounds"] for turn in one["turns"]]
    version = [turn["act_version"] for turn in turns if turn["act_version"] is not None][4]
    fork = read(service.tables.fork(game.creator.token, game.id, {"version": version}, words=EN))
    frames = all_frames(service, game.creator.token, fork["id"])
    played = [one for one in frames if any(event["type"] == "card_played" for event in one["events"])]
    assert len(played) >= 4
    assert all(sum(event["type"] == "card_played" for event in one["events"]) == 1 for one in played)


def test_after_the_end_of_a_game_nothing_is_waited_for(service):
    game = Game.open(service, "random", "random").play(random.Random(1))
    after = game.view()["version"]
    last = page(service, None, game.id, after=after, wait=20, waiter=lambda *what: pytest.fail("it waits"))
    assert read(last) == {"frames": [], "version": after, "finished": True}
