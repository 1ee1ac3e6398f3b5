"""Players who retry every call until it is answered, as a client must when processes are killed under it."""

import random
import time
import uuid
from collections.abc import Callable
from itertools import repeat
from typing import Any

from tools.players.calls import NO_ANSWER, Answer, Client
from tools.players.ledger import Ledger

PATIENCE = 90  # seconds until a call that nobody answers is an error
PAUSE = 0.1
WAIT = 2


class Retrying:
    """A player who writes down in a ledger what it was told."""

    def __init__(self, base: str, name: str, ledger: Ledger, seconds: float = 10) -> None:
        """`seconds` is how long an answer may be awaited until the call is repeated."""
        self.client = Client(base)
        self.seconds = repeat(seconds)
        self.ledger = ledger
        self.repeats = 0
        self.asks_again = 0.2  # how often it asks once more for an answer it has
        self.rest = 0.0  # seconds before an action, so that less is played while processes start
        self.random = random.Random(name)
        made = self.ask("POST", "/v1/players", {"name": name}, str(uuid.uuid4())).json()
        self.client.headers["Authorization"] = f"Bearer {made['token']}"
        self.id = made["player"]["id"]

    def close(self) -> None:
        """Closes the connections."""
        self.client.close()

    def ask(self, method: str, path: str, json: Any = None, key: str | None = None, **headers: Any) -> Answer:
        """Calls until there is an answer, with the same key each time."""
        if key is not None:
            headers["Idempotency-Key"] = key
        until = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self.client.request(method, path, json, headers=headers, timeout=next(self.seconds))
            except NO_ANSWER as error:
                said = repr(error)
            else:
                if answer.status_code != 503:
                    assert answer.status_code < 500, answer.text
                    return answer
                assert answer.json()["code"] == "unavailable"
                said = answer.text
            assert time.monotonic() < until, f"{method} {path}: no answer in {PATIENCE} s, only {said}"
            self.repeats += 1
            time.sleep(PAUSE)

    def create(self, body: dict[str, Any]) -> str:
        """Opens a table, once, and returns its id."""
        key = str(uuid.uuid4())
        answer = self.ask("POST", "/v1/games", body, key)
        assert answer.status_code == 201, answer.text
        self.ledger.note_created(key, answer.json()["id"])
        return str(answer.json()["id"])

    def join(self, game: str, **claim: Any) -> None:
        """Takes a seat, once."""
        answer = self.ask("POST", f"/v1/games/{game}/seats", claim, str(uuid.uuid4()))
        assert answer.status_code == 201, answer.text

    def view(self, game: str) -> dict[str, Any]:
        """Looks at a game."""
        answer = self.ask("GET", f"/v1/games/{game}")
        assert answer.status_code == 200, answer.text
        seen: dict[str, Any] = answer.json()
        return seen

    def play(self, game: str, is_done: Callable[[dict[str, Any]], bool] = lambda view: False) -> dict[str, Any]:
        """Plays to the end, or watches; an offered action may be refused only if the clock was faster."""
        view = self.view(game)
        while view["status"] == "active" and not is_done(view):
            if view["legal_actions"]:
                time.sleep(self.rest)
                self.act(view)
            else:
                self.ask("GET", f"/v1/games/{game}/events?after={view['version']}&wait={WAIT}")
            view = self.view(game)
        return view

    def resign(self, game: str) -> None:
        """Leaves a game, if it plays in it still, and waits for its end."""
        answer = self.ask("DELETE", f"/v1/games/{game}/seats/me", key=str(uuid.uuid4()))
        assert answer.status_code == 200 or answer.json()["code"] in ("game_over", "not_seated"), answer.text
        self.play(game)

    def act(self, view: dict[str, Any]) -> None:
        """Takes one of the offered actions, once; now and then asks again for the answer."""
        key, path = str(uuid.uuid4()), f"/v1/games/{view['id']}/actions"
        action = self.random.choice(view["legal_actions"])["action"]
        answer = self.ask("POST", path, action, key)
        if answer.status_code != 201:
            assert view["clock"] is not None, f"an offered action was refused: {answer.text}"
            # Where the clock forfeits, the seat may have been lost meanwhile.
            codes = ("not_your_turn", "game_over", "illegal_action", "stale_version", "not_seated")
            assert answer.json()["code"] in codes, answer.text
            return
        self.ledger.note_taken(view["id"], view["viewer"]["seat"], key, answer.json())
        if self.random.random() < self.asks_again:
            again = self.ask("POST", path, action, key)
            assert (again.status_code, again.content) == (201, answer.content), f"{again.status_code} {again.text}"
