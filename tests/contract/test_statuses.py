"""Every status the document promises is seen, with an answer that is as the document says."""

from api import create_app
from api.app import assemble
from api.bridge import LATE
from api.link import LINK, Link, OpenStreams
from service.settings import Settings
from tests.contract.checked import METHODS, Checked, document, promised
from tests.contract.tables import CREATOR, OPEN, finished, first_legal, started, table, view

NOWHERE = "redis://127.0.0.1:1/0"
FORMED = "p0123456789abcdef0123.secret"
"""A token that looks like one."""

BODIES = {
    "registerPlayer": {"name": "Ann"},
    "createGame": {"edition": "standard", "seats": [CREATOR, OPEN]},
    "takeSeat": {},
    "createTicket": {},
    "submitAction": {"type": "play_card", "card": "guard"},
}


def calls():
    """Yields every operation: its document, method, and path with ids of nothing."""
    for path, item in document()["paths"].items():
        for method in METHODS:
            if method in item:
                yield item[method], method.upper(), path.replace("{game_id}", "nothing").replace("{edition_id}", "x")


def options(operation):
    name = operation["operationId"]
    return {"json": BODIES[name]} if name in BODIES else {}


def refused_by_form(client):
    """Sees what is refused before the service is asked."""
    for operation, method, path in calls():
        client.call("PATCH", path)
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
            late = {LATE: True}  # as the front says it
            client.call(method, path, token, json=options(operation)["json"], environ_overrides=late)
        elif "422" in statuses and any(p.get("in") == "query" for p in operation["parameters"]):
            client.call(method, f"{path}?no_such_parameter=1", FORMED)
        elif "422" in statuses:
            client.call(method, path, FORMED, headers={"Idempotency-Key": "not a key"})


def without_storage(client):
    for operation, method, path in calls():
        if "503" in operation["responses"]:
            answer = client.call(method, path, FORMED, **options(operation))
            assert answer.status_code == 503, operation["operationId"]


def limited(client):
    """Sees every operation refused by its limit: one call of each kind is allowed, and the next is one too many."""
    for operation, method, path in calls():
        if "429" in operation["responses"]:
            client.call(method, path, FORMED, **options(operation))
            answer = client.call(method, path, FORMED, **options(operation))
            assert answer.status_code == 429, operation["operationId"]
            assert answer.headers["RateLimit"].startswith(f'"{answer.json["limit"]}";r=0;t=')


ONE = {f"limit_{bucket}_address": "1/hour" for bucket in ("acting", "reading", "creating", "joining", "registering")}


class Broken:
    """Fails whatever is asked of it."""

    def __call__(self, *args, **kwargs):
        raise RuntimeError("broken")

    def __getattr__(self, name):
        raise RuntimeError("broken")


def failing(client, monkeypatch):
    for module in ("players", "editions", "games", "play", "following", "system"):
        for name in ("plain", "service", "metrics", "catalogue"):
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
    service.health.worker_is_alive()
    for path in ("/healthz", "/readyz", "/metrics", "/v1/editions", "/v1/editions/classic", "/v1/games"):
        assert client.get(path).status_code == 200
    token = client.post("/v1/players", json={"name": "Dot", "kind": "bot"}).json["token"]
    for path in ("/v1/players/me", "/v1/players/me/games"):
        assert client.get(path, token).status_code == 200
    assert client.post("/v1/players/me/token", token).status_code == 200
    ann, bob = (
        client.post("/v1/players", json={"name": name}, headers={"Idempotency-Key": f"to-make-{name}-only-once-here"})
        for name in ("Ann", "Bob")
    )
    assert (ann.status_code, bob.status_code) == (201, 201)
    keyed = {"headers": {"Idempotency-Key": "to-make-Ann-only-once-here"}}
    assert client.post("/v1/players", json={"name": "Bob"}, **keyed).status_code == 409
    assert client.post("/v1/players/me/token", ann.json["token"], **keyed).status_code == 409


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
        client.post(f"{path}/actions", bob, json=BODIES["submitAction"]),
    ):
        assert refused.status_code == 403
    keyed = {"headers": {"Idempotency-Key": "one"}}
    assert client.post("/v1/games", ann, json=BODIES["createGame"], **keyed).status_code == 201
    other = {**BODIES["createGame"], "edition": "classic"}
    assert client.post("/v1/games", ann, json=other, **keyed).status_code == 409

    game = started(client, [ann, bob])
    path = f"/v1/games/{game['id']}"
    tag = client.get(path, ann).headers["ETag"]
    assert client.get(path, ann, headers={"If-None-Match": tag}).status_code == 304
    assert client.get(f"{path}?as=all", ann).status_code == 409
    assert client.post(f"{path}/seats", cleo, json={}).status_code == 409
    assert client.post(f"{path}/rematch", ann).status_code == 409
    actor, action = first_legal(client, game, [ann, bob])
    stale = client.post(f"{path}/actions", actor, json=action, headers={"If-Match": '"1"'})
    assert stale.status_code == 412
    assert client.post(f"{path}/actions", actor, json=action).status_code == 201
    assert client.delete(path, ann).status_code == 409
    assert client.get(f"{path}/events").status_code == 200

    over = finished(client, [ann, bob])
    path = f"/v1/games/{over['id']}"
    assert client.delete(f"{path}/seats/me", ann).status_code == 409
    assert client.post(f"{path}/actions", ann, json=action).status_code == 409
    assert client.post(f"{path}/rematch", ann).status_code == 201
    assert client.delete(f"/v1/games/{table(client, ann)['id']}", ann).status_code == 200
    assert view(client, over, ann, "?as=all")["status"] == "finished"


def streams(client, tokens):
    """Follows games in every way there is, as far as an application without a front can."""
    ann, bob, _ = tokens
    closed = table(client, ann, visibility="unlisted")
    path = f"/v1/games/{closed['id']}"
    for call, place in ((client.get, "events/stream"), (client.get, "events/ndjson"), (client.post, "tickets")):
        assert call(f"{path}/{place}", bob).status_code == 403
    ticket = client.post(f"{path}/tickets", ann).json["ticket"]
    assert client.get(f"{path}/events/stream?ticket={ticket}").status_code == 200
    assert client.get(f"{path}/events/stream?ticket={ticket}").status_code == 401
    assert client.get(f"{path}/events/ndjson", ann).status_code == 200
    full = {LINK: Link(OpenStreams(0, 0))}
    assert client.get(f"{path}/events/stream", ann, environ_overrides=full).status_code == 429
    over = finished(client, [ann, bob])
    stream = f"/v1/games/{over['id']}/events/stream"
    last = client.get(f"/v1/games/{over['id']}", ann).json["version"]
    assert client.get(f"{stream}?after={last}").status_code == 204


def test_every_status_of_every_operation_is_seen(client, service, players, redis_url, monkeypatch, caplog):
    caplog.set_level("CRITICAL")
    players_and_editions(client, service)
    tables_and_play(client, players)
    nothing_there(client, players[0])
    limited(Checked(create_app(Settings(redis_url=redis_url, **ONE)), client.seen))
    closed = Checked(create_app(Settings(redis_url=redis_url, registration_key="k" * 16)), client.seen)
    assert closed.post("/v1/players", json={"name": "Ann"}).status_code == 403
    streams(client, players)
    refused_by_form(Checked(create_app(Settings(redis_url=NOWHERE)), client.seen))
    without_storage(Checked(create_app(Settings(redis_url=NOWHERE)), client.seen))
    failing(Checked(assemble(Settings()), client.seen), monkeypatch)
    assert promised() - client.seen == set()
    assert client.seen <= promised()
