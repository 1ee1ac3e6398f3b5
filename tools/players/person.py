"""People at the table: clients of the HTTP interface that know nothing but what a view offers them to do."""

import random
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any, Self

from tools.players.calls import Answer, Client

WAIT = 5  # seconds of one long-poll
PATIENCE = 60  # seconds until it is an error that nothing happens in a game; how long it is, is for chance to say
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # never used; httpx would load all certificates for each client


class Person:
    """A registered player with a connection of their own."""

    def __init__(
        self, base: str, player: Mapping[str, Any], token: str | None, tls: ssl.SSLContext | None = None
    ) -> None:
        self.base, self.tls = base, tls
        self.id = player["id"]
        self.token = token
        self.client = Client(base, tls=tls, Authorization=f"Bearer {token}")

    @classmethod
    def register(cls, base: str, name: str, tls: ssl.SSLContext | None = None) -> Self:
        """Registers a new player; `tls` is the context of a client that trusts the server."""
        with closing(Client(base, tls=tls)) as client:
            answer = client.post("/v1/players", {"name": name})
        assert answer.status_code == 201, answer.text
        return cls(base, answer.json()["player"], answer.json()["token"], tls)

    def twin(self) -> "Person":
        """The same player at another device: a connection of its own."""
        return Person(self.base, {"id": self.id}, self.token, self.tls)

    def close(self) -> None:
        """Closes the connections."""
        self.client.close()

    # --- calls ---

    def get(self, path: str, **options: Any) -> Answer:
        """Makes a GET below `/v1`."""
        return self.client.get(f"/v1{path}", **options)

    def post(self, path: str, json: Any = None, **options: Any) -> Answer:
        """Makes a POST below `/v1`."""
        return self.client.post(f"/v1{path}", json=json, **options)

    def delete(self, path: str, **options: Any) -> Answer:
        """Makes a DELETE below `/v1`."""
        return self.client.delete(f"/v1{path}", **options)

    def create(self, edition: str, seats: Sequence[Mapping[str, str]], **more: Any) -> dict[str, Any]:
        """Opens a table and returns its view."""
        answer = self.post("/games", {"edition": edition, "seats": seats, **more})
        assert answer.status_code == 201, answer.text
        assert answer.headers["Location"] == f"/v1/games/{answer.json()['id']}"
        read: dict[str, Any] = answer.json()
        return read

    def join(self, game: str, **claim: Any) -> dict[str, Any]:
        """Takes a seat and returns the view."""
        answer = self.post(f"/games/{game}/seats", claim)
        assert answer.status_code == 201, answer.text
        read: dict[str, Any] = answer.json()
        return read

    def view(self, game: str, **query: Any) -> dict[str, Any]:
        """Looks at a game."""
        answer = self.get(f"/games/{game}", params=query)
        assert answer.status_code == 200, answer.text
        read: dict[str, Any] = answer.json()
        return read

    def events(self, game: str, after: int = 0, **query: Any) -> dict[str, Any]:
        """Reads the events after a version."""
        answer = self.get(f"/games/{game}/events", params={"after": after, **query})
        assert answer.status_code == 200, answer.text
        read: dict[str, Any] = answer.json()
        return read

    def act(self, game: str, action: dict[str, Any], **headers: Any) -> Answer:
        """Takes an action and returns the whole response."""
        names = {"key": "Idempotency-Key", "match": "If-Match"}
        return self.post(f"/games/{game}/actions", action, headers={names[n]: v for n, v in headers.items()})

    # --- playing ---

    def play(
        self, game: str, seed: int | None = None, stop: Callable[[dict[str, Any]], bool] = lambda view: False
    ) -> dict[str, Any]:
        """Plays to the end, taking any offered action at random, and returns the last view.

        No offered action may be refused. `stop` ends it earlier.
        """
        choose = random.Random(seed).choice
        until, version = time.monotonic() + PATIENCE, 0
        view = self.view(game)
        while view["status"] in ("open", "active") and not stop(view):
            if view["version"] > version:
                until, version = time.monotonic() + PATIENCE, view["version"]
            assert time.monotonic() < until, f"{game} does not go on: seat {view['to_act']} does not act"
            if view["legal_actions"]:
                answer = self.act(game, choose(view["legal_actions"])["action"])
                assert answer.status_code == 201, answer.text
                view = answer.json()["game"]
            else:
                self.events(game, view["version"], wait=WAIT)
                view = self.view(game)
        return view
