"""Numbers of requests are bounded, whatever they look like, and names are seen for what they are."""

import re
import unicodedata

import pytest

from api.schemas.players import NAME_PATTERN
from tests.contract.tables import table

LARGE = ["1e300", "-1e300", "1e400", "18446744073709551616", "9007199254740993", "2147483648", "-1", "0.5", "1e-300"]
TABLE = '"edition":"standard","seats":[{"kind":"creator"},{"kind":"open"}]'
BODIES = {
    "/v1/games/GAME/fork": [
        '{"version":N}',
        '{"version":1,"seat":N}',
        '{"version":1,"bots":[{"seat":N,"bot":"random"}]}',
    ],
    "/v1/games/GAME/seats": ['{"seat":N}'],
    "/v1/games/GAME/actions": [
        '{"type":"play_card","card":"guard","targets":[N]}',
        '{"type":"play_card","card":"guard","targets":[1],"guess_value":N}',
    ],
    "/v1/games": [
        "{" + TABLE + ',"starter":N}',
        "{" + TABLE + ',"clock":{"seconds":N,"on_timeout":"forfeit"}}',
        "{" + TABLE + ',"clock":{"kind":"bank","seconds":9,"increment":N,"on_timeout":"forfeit"}}',
        "{" + TABLE + ',"sandbox":{"rounds":[{"starter":N}]}}',
    ],
}
QUERIES = {
    "/v1/games/GAME": ["at"],
    "/v1/games/GAME/events": ["after", "limit", "wait", "at", "as"],
    "/v1/games/GAME/frames": ["after", "limit", "wait", "as"],
    "/v1/games/GAME/frames/stream": ["after", "as"],
    "/v1/games/GAME/rounds": ["limit"],
    "/v1/games": ["limit"],
    "/v1/players/me/events": ["limit", "wait"],
}


@pytest.fixture
def ended(client, players):
    """A game that has ended."""
    game = table(client, players[0])
    client.delete(f"/v1/games/{game['id']}", players[0])
    return game["id"]


def status(client, path, token, raw, **headers):
    """Returns how a call is answered whose body is written by hand."""
    given = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers}
    return client.http.post(path, data=raw, headers=given).status_code


@pytest.mark.parametrize("number", LARGE)
def test_no_number_in_a_body_is_too_much(client, players, ended, number):
    for path, forms in BODIES.items():
        for form in forms:
            for key in ({}, {"Idempotency-Key": "one-key"}):
                answered = status(client, path.replace("GAME", ended), players[0], form.replace("N", number), **key)
                assert answered in (400, 422), (form, key)


@pytest.mark.parametrize("number", ["0", "-0.0", "0.0", "-0"])
def test_a_seat_may_be_written_as_json_allows(client, players, number):
    raw = "{" + TABLE + ',"starter":' + number + "}"
    assert status(client, "/v1/games", players[0], raw, **{"Idempotency-Key": f"key{number}"}) == 201


@pytest.mark.parametrize("number", [*LARGE, "1.0", "-0.0", "0x1", "\u0663", "1" * 5000, " 1", "+1", "1_0", ""])
def test_no_number_in_a_query_is_too_much(client, players, number):
    game = table(client, players[0])["id"]
    bearer = {"Authorization": f"Bearer {players[0]}"}
    for path, names in QUERIES.items():
        for name in names:
            answer = client.http.get(path.replace("GAME", game), query_string={name: number}, headers=bearer)
            assert answer.status_code == 422, (path, name)


@pytest.mark.parametrize("number", [*LARGE, "1.0", "9" * 16, "9" * 300])
def test_no_number_in_a_path_or_a_header_is_too_much(client, players, number):
    game = table(client, players[0])["id"]
    bearer = {"Authorization": f"Bearer {players[0]}"}
    assert 400 <= client.http.delete(f"/v1/games/{game}/seats/{number}", headers=bearer).status_code < 500
    tags = {**bearer, "If-Match": f'"{number}"', "If-None-Match": number, "Last-Event-ID": number}
    assert client.http.get(f"/v1/games/{game}", headers=tags).status_code == 200


def integers(schema, document, seen, where):
    """Yields the integers that a schema has, each with where it is."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name in seen:
            return
        seen.add(name)
        schema = document["components"]["schemas"][name]
    if schema.get("type") == "integer":
        yield where, schema
    parts = [(f"{where}.{name}", part) for name, part in schema.get("properties", {}).items()]
    parts += [(where, one) for kind in ("oneOf", "anyOf", "allOf") for one in schema.get(kind, [])]
    parts += [(where, schema["items"])] if isinstance(schema.get("items"), dict) else []
    for place, part in parts:
        yield from integers(part, document, seen, place)


def test_every_number_that_a_client_may_send_has_bounds_in_the_document(client):
    document, found, seen = client.http.get("/openapi.json").json, [], set()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if not isinstance(operation, dict) or path.endswith("verify"):  # a log may say any number
                continue
            for given in operation.get("parameters", []):
                one = (
                    document["components"]["parameters"][given["$ref"].rpartition("/")[2]] if "$ref" in given else given
                )
                found += integers(one["schema"], document, seen, f"{method} {path} {one['name']}")
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            found += integers(content["schema"], document, seen, f"{method} {path}") if content else []
    assert len(found) > 15
    assert [where for where, schema in found if not {"minimum", "maximum"} <= schema.keys()] == []


# --- names ---

SEEN = ["Ann", "Zoë", "李雷", "محمد", "O'Neil", "a\u2027b", "\u2027", "❤️", "👩\u200d🚀", "🏴\U000e0067\U000e007f", "한"]
HIDDEN = "\u00ad\u034f\u115f\u1160\u17b4\u180e\u2063\u2800\u3164\uffa0\ufe0f\u1680\u205f\u202f"
UNSEEN = [*HIDDEN, "\u200b\u200c", "\u3164\u3164", "\U000e0041\U000e007f", "\U000e0100\ufe0f\U000e0100", " "]
TURNING = "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def test_names_that_can_be_seen_are_taken(client):
    for name in SEEN:
        assert client.post("/v1/players", json={"name": name}).status_code == 201, ascii(name)


def test_names_that_cannot_be_seen_are_refused(client):
    for name in UNSEEN:
        answer = client.post("/v1/players", json={"name": name})
        assert (answer.status_code, answer.json["code"]) == (422, "invalid_request"), ascii(name)


def test_what_turns_a_text_round_is_refused_anywhere_in_a_name(client):
    for character in TURNING:
        for name in (f"{character}Ann", f"A{character}nn", f"Ann{character}"):
            assert client.post("/v1/players", json={"name": name}).status_code == 422, ascii(name)


def test_a_name_of_the_service_is_refused_wherever_a_name_is_set(client, players):
    for name in ("You", "Du", "Clever\u2003bot", "\uff25\uff38PERT"):
        refused = [
            client.post("/v1/players", json={"name": name}),
            client.call("PATCH", "/v1/players/me", players[0], json={"name": name}),
        ]
        for answer in refused:
            assert (answer.status_code, [error["field"] for error in answer.json["errors"]]) == (422, ["name"])
    assert client.get("/v1/players/me", players[0]).json["name"] == "Ann"


def test_the_pattern_of_a_name_knows_what_turns_a_text_and_what_is_blank():
    pattern = re.compile(NAME_PATTERN)
    for character in map(chr, range(0x10000)):
        if unicodedata.bidirectional(character) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"):
            assert pattern.fullmatch(f"a{character}b") is None, ascii(character)
        if unicodedata.category(character) in ("Zs", "Zl", "Zp", "Cc"):
            assert pattern.fullmatch(character) is None, ascii(character)


def test_the_pattern_of_a_name_holds_no_line_separator_also_where_it_is_printed_as_it_is():
    printed = re.sub(r"\\[ux]([0-9a-f]{4}|[0-9a-f]{2})", lambda found: chr(int(found[1], 16)), NAME_PATTERN)
    assert not {"\u2028", "\u2029"} & set(printed)
    assert re.fullmatch(NAME_PATTERN, "a\u2027b")
    assert re.fullmatch(NAME_PATTERN, "\u2027")
