"""Every status and every code the document promises is seen, with an answer as it says; what is seen is promised."""

import asyncio
import re
from hashlib import sha256
from unittest.mock import patch

import redis
from werkzeug import Response

from api import create_app
from api.app import assemble
from api.asgi import create_asgi
from api.link import LINK, Link
from api.places import UNBOUND, Bound, Places, waiting_places
from api.request.bodies import LATE
from games.daily.days import Day
from games.ratings.pools import POOLS
from games.tables.lifetimes import DAY_MS
from service import build
from service.daily import deals, waves
from service.inputs.clock import now_ms
from service.settings import OFF, REPLICATED, Settings
from service.store import keys
from service.store.redis import client as clients
from service.verifying.verifier import MOST_LOG_BYTES
from tests.contract.checked import METHODS, Checked, document, promised, promised_refusals
from tests.contract.tables import CREATOR, OPEN, change_deck, finished, first_legal, started, table, view

NOWHERE = "redis://127.0.0.1:1/0"
FORMED = "p0123456789abcdef0123.secret"
"""A token that looks like one."""

BODIES = {
    "registerPlayer": {"name": "Ann"},
    "createGame": {"edition": "standard", "seats": [CREATOR, OPEN]},
    "joinQueue": {"edition": "standard", "seats": [2]},
    "createMatch": {
        "name": "Who is better?",
        "edition": "standard",
        "entrants": [{"bot": "random"}],
        "against": [{"bot": "cautious"}],
        "seats": 2,
        "games": 2,
        "deals": "fresh",
    },
    "changeMatch": {"state": "paused"},
    "takeSeat": {},
    "joinByCode": {"code": "AAAAAAAA"},
    "renamePlayer": {"name": "Ann"},
    "createRematch": {},
    "forkGame": {"version": 9},
    "revealNonce": {"nonce": "a nonce that nobody else could guess"},
    "createTicket": {},
    "takeBreak": {"days": 1},
    "sendReaction": {"reaction": "thanks"},
    "submitAction": {"type": "play_card", "card": "guard"},
    "verifyLog": {"format": "another"},
}


IDS = {"game_id": "nothing", "seat": "1"}
"""By parameter of a path: a value that is well-formed; of all others it is `NOBODY`."""
NOBODY = "nobody"


def calls():
    """Yields every operation: its document, method, and path with ids of nothing."""
    for path, item in document()["paths"].items():
        known = re.sub(r"\{(\w+)\}", lambda found: IDS.get(found[1], NOBODY), path)
        for method in METHODS:
            if method in item:
                yield item[method], method.upper(), known


def options(operation):
    name = operation["operationId"]
    return {"json": BODIES[name]} if name in BODIES else {}


def refused_by_form(client):
    """Sees what is refused before the service is asked."""
    for operation, method, path in calls():
        client.call("PUT" if path in ("/v1/players/me", f"/v1/matches/{NOBODY}") else "PATCH", path)
        statuses = operation["responses"]
        if "401" in statuses:
            client.call(method, path, headers={"Authorization": "Basic abc"}, **options(operation))
        if "requestBody" in operation:
            token = None if operation.get("security") == [] else FORMED
            for raw, media_type in (
                ("{", "application/json"),
                ("x" * 70_000, "application/json"),
                ("{}", "text/plain"),
            ):
                client.call(method, path, token, data=raw, content_type=media_type)
            client.call(method, path, token, json={"no_such_member": 1})
            late = {LATE: True}  # as the server says it
            client.call(method, path, token, json=options(operation)["json"], environ_overrides=late)
        elif "422" in statuses and any(p.get("in") == "query" for p in operation["parameters"]):
            client.call(method, f"{path}?no_such_parameter=1", FORMED)
        elif "422" in statuses:
            client.call(method, path, FORMED, headers={"Idempotency-Key": "not a key"})


NEEDS_NO_STORAGE = {"Editions", "Bots", "getHealth", "getMetrics", "verifyLog"}
"""Operations, and tags all of whose operations are such."""


def without_storage(client):
    for operation, method, path in calls():
        answer = client.call(method, path, FORMED, **options(operation))
        needed = NEEDS_NO_STORAGE.isdisjoint([operation["operationId"], *operation["tags"]])
        assert (answer.status_code == 503) is needed, operation["operationId"]


def stopping(client):
    """Sees what is answered to a call under way when the process stops and cannot wait for it any more."""
    application = create_asgi(Settings(redis_url="redis://127.0.0.1:1/0"))
    for _, method, path in calls():
        answer = asyncio.run(given_up(application, method, path))
        assert answer.status_code == 503
        client.check(method.lower(), path, answer)


async def given_up(application, method, path):
    sent, never = [], asyncio.Event()
    raw = {"raw_path": path.encode(), "query_string": b"", "headers": [], "http_version": "1.1"}

    async def send(message):
        sent.append(message)

    call = asyncio.create_task(application({"type": "http", "method": method, **raw}, never.wait, send))
    await asyncio.sleep(0)
    call.cancel()
    await call
    start, body = sent
    return Response(
        body["body"], start["status"], [(name.decode(), value.decode()) for name, value in start["headers"]]
    )


def limited(client):
    """Sees every operation refused by its limit: one call of each kind is allowed, and the next is one too many."""
    for operation, method, path in calls():
        if "429" in operation["responses"]:
            client.call(method, path, FORMED, **options(operation))
            answer = client.call(method, path, FORMED, **options(operation))
            assert answer.status_code == 429, operation["operationId"]
            assert answer.headers["RateLimit"].startswith(f'"{answer.json["limit"]}";r=0;t=')


BUCKETS = ("acting", "reading", "creating", "joining")
ONE = {f"{bucket}_by_address": "1/hour" for bucket in (*BUCKETS, "registering")}
UNCOUNTED = {f"{bucket}{by}": OFF for bucket in BUCKETS for by in ("", "_by_address")}
"""One who calls so often that the calls would have to be counted in Redis."""


class Broken:
    """Fails whatever is asked of it."""

    def __call__(self, *args, **kwargs):
        raise RuntimeError("broken")

    def __getattr__(self, name):
        raise RuntimeError("broken")


def failing(client, monkeypatch):
    games = ("games", "play", "following", "logs", "notices")
    for module in ("players", "editions", "bots", *games, "administration", "system"):
        for name in ("plain", "service", "catalogue", "verify"):
            monkeypatch.setattr(f"api.routes.{module}.{name}", Broken(), raising=False)
    for operation, method, path in calls():
        answer = client.call(method, path, FORMED, **options(operation))
        assert answer.status_code == 500, operation["operationId"]


def nothing_there(client, token):
    for operation, method, path in calls():
        if "404" in operation["responses"]:
            answer = client.call(method, path, token, **options(operation))
            assert answer.status_code == 404, operation["operationId"]


def players_and_editions(client, service):
    service.health.record_heartbeat()
    for path in (
        "/healthz",
        "/readyz",
        "/metrics",
        "/v1/editions",
        "/v1/editions/classic",
        "/v1/bots",
        "/v1/games",
        "/v1/results",
        "/v1/programs",
        "/v1/players?name=a",
        "/v1/leaderboards",
        f"/v1/leaderboards/{POOLS[0]}",
    ):
        assert client.get(path).status_code == 200
    for path in ("/v1/lobby/stream", "/v1/results/stream"):
        assert client.get(path).status_code == 200
    token = client.post("/v1/players", json={"name": "Dot", "kind": "bot"}).json["token"]
    for path in ("/v1/players/me", "/v1/players/me/games", "/v1/players/me/events", "/v1/players/me/events/stream"):
        assert client.get(path, token).status_code == 200
    assert client.post("/v1/players/me/token", token).status_code == 200
    ann, bob = (
        client.post("/v1/players", json={"name": name}, headers={"Idempotency-Key": f"to-make-{name}-only-once-here"})
        for name in ("Ann", "Bob")
    )
    assert (ann.status_code, bob.status_code) == (201, 201)
    for path in ("", "/ratings", "/games"):
        assert client.get(f"/v1/players/{ann.json['player']['id']}{path}").status_code == 200
        assert client.get(f"/v1/players/nobody{path}").json["code"] == "not_found"
    assert client.get("/v1/leaderboards/chess-2-live-people").json["code"] == "not_found"
    keyed = {"headers": {"Idempotency-Key": "to-make-Ann-only-once-here"}}
    assert client.post("/v1/players", json={"name": "Bob"}, **keyed).status_code == 409
    assert client.post("/v1/players/me/token", ann.json["token"], **keyed).status_code == 409
    rotating = {"headers": {"Idempotency-Key": "to-replace-the-token-of-Bob"}}
    once = client.post("/v1/players/me/token", bob.json["token"], **rotating)
    assert client.post("/v1/players/me/token", once.json["token"]).status_code == 200
    keyed = {"headers": {"Idempotency-Key": "to-make-Bob-only-once-here"}}
    for answer in (
        client.post("/v1/players", json={"name": "Bob"}, **keyed),
        client.post("/v1/players/me/token", bob.json["token"], **rotating),
    ):
        assert (answer.status_code, answer.json["code"]) == (409, "token_replaced")


def tables_and_play(client, tokens):
    ann, bob, cleo = tokens
    closed = table(client, ann, visibility="unlisted")
    path = f"/v1/games/{closed['id']}"
    for refused in (
        client.get(path),
        client.get(f"{path}/events"),
        client.post(f"{path}/seats", bob, json={}),
        client.delete(path, bob),
        client.delete(f"{path}/seats/me", bob),
        client.post(f"{path}/rematch", bob),
        client.post(f"{path}/fork", bob, json=BODIES["forkGame"]),
        client.post(f"{path}/actions", bob, json=BODIES["submitAction"]),
    ):
        assert refused.status_code == 403
    seated = {"bot": "random", "join_code": closed["join_code"]}
    assert client.post(f"{path}/seats", bob, json=seated).json["code"] == "not_creator"
    assert client.post(f"{path}/actions", ann, json=BODIES["submitAction"]).json["code"] == "game_not_started"
    for place, body, other in (
        ("/v1/games", BODIES["createGame"], {**BODIES["createGame"], "edition": "classic"}),
        (f"{path}/seats", {"bot": "random"}, {"bot": "cautious"}),
    ):
        keyed = {"headers": {"Idempotency-Key": place}}
        assert client.post(place, ann, json=body, **keyed).status_code == 201
        assert client.post(place, ann, json=other, **keyed).json["code"] == "idempotency_key_reused"

    invitations(client, tokens, {"headers": {"Idempotency-Key": "to-withdraw"}})
    removals(client, tokens)
    blocks(client, tokens)
    queue(client, tokens)
    matches(client, tokens)
    days(client, tokens)
    reveals(client, tokens, {"headers": {"Idempotency-Key": "to-reveal"}})
    game = started(client, [ann, bob])
    path = f"/v1/games/{game['id']}"
    tag = client.get(path, ann).headers["ETag"]
    assert client.get(path, ann, headers={"If-None-Match": tag}).status_code == 304
    assert client.get(f"{path}?as=all", ann).status_code == 409
    assert client.post(f"{path}/seats", cleo, json={}).status_code == 409
    assert client.post(f"{path}/rematch", ann).status_code == 409
    assert client.post(f"{path}/fork", ann, json=BODIES["forkGame"]).json["code"] == "game_not_finished"
    actor, action = first_legal(client, game, [ann, bob])
    stale = client.post(f"{path}/actions", actor, json=action, headers={"If-Match": '"1"'})
    assert stale.status_code == 412
    other = bob if actor == ann else ann
    assert client.post(f"{path}/actions", other, json=action).json["code"] == "not_your_turn"
    drawn = {"type": "redraw_hand", "redraw": True}
    assert client.post(f"{path}/actions", actor, json=drawn).json["code"] == "illegal_action"
    assert client.post(f"{path}/actions", actor, json=action).status_code == 201
    assert client.delete(path, ann).json["reason"] == "game_begun"
    assert client.get(f"{path}/events").status_code == 200

    over = finished(client, [ann, bob])
    path = f"/v1/games/{over['id']}"
    for refused in (
        client.delete(path, ann),
        client.delete(f"{path}/seats/me", ann),
        client.post(f"{path}/seats", cleo, json={}),
        client.post(f"{path}/actions", ann, json=action),
    ):
        assert refused.json["code"] == "game_over"
    assert client.post(f"{path}/rematch", ann).status_code == 201
    again = client.post(f"{path}/rematch", bob)
    assert again.status_code == 201
    actor, action = first_legal(client, again.json, [ann, bob])
    acts = f"/v1/games/{again.json['id']}/actions"
    keyed = {"headers": {"Idempotency-Key": "to-act"}}
    assert client.post(acts, actor, json=action, **keyed).status_code == 201
    for place, body in ((acts, {**action, "face": "sane"}), (f"{path}/rematch", None)):
        assert client.post(place, actor, json=body, **keyed).json["code"] == "idempotency_key_reused"
    for place in (f"/v1/games/{again.json['id']}", f"/v1/games/{again.json['id']}/seats/me"):
        assert client.delete(place, actor, **keyed).json["code"] == "idempotency_key_reused"
    assert client.delete(f"/v1/games/{table(client, ann)['id']}", ann).status_code == 200
    forks(client, over, ann, {"headers": {"Idempotency-Key": "to-fork"}})
    assert view(client, over, ann, "?as=all")["status"] == "finished"


def queue(client, tokens):
    ann, bob, _ = tokens
    keyed = {"headers": {"Idempotency-Key": "to-wait"}}
    asked = client.post("/v1/queue", ann, json=BODIES["joinQueue"], **keyed)
    place = asked.headers["Location"]
    assert (asked.status_code, place) == (201, f"/v1/queue/{asked.json['id']}")
    again = client.post("/v1/queue", ann, json=BODIES["joinQueue"], **keyed)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.json == asked.json
    other = client.post("/v1/queue", ann, json={**BODIES["joinQueue"], "seats": [3]}, **keyed)
    assert other.json["code"] == "idempotency_key_reused"
    assert client.get(place, ann).json == asked.json
    assert client.get(place, bob).status_code == 404
    assert client.delete(place, ann).json["state"] == "cancelled"


def days(client, tokens):
    ann, bob, _ = tokens
    now = now_ms()
    service, day = client.http.application.extensions["billet.service"], Day.at("standard", now)
    with patch.object(deals, "now_ms", lambda: now):  # the day ends when this test says so
        assert client.get("/v1/daily", ann).status_code == client.get("/v1/daily/standard", ann).status_code == 200
        assert client.get("/v1/daily/unknown").status_code == client.post("/v1/daily/unknown", ann).status_code == 404
        begun = client.post("/v1/daily/standard", ann)
        assert (begun.status_code, begun.headers["Location"]) == (201, f"/v1/games/{begun.json['id']}")
        assert client.post("/v1/daily/standard", ann).json["id"] == begun.json["id"]
        program = client.post("/v1/players", json={"name": "Pro", "kind": "bot"}).json["token"]
        assert client.post("/v1/daily/standard", program).json["code"] == "not_accepted"
        assert client.get("/v1/daily/standard/2020-01-01").status_code == 404
        assert client.get(f"/v1/daily/standard/{day.date}").json["code"] == "game_not_finished"
    with patch.object(waves, "now_ms", lambda: day.ends), patch.object(deals, "now_ms", lambda: day.ends - 1):
        service.day_waves.run(day.id)
        assert client.post("/v1/daily/standard", bob).json["code"] == "game_over"
    with patch.object(deals, "now_ms", lambda: day.ends):
        assert client.get(f"/v1/daily/standard/{day.date}", ann).json["own"]["game"] == begun.json["id"]


def matches(client, tokens):
    ann, bob, _ = tokens
    keyed = {"headers": {"Idempotency-Key": "to-compare"}}
    made = client.post("/v1/matches", ann, json=BODIES["createMatch"], **keyed)
    place = made.headers["Location"]
    assert (made.status_code, place) == (201, f"/v1/matches/{made.json['id']}")
    again = client.post("/v1/matches", ann, json=BODIES["createMatch"], **keyed)
    assert again.headers["Idempotent-Replayed"] == "true"
    other = client.post("/v1/matches", ann, json={**BODIES["createMatch"], "games": 4}, **keyed)
    assert other.json["code"] == "idempotency_key_reused"
    for path in ("", "/games"):
        assert client.get(f"{place}{path}").status_code == 200
    assert client.get("/v1/matches").json["items"][0]["id"] == made.json["id"]
    assert client.get(f"{place}/table").headers["Content-Type"] == "text/csv; charset=utf-8"
    assert client.call("PATCH", place, bob, json=BODIES["changeMatch"]).json["code"] == "not_creator"
    assert client.delete(place, bob).json["code"] == "not_creator"
    assert client.call("PATCH", place, ann, json=BODIES["changeMatch"]).json["state"] == "paused"
    assert client.delete(place, ann).json["state"] == "ended"
    assert client.call("PATCH", place, ann, json=BODIES["changeMatch"]).json["code"] == "game_over"
    shared = client.post("/v1/matches", ann, json={**BODIES["createMatch"], "deals": "rotated"}).json["id"]
    client.http.application.extensions["billet.service"].match_waves.run(shared)
    sealed = client.get(f"/v1/matches/{shared}/games").json["items"][0]["game"]
    assert client.post(f"/v1/games/{sealed}/tickets", ann, json={}).json["code"] == "game_not_finished"
    for place in ("rounds", "hint", "review"):
        assert client.get(f"/v1/games/{sealed}/{place}", ann).json["code"] == "game_not_finished"
    reaction = {"json": {"reaction": "ouch"}}
    assert client.post(f"/v1/games/{sealed}/reactions", ann, **reaction).json["code"] == "game_not_finished"
    program, picky = (client.post("/v1/players", json={"name": "Pro", "kind": "bot"}).json for _ in range(2))
    told = {"program": {"version": "1", "accepts": {"editions": []}}}
    assert client.call("PATCH", "/v1/players/me", picky["token"], json=told).status_code == 200
    setup = {**BODIES["createMatch"], "clock": {"seconds": 60}}
    refused = client.post("/v1/matches", ann, json={**setup, "entrants": [{"player": picky["player"]["id"]}]})
    assert refused.json["code"] == "not_accepted"
    invited = client.post("/v1/matches", ann, json={**setup, "entrants": [{"player": program["player"]["id"]}]})
    place = invited.headers["Location"]
    assert client.call("PATCH", place, ann, json=BODIES["changeMatch"]).json["code"] == "game_not_started"
    for call in (client.post, client.delete):
        assert call(f"{place}/acceptance", ann).json["code"] == "not_seated"
    assert client.post(f"{place}/acceptance", program["token"]).json["state"] == "running"
    assert client.delete(f"{place}/acceptance", program["token"]).json["state"] == "ended"
    assert client.post(f"{place}/acceptance", program["token"]).json["code"] == "game_over"


def forks(client, over, ann, keyed):
    path = f"/v1/games/{over['id']}/fork"
    body = {"version": over["version"] - 1}
    assert client.post(path, ann, json=body, **keyed).status_code == 201
    assert client.post(path, ann, json={**body, "seat": 1}, **keyed).json["code"] == "idempotency_key_reused"
    assert client.post(path, ann, json={"version": over["version"]}).status_code == 422
    called_off = table(client, ann)["id"]
    assert client.delete(f"/v1/games/{called_off}", ann).status_code == 200
    assert client.post(f"/v1/games/{called_off}/fork", ann, json=body).json["code"] == "game_not_started"
    change_deck(client.http.application, over["id"])
    assert client.post(path, ann, json=body).json["reason"] == "not_repeatable"


def reveals(client, tokens, keyed):
    ann, bob, _ = tokens
    nonce = BODIES["revealNonce"]
    hashed = {"nonce_hash": sha256(nonce["nonce"].encode()).hexdigest()}
    path = f"/v1/games/{table(client, ann, **hashed)['id']}"
    assert client.post(f"{path}/nonce", ann, json=nonce).json["reason"] == "reveal_not_begun"
    assert client.post(f"{path}/nonce", bob, json=nonce).json["code"] == "not_seated"
    waiting = client.post(f"{path}/seats", bob, json=hashed)
    assert waiting.json["reveal"]["seats"] == [0, 1]
    leaving = client.delete(f"{path}/seats/me", bob)
    assert (leaving.status_code, leaving.json["reason"]) == (409, "reveal_in_progress")
    assert 1 <= int(leaving.headers["Retry-After"]) <= 15
    assert client.post(f"{path}/nonce", ann, json={"nonce": "x" * 32}).json["code"] == "nonce_mismatch"
    assert client.post(f"{path}/nonce", ann, json=nonce, **keyed).json["reveal"]["seats"] == [1]
    assert client.post(f"{path}/nonce", bob, json=nonce).json["status"] == "active"
    again = client.post(f"{path}/nonce", ann, json=nonce, **keyed)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert client.post(f"{path}/nonce", ann, json={"nonce": "x"}, **keyed).json["code"] == "idempotency_key_reused"
    plain = started(client, [ann, bob])
    assert client.post(f"/v1/games/{plain['id']}/nonce", ann, json=nonce).json["reason"] == "nonce_not_committed"
    called_off = f"/v1/games/{table(client, ann, **hashed)['id']}"
    assert client.delete(called_off, ann).status_code == 200
    assert client.post(f"{called_off}/nonce", ann, json=nonce).json["code"] == "game_over"


def invitations(client, tokens, keyed):
    ann, bob, cleo = tokens
    ids = [client.get("/v1/players/me", token).json["id"] for token in tokens]
    kept = [CREATOR, {"kind": "invited", "player": ids[1]}, OPEN]
    made = client.post("/v1/games", ann, json={"edition": "standard", "seats": kept})
    path = f"/v1/games/{made.json['id']}"
    assert client.post(f"{path}/seats", cleo, json={"seat": 1}).json["reason"] == "seat_reserved"
    assert client.post(f"{path}/seats", ann, json={"seat": 2, "player": ids[1]}).json["code"] == "player_at_table"
    assert client.post(f"{path}/seats", ann, json={"seat": 2, "player": "nobody"}).status_code == 422
    assert client.post(f"{path}/seats", ann, json={"seat": 2, "player": ids[2]}).status_code == 201
    assert client.delete(f"{path}/seats/2", bob).json["code"] == "not_creator"
    assert client.delete(f"{path}/seats/2", ann, **keyed).status_code == 200
    assert client.delete(f"{path}/seats/1", ann, **keyed).json["code"] == "idempotency_key_reused"
    assert client.post(f"{path}/seats", cleo, json={"seat": 2}).status_code == 201
    assert client.delete(f"{path}/seats/2", ann).json["seats"][2]["player"] is None
    assert client.post(f"{path}/seats", cleo, json={"seat": 2}).json["code"] == "removed"
    assert client.delete(f"{path}/seats/me?reason=later", bob).status_code == 200
    assert client.delete(f"{path}/seats/me?reason=later", bob).json["code"] == "not_seated"
    assert client.delete(path, ann).status_code == 200
    assert client.delete(f"{path}/seats/2", ann).json["code"] == "game_over"


def removals(client, tokens):
    """Removes players from tables, by whose code they may not come back either."""
    ann, bob, cleo = tokens
    unlisted = table(client, ann, 3, visibility="unlisted")
    code = {"code": unlisted["join_code"]}
    assert client.post("/v1/join", bob, json=code).status_code == 201
    assert client.delete(f"/v1/games/{unlisted['id']}/seats/1", ann).status_code == 200
    assert client.post("/v1/join", bob, json=code).json["code"] == "removed"
    path = f"/v1/games/{unlisted['id']}"
    for place in (
        "",
        "/events",
        "/events/stream",
        "/frames",
        "/frames/stream",
        "/rounds",
        "/deductions",
        "/hint",
        "/review",
    ):
        assert client.get(path + place, bob).json["code"] == "removed"
    assert client.post(f"{path}/tickets", bob).json["code"] == "removed"
    assert client.post(f"{path}/reactions", bob, json={"reaction": "ouch"}).json["code"] == "removed"
    running = started(client, [ann, cleo])
    assert client.delete(f"/v1/games/{running['id']}/seats/1", ann).json["reason"] == "game_begun"


def blocks(client, tokens):
    """Blocks a player, who is refused everywhere then, and frees them."""
    ann, bob, cleo = tokens
    me, other = (client.get("/v1/players/me", token).json["id"] for token in (ann, bob))
    theirs, mine = f"/v1/players/me/blocks/{other}", f"/v1/players/me/blocks/{me}"
    assert client.call("PUT", theirs, ann).json["player"]["name"] == "Bob"
    assert client.call("PUT", mine, ann).json["errors"][0]["field"] == "player_id"
    blocked = client.get("/v1/players/me/blocks", ann).json["items"]
    assert len(blocked) == 1
    assert client.get("/v1/players/me/data", ann).json["blocked"] == blocked
    kept = {"edition": "standard", "seats": [CREATOR, OPEN, {"kind": "invited", "player": me}]}
    open_one = client.post("/v1/games", ann, json={"edition": "standard", "seats": [CREATOR, OPEN]}).json["id"]
    old = finished(client, [ann, cleo])["id"]
    hidden = {"edition": "standard", "seats": [CREATOR, OPEN], "visibility": "unlisted"}
    code = {"code": client.post("/v1/games", ann, json=hidden).json["join_code"]}
    blocked_by_cleo = f"/v1/players/me/blocks/{me}"
    assert client.call("PUT", blocked_by_cleo, cleo).status_code == 200
    for refused in (
        client.post("/v1/games", bob, json=kept),
        client.post(f"/v1/games/{open_one}/seats", bob, json={}),
        client.post("/v1/join", bob, json=code),
        client.post(f"/v1/games/{old}/rematch", ann),
    ):
        assert (refused.status_code, refused.json["code"]) == (403, "not_accepted")
    assert client.delete(theirs, ann).status_code == 204
    assert client.delete(blocked_by_cleo, cleo).status_code == 204
    assert client.post("/v1/games", bob, json=kept).status_code == 201
    keyed = {"headers": {"Idempotency-Key": "the-seat-by-its-code"}}
    joined = client.post("/v1/join", bob, json=code, **keyed)
    assert joined.status_code == 201
    reused = client.post("/v1/join", bob, json={**code, "nonce": "salt"}, **keyed)
    assert reused.json["code"] == "idempotency_key_reused"
    assert client.post("/v1/join", cleo, json=code).json["code"] == "game_full"
    client.delete(f"/v1/games/{joined.json['id']}/seats/me", bob)
    assert client.post("/v1/join", cleo, json=code).json["code"] == "game_over"
    assert client.call("PATCH", "/v1/players/me", ann, json={"name": "Ann"}).status_code == 200
    declined = client.delete(f"/v1/players/me/invitations?from={other}&reason=later", ann)
    assert len(declined.json["declined"]) == 1


def reactions(client, tokens):
    """Reacts where one sits, again too soon, and where one does not sit."""
    ann, bob, cleo = tokens
    path = f"/v1/games/{started(client, [ann, bob])['id']}/reactions"
    assert client.post(path, ann, json={"reaction": "ouch"}).status_code == 204
    again = client.post(path, ann, json={"reaction": "ouch"})
    assert (again.status_code, again.json["limit"]) == (429, "reactions")
    assert int(again.headers["Retry-After"]) >= 1
    assert client.post(path, bob, json={"reaction": "boo"}).status_code == 422
    assert client.post(path, cleo, json={"reaction": "ouch"}).json["code"] == "not_seated"
    unlisted = f"/v1/games/{table(client, ann, visibility='unlisted')['id']}/reactions"
    assert client.post(unlisted, cleo, json={"reaction": "ouch"}).json["code"] == "join_code_wrong"
    over = f"/v1/games/{finished(client, [ann, bob])['id']}/reactions"
    assert client.post(over, ann, json={"reaction": "thanks"}).status_code == 204
    with patch("games.tables.reactions.AFTER_THE_END_MS", 0):
        assert client.post(over, bob, json={"reaction": "thanks"}).json["code"] == "game_over"


def breaks(client, tokens):
    """Takes days off where the game is by the day, more than there are, too early, and where it is not."""
    ann, bob, cleo = tokens
    one = {"json": {"days": 1}}
    game = table(client, ann, clock={"seconds": 86_400, "break_days": 2})
    path = f"/v1/games/{game['id']}/break"
    assert client.post(path, ann, **one).json["code"] == "game_not_started"
    assert client.post(f"/v1/games/{game['id']}/seats", bob, json={}).status_code == 201
    keyed = {"headers": {"Idempotency-Key": "the-only-day"}}
    # After a day off that lasts into the next year, the days of that would be left.
    with patch("games.clocks.breaks.DAY_MS", 1):
        assert client.post(path, ann, **one, **keyed).json["seats"][0]["break_days_left"] == 1
    assert client.post(path, ann, json={"days": 2}, **keyed).json["code"] == "idempotency_key_reused"
    assert client.post(path, ann, json={"days": 2}).json["code"] == "no_breaks"
    assert client.post(path, cleo, **one).json["code"] == "not_seated"
    assert client.post(f"/v1/games/{started(client, [ann, bob])['id']}/break", ann, **one).json["code"] == "no_breaks"
    assert client.delete(f"/v1/games/{game['id']}/seats/me", ann).status_code == 200
    assert client.post(path, bob, **one).json["code"] == "game_over"


def logs(client, tokens):
    """Takes logs away and has them verified."""
    closed = finished(client, tokens[:2], visibility="unlisted")
    path = f"/v1/games/{closed['id']}/log"
    assert client.get(path).status_code == 403
    assert client.get(f"/v1/games/{started(client, tokens)['id']}/log").json["code"] == "game_not_finished"
    log = client.get(path, tokens[0])
    assert client.post("/v1/logs/verify", json=log.json).json["valid"] is True
    assert client.post("/v1/logs/verify", json=[]).status_code == 422
    long = {"data": b" " * (MOST_LOG_BYTES + 1), "content_type": "application/json"}
    assert client.post("/v1/logs/verify", **long).status_code == 413


def damaged(client, asked, redis_url, token):
    """Sees what is said of a game that is damaged, by one who asks for it for the first time."""
    game = table(client, token, visibility="unlisted")
    with redis.Redis.from_url(redis_url) as stored:
        stored.xdel(keys.log(game["id"]), "1-0")
    for operation, method, path in calls():
        if "damaged" in operation["x-problems"]:
            of_game = operation["operationId"] != "joinByCode"
            body = options(operation) if of_game else {"json": {"code": game["join_code"]}}
            caller = FORMED if path.startswith("/v1/admin") else token
            answer = asked.call(method, path.replace("nothing", game["id"]), caller, **body)
            assert (answer.status_code, answer.json["code"]) == (500, "damaged"), operation["operationId"]


def aids(client, tokens):
    """Asks what can be known where that is allowed, where it is not, and too early."""
    ann, bob, _ = tokens
    opened = f"/v1/games/{table(client, ann, visibility='unlisted')['id']}/deductions"
    assert client.get(opened, bob).json["code"] == "join_code_wrong"
    assert client.get(opened, ann).json["code"] == "game_not_started"
    rated = f"/v1/games/{started(client, [ann, bob], rated=True)['id']}/deductions"
    assert client.get(rated, ann).json["code"] == "aids_off"
    running = f"/v1/games/{started(client, [ann, bob])['id']}/deductions"
    assert client.get(running, ann).status_code == 200
    assert client.get(f"{running}?as=all", ann).json["code"] == "game_not_finished"
    game = started(client, [ann, bob], starter=0)
    path = f"/v1/games/{game['id']}/hint"
    assert client.get(path, ann).status_code == 200
    assert client.get(path, bob).json["code"] == "not_your_turn"
    assert client.get(path, client.post("/v1/players", json={"name": "Eve"}).json["token"]).json["code"] == "not_seated"
    assert client.delete(f"/v1/games/{game['id']}/seats/me", bob).status_code == 200
    assert client.get(path, ann).json["code"] == "game_over"
    assert client.get(rated.replace("deductions", "hint"), ann).json["code"] == "aids_off"
    assert client.get(opened.replace("deductions", "hint"), ann).json["code"] == "game_not_started"
    assert client.get(opened.replace("deductions", "hint"), bob).json["code"] == "join_code_wrong"
    review = path.replace("hint", "review")
    assert client.get(review, ann).headers["Retry-After"]
    while client.http.application.extensions["billet.service"].reviews.work(game["id"]):
        pass
    assert client.get(review).status_code == 200
    closed = opened.replace("deductions", "review")
    assert client.get(closed, bob).json["code"] == "join_code_wrong"
    assert client.get(closed, ann).json["code"] == "game_not_finished"
    assert client.delete(closed.removesuffix("/review"), ann).status_code == 200
    assert client.get(closed, ann).json["code"] == "game_not_started"


def streams(client, tokens):
    """Follows games in every way there is, as far as an application without a server can."""
    ann, bob, _ = tokens
    closed = table(client, ann, visibility="unlisted")
    path = f"/v1/games/{closed['id']}"
    for place in ("events/stream", "frames", "frames/stream", "rounds"):
        assert client.get(f"{path}/{place}", bob).status_code == 403
    assert client.post(f"{path}/tickets", bob).status_code == 403
    for place in ("events", "events/stream", "frames", "frames/stream"):
        assert client.get(f"{path}/{place}?as=all", ann).json["code"] == "game_not_finished"
    rounds = client.get(f"{path}/rounds", ann)
    assert client.get(f"{path}/rounds", ann, headers={"If-None-Match": rounds.headers["ETag"]}).status_code == 304
    ticket = client.post(f"{path}/tickets", ann).json["ticket"]
    assert client.get(f"{path}/events/stream?ticket={ticket}").status_code == 200
    for way in ("events", "frames"):
        assert client.get(f"{path}/{way}/stream?ticket={ticket}").status_code == 401
    assert client.get(f"{path}/frames", ann).status_code == 200
    places = Places(Bound(1, "streams", "detail.too_many_streams"), UNBOUND)
    places.take("a", None)
    full = {LINK: Link("a", "", streams=places, waiting=waiting_places(), turns=None, wait=None)}
    for way in ("events", "frames"):
        assert client.get(f"{path}/{way}/stream", ann, environ_overrides=full).status_code == 429
    for path in ("/v1/lobby/stream", "/v1/results/stream"):
        assert client.get(path, environ_overrides=full).status_code == 429
    mine = "/v1/players/me/events"
    for place in (mine, f"{mine}/stream"):
        assert client.get(f"{place}?after=999", ann).json["code"] == "cursor_gone"
    ticket = client.post("/v1/players/me/tickets", ann).json["ticket"]
    assert client.get(f"{mine}/stream?ticket={ticket}").status_code == 200
    used = client.get(f"{mine}/stream?ticket={ticket}")
    assert used.status_code == 401
    assert "game" not in used.json["detail"]
    unread = client.get(f"{mine}/stream", ann, headers={"Last-Event-ID": "x"})
    assert (unread.status_code, unread.json["errors"][0]["field"]) == (422, "Last-Event-ID")
    assert "a cursor" in unread.json["detail"]
    assert "away too long" in client.get(f"{mine}?after=99999", ann).json["detail"]
    assert client.get(f"{mine}/stream", ann, environ_overrides=full).status_code == 429
    over = finished(client, [ann, bob])
    last = client.get(f"/v1/games/{over['id']}", ann).json["version"]
    for way in ("events", "frames"):
        stream = f"/v1/games/{over['id']}/{way}/stream"
        assert client.get(stream).status_code == 200
        assert client.get(f"{stream}?after={last}").status_code == 204


def archived_away(client, tokens, redis_url, tmp_path):
    """Reads a game whose log is in an archive that is away."""
    game = finished(client, tokens[:2])["id"]
    forked = client.post(f"/v1/games/{game}/fork", tokens[0], json=BODIES["forkGame"]).json["id"]
    assert client.delete(f"/v1/games/{forked}/seats/me", tokens[0]).json["status"] == "finished"
    retention = build(Settings(redis_url=redis_url, archive_url=str(tmp_path))).retention
    day = Day.at("standard", now_ms() - DAY_MS)
    with patch.object(Day, "at", lambda edition, now: Day(edition, day.date)):
        tried = client.post("/v1/daily/standard", tokens[0]).json["id"]
    assert client.delete(f"/v1/games/{tried}/seats/me", tokens[0]).status_code == 200
    client.http.application.extensions["billet.service"].day_waves.run(day.id)
    assert [retention.archive(one) for one in (game, forked, tried)] == ["archived"] * 3
    for place in (
        "?at=1",
        "/events",
        "/events/stream?after=0",
        "/frames",
        "/frames/stream?after=0",
        "/log",
        "/rounds",
        "/deductions?at=1",
        "/review",
    ):
        answer = client.get(f"/v1/games/{game}{place}", tokens[0])
        assert (answer.status_code, answer.json["code"]) == (503, "archive_unavailable"), place
        assert answer.headers["Retry-After"] == "5"
    for again in (
        client.post(f"/v1/games/{game}/fork", tokens[0], json=BODIES["forkGame"]),
        client.post(f"/v1/games/{forked}/rematch", tokens[0]),
        client.get(f"/v1/daily/standard/{day.date}", tokens[0]),
    ):
        assert (again.status_code, again.json["code"]) == (503, "archive_unavailable"), again.json
    assert client.delete(f"/v1/admin/games/{game}", FORMED).json["code"] == "archive_unavailable"
    assert client.get(f"/v1/games/{game}", tokens[0]).status_code == 200


def administered(client, tokens):
    """Does what operators may, and tries everything with the token of a player whom they have banned."""
    ann, bob, _ = tokens
    player = client.get("/v1/players/me", bob).json["id"]
    game = f"/v1/admin/games/{started(client, [ann, bob])['id']}"
    assert client.post(f"{game}/abort", FORMED).json["status"] == "aborted"
    assert client.post(f"{game}/abort", FORMED).json["code"] == "game_over"
    assert client.delete(game, FORMED).status_code == 204
    whose = f"/v1/admin/players/{player}"
    assert client.post(f"{whose}/ban", FORMED).json["banned"] is True
    for operation, method, path in calls():
        if "banned" in operation["x-problems"]:
            answer = client.call(method, path, bob, **options(operation))
            assert (answer.status_code, answer.json["code"]) == (403, "banned"), operation["operationId"]
    listed = client.get("/v1/admin/players?name=bo", FORMED).json["items"]
    assert [one["id"] for one in listed if one["banned"]] == [player]
    assert client.post(f"{whose}/unban", FORMED).json["banned"] is False
    assert client.get("/v1/players/me", bob).status_code == 200
    for by_operator in (True, False):
        gone = client.post("/v1/players", json={"name": "Gone"}).json
        path, token = f"/v1/admin/players/{gone['player']['id']}", FORMED
        path, token = (path, token) if by_operator else ("/v1/players/me", gone["token"])
        assert client.delete(path, token).status_code == 204
        assert client.get("/v1/players/me", gone["token"]).status_code == 401


def unreplicated(client, alone):
    """Makes every change of something through an application that waits for a replica, where there is none."""
    ann, bob = (client.post("/v1/players", json={"name": name}).json["token"] for name in ("Ann", "Bob"))
    other = client.get("/v1/players/me", bob).json["id"]
    unlisted = table(client, ann, visibility="unlisted")
    invited, withdrawn = (table(client, ann)["id"] for _ in range(2))
    for game in (invited, withdrawn):
        assert client.post(f"/v1/games/{game}/seats", ann, json={"player": other, "seat": 1}).status_code == 201
    ended, running, left, aborted, removed = (
        finished(client, [ann, bob]),
        *(started(client, [ann, bob]) for _ in range(4)),
    )
    slow = started(client, [ann, bob], clock={"seconds": 86_400})
    turn, action = first_legal(client, running, [ann, bob])
    gone, banned, rude = (client.post("/v1/players", json={"name": name}).json for name in ("Gone", "Banned", "Rude"))
    for other_player in (gone, banned):
        started(client, [ann, other_player["token"]])
    unwanted, bobs = table(client, rude["token"])["id"], {"player": other, "seat": 1}
    assert client.post(f"/v1/games/{unwanted}/seats", rude["token"], json=bobs).status_code == 201
    nonce = "a nonce that nobody else could guess"
    secret = table(client, ann, nonce_hash=sha256(nonce.encode()).hexdigest())["id"]
    assert client.post(f"/v1/games/{secret}/seats", bob, json={"nonce_hash": "0" * 64}).status_code == 201
    of = "/v1/games/{}".format
    for method, path, token, body in (
        ("POST", f"{of(secret)}/nonce", ann, {"nonce": nonce}),  # first, for nobody waits long for it
        ("POST", "/v1/players", None, {"name": "Cleo"}),
        ("POST", "/v1/games", ann, BODIES["createGame"]),
        ("POST", f"{of(table(client, ann)['id'])}/seats", bob, {}),
        ("POST", "/v1/join", bob, {"code": unlisted["join_code"]}),
        ("POST", f"{of(running['id'])}/actions", turn, action),
        ("POST", f"{of(slow['id'])}/break", ann, {"days": 1}),
        ("POST", f"{of(ended['id'])}/rematch", ann, {}),
        ("POST", f"{of(ended['id'])}/fork", ann, {"version": 9}),
        ("DELETE", f"{of(left['id'])}/seats/me", ann, None),
        ("DELETE", of(table(client, ann)["id"]), ann, None),
        ("DELETE", f"{of(withdrawn)}/seats/1", ann, None),
        ("DELETE", f"/v1/players/me/invitations?from={client.get('/v1/players/me', ann).json['id']}", bob, None),
        ("PUT", f"/v1/players/me/blocks/{rude['player']['id']}", bob, None),
        ("POST", f"/v1/admin/players/{banned['player']['id']}/ban", FORMED, None),
        ("POST", f"/v1/admin/games/{aborted['id']}/abort", FORMED, None),
        ("DELETE", f"/v1/admin/games/{removed['id']}", FORMED, None),
        ("DELETE", f"/v1/admin/players/{gone['player']['id']}", FORMED, None),
        ("DELETE", "/v1/players/me", bob, None),
    ):
        answer = alone.call(method, path, token, json=body)
        assert answer.status_code == 503, (method, path, answer.json)
        assert answer.json["code"] == "not_replicated"
        assert answer.headers["Retry-After"]


def test_every_status_and_code_of_every_operation_is_seen(
    client, service, players, redis_url, monkeypatch, caplog, tmp_path
):
    caplog.set_level("CRITICAL")
    client = Checked(create_app(Settings(redis_url=redis_url, admin_token=FORMED)), client)
    players_and_editions(client, service)
    administered(client, players)
    tables_and_play(client, players)
    nothing_there(Checked(create_app(Settings(redis_url=redis_url)), client), players[0])
    limited(Checked(create_app(Settings(redis_url=redis_url, admin_token=FORMED), ONE), client))
    closed = Checked(create_app(Settings(redis_url=redis_url, registration_key="k" * 16)), client)
    assert closed.post("/v1/players", json={"name": "Ann"}).status_code == 403
    streams(client, players)
    aids(client, players)
    reactions(client, players)
    breaks(client, players)
    logs(client, players)
    archived_away(client, players, redis_url, tmp_path)
    reader = Checked(create_app(Settings(redis_url=redis_url, admin_token=FORMED)), client)
    damaged(client, reader, redis_url, players[0])
    with monkeypatch.context() as hurried:
        hurried.setattr(clients, "REPLICA_MS", 40)
        waiting = create_app(Settings(redis_url=redis_url, admin_token=FORMED, durability=REPLICATED))
        unreplicated(client, Checked(waiting, client))
    refused_by_form(Checked(create_app(Settings(redis_url=NOWHERE, admin_token=FORMED), UNCOUNTED), client))
    without_storage(Checked(create_app(Settings(redis_url=NOWHERE, admin_token=FORMED)), client))
    stopping(client)
    failing(Checked(assemble(Settings(admin_token=FORMED)), client), monkeypatch)
    assert client.seen == promised()
    assert client.refused == promised_refusals()
