"""Limits of a whole installation, which all its API processes keep together, against those who guess and flood."""

import http.client
import json
import queue
import secrets
import threading

from tools.players.person import Person
from tools.players.tables import CREATOR, OPEN

GUESSES = 150
CONNECTIONS = 15
AS_DELIVERED = 60
"""Wrong codes an hour from one address."""
GUESSER, HONEST = "192.0.2.1", "198.51.100.1"


def ways(game, code):
    """Every call that takes a join code: its method, path and body."""
    path = f"/v1/games/{game}"
    return [
        *(
            ("GET", f"{path}{way}?join_code={code}", None)
            for way in ("", "/events", "/events/stream", "/frames", "/frames/stream")
        ),
        ("POST", f"{path}/seats", {"join_code": code}),
        ("POST", f"{path}/tickets", {"join_code": code}),
    ]


def call(connection, method, path, body=None, token=None, address=GUESSER):
    """The status and the body of an answer."""
    headers = {"X-Forwarded-For": address} | ({"Authorization": f"Bearer {token}"} if token else {})
    if body is not None:
        headers["Content-Type"] = "application/json"
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def test_many_wrong_join_codes_get_nowhere(served, closed):
    """From one address, over many connections at once, with several tokens, by every way that takes a code."""
    ann, bob, eve, mallory = (closed(Person.register(served.base, name)) for name in ("Ann", "Bob", "Eve", "M."))
    view = ann.create("standard", [CREATOR, OPEN], visibility="unlisted")
    game, code = view["id"], view["join_code"]
    guesses = queue.SimpleQueue()
    for number in range(GUESSES):
        guesses.put((ways(game, secrets.token_hex(4))[number % 6], (eve.token, mallory.token)[number // 6 % 2]))
    answers = []

    def guess():
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        while True:
            try:
                way, token = guesses.get_nowait()
            except queue.Empty:
                connection.close()
                return
            answers.append(call(connection, *way, token))

    threads = [threading.Thread(target=guess) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == GUESSES
    assert {status for status, _ in answers} == {403, 429}
    looked_at = sum(status == 403 for status, _ in answers)
    assert AS_DELIVERED <= looked_at <= AS_DELIVERED + CONNECTIONS, "and those that were under way at that moment"
    assert {said["limit"] for status, said in answers if status == 429} == {"wrong_codes_by_address"}
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    for way in ways(game, code):
        status, said = call(connection, *way, eve.token)
        assert (status, said["limit"]) == (429, "wrong_codes_by_address"), "the right one is not looked at either"
    assert call(connection, "GET", f"/v1/games/{game}", None, ann.token)[0] == 200, "who needs no code goes on"
    for shown in (code, "WRONG"):
        status, seen = call(connection, "GET", f"/v1/games/{game}?join_code={shown}", None, ann.token)
        assert (status, seen["viewer"]) == (200, {"seat": 0}), "with a code too"
    status, seen = call(connection, "POST", f"/v1/games/{game}/seats", {"join_code": code}, bob.token, HONEST)
    assert (status, seen["status"]) == (201, "active")
    assert call(connection, "GET", f"/v1/games/{game}/events?join_code={code}", None, bob.token)[0] == 200
    connection.close()
