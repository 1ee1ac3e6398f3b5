"""People who play over HTTP, repeat what got no answer, and remember each answer."""

import http.client
import json
import secrets
import threading
import time
from dataclasses import dataclass, field

SETUP = {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}]}
PAUSE_SECONDS = 0.02
"""Before a call is repeated."""


@dataclass
class Answered:
    """What one action, new game or registration was answered with."""

    game: str
    token: str
    events: list = field(default_factory=list)
    """The events that the answer named, by version, kind and time; none for a new game or player."""
    at: float = field(default_factory=time.monotonic)


class Stopped(Exception):
    """The people are told to stop."""


class Crowd:
    """Threads that play, each one game after the other with two people of its own; a bystander may watch all games."""

    def __init__(self, port, count, watched=True) -> None:
        self.port = port
        self._stop = threading.Event()
        self._noting = threading.Lock()
        self._answered = []
        self.seconds = []
        """How long each action took that was answered at once."""
        self.unanswered = 0
        """How many calls had to be repeated."""
        self.playing = {}
        """The game of each thread, with a token to read it."""
        self.way = None
        """How the primary was lost the last time. It is noted with each version that goes back:"""
        self.back = []
        """players read one before one that they had read or been answered,"""
        self.withdrawn = []
        """or a bystander one before one that it had read, confirmed or not."""
        self._threads = [threading.Thread(target=self._play) for _ in range(count)]
        if watched:
            self._threads.append(threading.Thread(target=self._watch))

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *error) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(120)

    def taken(self):
        """Returns what was answered since the last time."""
        with self._noting:
            found, self._answered = self._answered, []
        return found

    def waiting(self):
        """Returns the answers that wait to be taken."""
        return list(self._answered)

    def _note(self, *answered) -> None:
        with self._noting:
            self._answered.append(Answered(*answered))

    def _watch(self) -> None:
        """Reads all games again and again, as those do who are not answered for what they see."""
        caller, seen = Caller(self.port, self._stop), {}
        try:
            while True:
                time.sleep(PAUSE_SECONDS)
                for game, token in list(self.playing.values()):
                    status, view = caller.call("GET", f"/v1/games/{game}", None, bearer(token))
                    if status == 200:
                        if view["version"] < seen.get(game, 0):
                            self.withdrawn.append(self.way)
                        seen[game] = view["version"]
        except Stopped:
            pass
        finally:
            caller.close()

    def _play(self) -> None:
        caller = Caller(self.port, self._stop)
        try:
            while True:
                self._game(caller)
        except Stopped:
            pass
        finally:
            caller.close()

    def _game(self, caller) -> None:
        tokens = []
        for _ in range(2):
            status, player = self._send(caller, "POST", "/v1/players", None, {"name": "Ann"})
            if status != 201:
                return
            tokens.append(player["token"])
            self._note("", player["token"])
        status, game = self._send(caller, "POST", "/v1/games", tokens[0], SETUP)
        if status != 201:
            return
        path = f"/v1/games/{game['id']}"
        self._note(game["id"], tokens[0])
        self._send(caller, "POST", f"{path}/seats", tokens[1], {"seat": 1})
        self.playing[threading.get_ident()] = game["id"], tokens[0]
        version = game["version"]
        while True:
            status, view = self._send(caller, "GET", path, tokens[0])
            if status != 200 or view["status"] != "active":
                return
            if view["version"] < version:
                self.back.append(self.way)
            version = view["version"]
            token = tokens[view["to_act"]]
            status, own = self._send(caller, "GET", path, token)
            if status != 200 or not own["legal_actions"]:
                continue
            status, answer = self._send(caller, "POST", f"{path}/actions", token, own["legal_actions"][0]["action"])
            if status == 201:
                version = answer["version"]
                self._note(game["id"], token, [marks(event) for event in answer["events"]])

    def _send(self, caller, method, path, token, body=None):
        """Makes a call and repeats it until it is answered; a change has the same idempotency key all the time."""
        headers = {"Content-Type": "application/json"} | (bearer(token) if token else {})
        if body is not None:
            headers["Idempotency-Key"] = secrets.token_hex(16)
        first = True
        while True:
            begun = time.perf_counter()
            status, answer = caller.call(method, path, body, headers)
            if 0 < status < 500:
                if first and path.endswith("/actions"):
                    self.seconds.append(time.perf_counter() - begun)
                return status, answer
            first = False
            self.unanswered += 1
            time.sleep(PAUSE_SECONDS)


class Caller:
    """A connection to the API, made anew when it breaks."""

    def __init__(self, port, stop=None) -> None:
        self._port, self._stop, self._connection = port, stop or threading.Event(), None

    def call(self, method, path, body, headers):
        """Returns the status and the body of an answer; the status 0 if there is none."""
        if self._stop.is_set():
            raise Stopped
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
            self._connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = self._connection.getresponse()
            return answer.status, json.loads(answer.read())
        except (OSError, http.client.HTTPException, ValueError):
            self.close()
            return 0, None

    def close(self) -> None:
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def bearer(token):
    """Returns the headers of a caller."""
    return {"Authorization": f"Bearer {token}"}


def marks(event):
    """Returns what tells an event from any other at the same version of a game."""
    return event["version"], event["type"], event["at"]


def lost(port, answered):
    """Returns which answered changes the service does not know any more."""
    caller, known, gone = Caller(port), {}, []
    try:
        for one in answered:
            place = one.game, one.token
            if place not in known:
                known[place] = _events(caller, *place)
            if known[place] is None or not known[place].issuperset(one.events):
                gone.append(one)
    finally:
        caller.close()
    return gone


def _events(caller, game, token):
    """Returns the marks of all events of a game, or of none for a player; None if there is no such game or player."""
    found, after = set(), 0
    while True:
        path = f"/v1/games/{game}/events?after={after}" if game else "/v1/players/me"
        status, page = caller.call("GET", path, None, bearer(token))
        if status == 0 or status >= 500:
            time.sleep(PAUSE_SECONDS)
            continue
        if status != 200:
            return None
        if not game or not page["events"]:
            return found
        found |= {marks(event) for event in page["events"]}
        after = page["events"][-1]["version"]
