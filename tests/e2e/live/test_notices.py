"""One feed for all games of a player, over HTTP: live, by long-poll, to several at once, and whatever is killed."""

import http.client
import threading
import time
from contextlib import suppress

from tests.e2e.sse import Stream
from tools.players.person import Person
from tools.players.tables import CREATOR, OPEN
from tools.testbed.waiting import wait_until

MINE = "/v1/players/me/events"
LIVE = f"{MINE}/stream"


def table(ann, ben, starter=0):
    """A game of two; returns its id."""
    game = ann.create("standard", [CREATOR, OPEN], starter=starter)["id"]
    ben.join(game)
    return game


def act(players, game):
    """Lets whoever is to act take the first action they are offered."""
    actor = players[players[0].view(game)["to_act"]]
    answer = actor.act(game, actor.view(game)["legal_actions"][0]["action"])
    assert answer.status_code == 201, answer.text


def page(person, **query):
    answer = person.get("/players/me/events", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def told_until(person, kind):
    """What a player is told, up to the first notice of a kind."""
    found, after, until = [], 0, time.monotonic() + 60
    while not any(notice["type"] == kind for notice in found):
        assert time.monotonic() < until, f"no {kind} in {found}"
        read = page(person, after=after, wait=2)
        found += read["events"]
        after = read["cursor"]
    return found


def test_a_long_poll_is_answered_when_there_is_something(served, ann, ben):
    begun = page(ann)
    assert begun == {"events": [], "cursor": 0}
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(page(ann, after=0, wait=30)))
    waiting.start()
    time.sleep(0.3)
    game = table(ann, ben)
    waiting.join(60)
    assert [(notice["type"], notice["game"]) for notice in answers[0]["events"]][:1] == [("seat_taken", game)]
    assert answers[0]["cursor"] == answers[0]["events"][-1]["cursor"]


def test_all_who_read_at_once_are_told_the_same(served, ann, ben):
    with (
        Stream(served.port, LIVE, token=ann.token) as one,
        Stream(served.port, f"{LIVE}?after=0", token=ann.token) as other,
    ):
        games = [table(ann, ben) for _ in range(3)]
        for game in games:
            act([ann, ben], game)
            assert ben.delete(f"/games/{game}/seats/me").status_code == 200
        found = [read_until_over(stream, 3) for stream in (one, other)]
    assert found[0] == found[1]
    listed = page(ann, after=0)["events"]
    assert [sent.data for sent in found[0]] == listed
    assert [(sent.id, sent.name) for sent in found[0]] == [(notice["cursor"], notice["type"]) for notice in listed]
    assert [sent.id for sent in found[0]] == list(range(1, len(listed) + 1))
    assert one.answer.headers["Content-Type"] == "text/event-stream"


def read_until_over(stream, games):
    found, over = [], 0
    for sent in stream:
        found.append(sent)
        over += sent.name == "game_over"
        if over == games:
            break
    return found


def test_a_stream_begins_with_what_is_open_now_and_is_taken_up_again(served, ann, ben):
    page(ann)
    game = table(ann, ben)
    cursor = told_until(ann, "your_turn")[-1]["cursor"]
    with Stream(served.port, LIVE, token=ann.token) as stream:
        (open_now,) = stream.take(1)
        assert (open_now.id, open_now.data["game"]) == (None, game)
        assert stream.answer.readline() == b"id: %d\n" % cursor
        act([ann, ben], game)
        stream.answer.readline()
        while ann.view(game)["to_act"] == 1:  # with a Chancellor, or with a round that is won, more than once
            act([ann, ben], game)
        (next_one,) = stream.take(1)
        assert next_one.id == cursor + 1
    with Stream(served.port, LIVE, token=ann.token, last=cursor) as again:
        assert again.take(1) == [next_one]


def test_a_ticket_stands_for_the_token_once(served, ann, ben):
    ticket = ann.post("/players/me/tickets").json()["ticket"]
    with Stream(served.port, f"{LIVE}?ticket={ticket}") as stream:
        game = table(ann, ben)
        assert [sent.data["game"] for sent in stream.take(2)] == [game] * 2
    with Stream(served.port, f"{LIVE}?ticket={ticket}") as stream:
        assert stream.problem() == (401, "unauthenticated")


def test_a_new_token_ends_the_streams_of_the_old_one(served, ann, ben, closed):
    stream = Stream(served.port, LIVE, token=ann.token)
    with stream:
        given = ann.post("/players/me/token")
        assert list(stream) == []
    again = closed(Person(served.base, {"id": ann.id}, given.json()["token"]))
    game = table(again, ben)
    assert told_until(again, "your_turn")[0]["game"] == game


class Reader(threading.Thread):
    """One who comes back whenever their stream ends, and notes what came."""

    def __init__(self, port, token):
        super().__init__()
        self.port, self.token = port, token
        self.told = []
        self.over = threading.Event()
        self.start()

    def run(self):
        until = time.monotonic() + 200
        while not self.over.is_set() and time.monotonic() < until:
            last = self.told[-1].id if self.told else 0
            with (
                suppress(OSError, http.client.HTTPException),
                Stream(self.port, LIVE, token=self.token, last=last, seconds=5) as stream,
            ):
                for one in stream.until(self.over) if stream.status == 200 else ():
                    self.told.append(one)
            time.sleep(0.05)


def test_killed_right_after_its_answer_a_process_leaves_nobody_untold(installation, ann, ben):
    players = [ann, ben]
    for player in players:
        page(player)
    readers = [Reader(installation.port, player.token) for player in players]
    game = table(*players)
    for round_ in range(2):
        act(players, game)
        installation.kill_parts("api-process", *(["worker"] if round_ % 2 else []))
        installation.wait_until_ready()
    assert players[1].delete(f"/games/{game}/seats/me").status_code == 200
    installation.kill_parts("api-process")
    installation.wait_until_ready()
    wait_until(
        lambda: all(reader.told and reader.told[-1].name == "game_over" for reader in readers),
        lambda: [reader.told for reader in readers],
    )
    events = players[0].events(game)["events"]
    for seat, (player, reader) in enumerate(zip(players, readers, strict=True)):
        reader.over.set()
        questions = [e["version"] for e in events if e["type"] in ASKS and e["data"]["seat"] == seat]
        assert [one.data for one in reader.told] == page(player, after=0)["events"]
        assert [one.id for one in reader.told] == list(range(1, len(reader.told) + 1))
        names = [one.name for one in reader.told if one.name != "your_turn"]
        assert names == [*(["seat_taken"] if seat == 0 else []), "game_started", "game_over"]
        turns = [one.data["version"] for one in reader.told if one.name == "your_turn"]
        assert turns == sorted(set(turns))
        assert set(turns) <= set(questions)
        reader.join(60)
        assert not reader.is_alive()


ASKS = ("turn_started", "decision_opened")
