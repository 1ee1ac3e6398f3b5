"""Games whose deal others are dealt too, and everybody who may look at them and asks for everything."""

import re
import socket
import threading
from abc import ABC, abstractmethod
from contextlib import closing

from tests.contract.rights.world import Actor
from tests.secrecy.probes import acting, reading, sitting
from tests.secrecy.viewers import check_answer
from tools.players.calls import Client

STREAMS = ("/v1/results/stream?after=0", "/v1/lobby/stream")
"""What is followed all along: a game of a shared deal is never in there."""


class Sealed(ABC):
    """Games of shared deals, `games` by id, with the `viewers`; what is said is checked until a deal is in use no more.

    A game has `seat_of` a player, and is `ended` once its deal is in use no more.
    """

    def read(self):
        """Catches up with the games."""
        for game in self.games.values():
            game.read()

    @abstractmethod
    def secrets_in_use(self):
        """What nobody may be told."""

    @abstractmethod
    def of_all(self, viewer):
        """What can be asked about no game of these, as methods and paths."""

    @abstractmethod
    def may_name(self, viewer, answer):
        """The games whose ids may be in an answer about none of them."""

    def close(self):
        for viewer in self.viewers:
            viewer.close()

    def pry(self, viewer, game):
        """Lets one try one thing, about a game or about all."""
        if self.random.random() < 0.5:
            self.ask(viewer, *self.random.choice(self.of_all(viewer)))
            return
        seat = game.seat_of(viewer.player)
        last = len(game.log)
        asked = reading(self.edition, self.seats, last, seat is not None)
        if seat is None:
            asked += [*acting(self.edition, self.seats, last, False), *sitting()]
        question = self.random.choice([one for one in asked if self.is_answered_at_once(one.path, seat, game)])
        self.ask(viewer, question.method, question.path, game, **question.options)

    def is_answered_at_once(self, path, seat, game):
        """Whether an answer has an end: a stream has none for those who may follow it.

        That seats *count* from 0 is no card either, which is another word of the edition that has a Count.
        """
        if "as=9" in path:
            return False
        return "/stream" not in path or (path.startswith("/v1/games/") and seat is None and not game.ended)

    def ask(self, viewer, method, path, game=None, **options):
        """Asks for something and checks the answer; `{game}` in its path stands for the game."""
        path = path.replace("{game}", game.id if game is not None else "")
        json = options.pop("json", {"state": "paused"} if method == "PATCH" else None)
        kind = options.pop("content_type", None)
        headers = options.pop("headers", {}) | ({"Content-Type": kind} if kind else {})
        answer = viewer.client.request(method, path, json, content=options.pop("data", b""), headers=headers)
        self.check(answer, viewer, game if path.startswith("/v1/games/") else None)
        return answer

    def check(self, answer, viewer, game=None):
        """Checks that an answer tells nothing of a deck in use; `game` is the one that it is about."""
        assert answer.status_code < 500, answer.text
        self.read()
        place = f"{viewer} {answer.method} {answer.path} -> {answer.status_code}: {answer.text[:2000]}"
        spoken = answer.text + repr(answer.headers.items())
        for secret in self.secrets_in_use():
            assert secret not in spoken, place
        if game is None:
            named = {one for one in self.games if one in spoken}
            assert named <= self.may_name(viewer, answer), f"it is not a game of everybody's: {place}"
            for one in self.games.values():
                check_answer(answer, one, seated(viewer, None))
            return
        seat = game.seat_of(viewer.player)
        if seat is None and answer.method in ("GET", "HEAD") and not game.ended:
            assert answer.status_code >= 400, f"nobody else may look: {place}"
        asked_as = re.search(r"[?&]as=(all|\d)", answer.path)
        is_answered = asked_as is not None and answer.status_code < 400
        seen_as = None if not is_answered else asked_as[1] if asked_as[1] == "all" else int(asked_as[1])
        assert game.ended or seen_as in (None, seat), f"others' eyes: {place}"
        if game.ended and answer.path.endswith(("/log", "/review")):
            return  # they hide nothing
        check_answer(answer, game, seated(viewer, seat), seen_as)


def registered(base, name, kind):
    with closing(Client(base)) as client:
        return client.post("/v1/players", {"name": name, "kind": kind}).json()


def seated(viewer, seat):
    """Returns one who looks from a seat of one of the games, or from beside it."""
    return Actor(viewer.name, viewer.token, viewer.player, seat)


class Overheard(threading.Thread):
    """All that a stream without an end says until the reader hangs up."""

    def __init__(self, served, path):
        super().__init__(daemon=True)
        self.connection, self.said = socket.create_connection(("127.0.0.1", served.port), 60), b""
        self.connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode())
        assert self.connection.recv(12) == b"HTTP/1.1 200"
        self.connection.settimeout(None)
        self.start()

    def run(self):
        while said := self.connection.recv(1 << 16):
            self.said += said

    def close(self):
        self.connection.shutdown(socket.SHUT_RDWR)
        self.join(60)
        self.connection.close()
