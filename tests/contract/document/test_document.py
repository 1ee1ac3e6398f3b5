"""The published document: valid, stable, and in the shapes that client generators understand."""

import copy
import json
import re
from pathlib import Path

import pytest
from flask import Request
from openapi_spec_validator import validate

import engine.errors
from api.app import assemble
from api.document.derived import DERIVED, STREAMS
from api.document.operations import described_path
from api.problems.kinds import ILLEGAL, KINDS
from api.published import published_document
from api.request.arguments import SECRET_KEY_LENGTH, idempotency_key
from engine.actions import ACTIONS
from engine.bots import BOTS
from engine.editions import EDITIONS
from engine.events import EVENTS
from games.errors import Refused
from service.settings import Settings
from tests.contract.checked import validate as validate_by
from tools.document.examples import FILE, noted

PUBLISHED = Path(__file__).parents[3] / "openapi" / "openapi.json"

REVEALING = {"reveal_in_progress", "reveal_not_begun", "reveal_over", "nonce_not_committed"}
"""Reasons of the service alone."""


@pytest.fixture(scope="module")
def document():
    return json.loads(published_document())


@pytest.fixture(scope="module")
def schemas(document):
    return document["components"]["schemas"]


def operations(document):
    return [
        (f"{method} {path}", path, operation)
        for path, item in document["paths"].items()
        for method, operation in item.items()
        if method != "parameters"
    ]


def objects(schemas):
    return {name: schema for name, schema in schemas.items() if schema.get("type") == "object"}


def inside(value):
    """Yields every mapping in a document."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from inside(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from inside(inner)


@pytest.mark.soak
def test_it_is_valid_openapi_3_1(document):
    assert document["openapi"] == "3.1.0"
    validate(document)


def test_the_published_file_is_what_the_code_says():
    """In whatever process: `make check` compares the file with the document of another one."""
    assert PUBLISHED.read_text() == published_document()


def derived_document(name):
    """Returns a derived document; `make check` says that it is valid."""
    return DERIVED[f"openapi.{name}.json"](json.loads(PUBLISHED.read_text()))


def lists_with_null(part):
    """Finds the schemas of lists whose items may be null."""
    if isinstance(part, list):
        return [found for inner in part for found in lists_with_null(inner)]
    if not isinstance(part, dict):
        return []
    items = part.get("items")
    own = [part] if isinstance(items, dict) and {"type": "null"} in items.get("anyOf", []) else []
    return own + [found for inner in part.values() for found in lists_with_null(inner)]


def test_one_derived_document_differs_in_discriminators_and_in_lists_with_null_alone(document, schemas):
    derived = derived_document("no-discriminator")
    assert schemas["Seat"]["properties"]["hand"] in lists_with_null(document)
    assert lists_with_null(derived) == []
    assert "anyOf" not in derived["components"]["schemas"]["Seat"]["properties"]["hand"]["items"]
    expected = copy.deepcopy(document)
    for listing in lists_with_null(expected):
        del listing["items"]["anyOf"]
    for name in ("SandboxRound", "SandboxPosition"):  # which only such lists hold
        del expected["components"]["schemas"][name]
    unions = [name for name, schema in schemas.items() if "discriminator" in schema]
    assert unions
    for name in unions:
        assert "discriminator" not in derived["components"]["schemas"][name]
        derived["components"]["schemas"][name]["discriminator"] = schemas[name]["discriminator"]
    assert derived == expected


def test_variants_come_before_their_unions(document):
    names = list(document["components"]["schemas"])
    unions = {name: it["oneOf"] for name, it in document["components"]["schemas"].items() if "oneOf" in it}
    assert {"GameAction", "GameEvent", "SeatSetup"} <= set(unions)
    for union, variants in unions.items():
        assert all(names.index(one["$ref"].rpartition("/")[2]) < names.index(union) for one in variants)


def test_every_parameter_in_a_path_has_an_example_and_none_of_its_own_is_a_number(document):
    """openapi-qraft fails at a number; that of a schema does no harm, and Postman fills it in as well."""
    calls = [call for path in document["paths"].values() for call in path.values()]
    in_path = [one for call in calls for one in call["parameters"] if one.get("in") == "path"]
    assert in_path
    assert [one["name"] for one in in_path if "example" not in one and "examples" not in one["schema"]] == []
    assert all(isinstance(one.get("example", ""), str) for call in calls for one in call["parameters"])


def test_a_parameter_in_a_path_that_is_not_described_is_refused_at_once():
    with pytest.raises(KeyError, match="no_such_thing"):
        described_path("/v1/games/<id:game_id>/<id:no_such_thing>")


def test_the_plain_document_differs_in_enums_beside_constants_alone(document):
    derived = derived_document("plain")
    constants = list(constants_of(derived))
    assert len(constants) > 40
    for one in constants:
        assert one.pop("enum") == [one["const"]]
    assert derived == document


def test_plain_lists_differ_in_cards_in_lists_of_lists_alone(document):
    derived, expected = derived_document("plain-lists"), copy.deepcopy(document)
    for name, member in (
        *(("PositionSetup", "hands"), ("PositionSetup", "discards"), ("Lying", "discards")),
        *(("SandboxPosition", "hands"), ("SandboxPosition", "discards")),
    ):
        piles = expected["components"]["schemas"][name]["properties"][member]
        assert piles["items"]["items"] == {"$ref": "#/components/schemas/CardId", "description": "A card."}
        piles["items"]["items"] = {"type": "string", "description": "A card."}
    assert derived == expected


def constants_of(part):
    if isinstance(part, dict):
        if part.get("type") == "string" and "const" in part:
            yield part
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from constants_of(inner)


def test_the_other_derived_document_differs_in_the_types_of_streams_alone(document):
    derived = derived_document("typed-stream")
    assert set(STREAMS) == {path for path in document["paths"] if path.endswith("/stream")}
    for path, schema in STREAMS.items():
        stream, published = (
            made["paths"][path]["get"]["responses"]["200"]["content"]["text/event-stream"]
            for made in (derived, document)
        )
        assert stream["schema"] == schema
        stream["schema"] = published["schema"]
    assert derived == document


@pytest.mark.parametrize(
    ("parameter", "least"),
    [("IdempotencyKey", 1), ("TicketIdempotencyKey", 1), ("SecretIdempotencyKey", SECRET_KEY_LENGTH)],
)
@pytest.mark.parametrize(
    "key", ["a", "!~", "x" * 21, "x" * 22, "x" * 200, "", "x" * 201, "a b", "\x7f" * 22, "\u00e4" * 22, "a\n"]
)
def test_an_idempotency_key_has_the_form_that_is_documented(document, parameter, least, key):
    schema = document["components"]["parameters"][parameter]["schema"]
    # Python's `$` alone would let a line break follow.
    as_documented = re.search(schema["pattern"].replace("$", r"\Z"), key)
    as_documented = as_documented and schema["minLength"] <= len(key) <= schema["maxLength"]
    request = Request({"HTTP_IDEMPOTENCY_KEY": key})
    if as_documented:
        assert idempotency_key(request, least) == key
    else:
        with pytest.raises(Refused):
            idempotency_key(request, least)


def test_it_is_served_as_it_is_published(document):
    http = assemble(Settings()).test_client()
    assert http.get("/openapi.json").json == document
    for name, derive in DERIVED.items():
        assert http.get(f"/{name}").json == derive(document), name
    unknown = http.get("/openapi.strange.json")
    assert (unknown.status_code, unknown.json["code"]) == (404, "not_found")


def test_patterns_name_characters_as_every_expression_can(document):
    """Ruby takes `\\x9f` for half of a character."""
    found = re.findall(r'"pattern": "((?:[^"\\]|\\.)*)"', json.dumps(document))
    assert any("\\u009f" in pattern for pattern in found)
    assert not [pattern for pattern in found if "\\x" in pattern]


def test_every_route_of_the_application_is_in_it(document):
    app = assemble(Settings())
    pages = {"/", "/games/<id:game_id>", "/replays/<id:game_id>", "/players/<id:player_id>"}
    pages |= {
        "/daily",
        "/daily/<id:edition>/<id:date>",
        "/learn",
        "/replays",
        "/manifest.webmanifest",
        "/sw.js",
        "/matches",
        "/matches/<id:match_id>",
        "/leaderboards",
        "/leaderboards/<pool:pool>",
        "/web/<digest>/<path:name>",
    }
    undocumented = {
        "/openapi.json",
        "/openapi.<form>.json",
        "/docs",
        "/docs/<path:name>",
        *pages,
    }
    routes = {
        (method.lower(), re.sub(r"<(?:id:|int:|pool:)?(\w+)>", r"{\1}", rule.rule))
        for rule in app.url_map.iter_rules()
        if rule.rule not in undocumented
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert routes == {tuple(name.split(" ", 1)) for name, _, _ in operations(document)}


def test_every_operation_says_what_it_is(document):
    identifiers = set()
    tags = {tag["name"] for tag in document["tags"]}
    for name, path, operation in operations(document):
        assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)+", operation["operationId"]), name
        identifiers.add(operation["operationId"])
        assert operation["summary"], name
        assert operation["description"].endswith("."), name
        assert len(operation["tags"]) == 1, name
        assert operation["tags"][0] in tags, name
        assert "default" not in operation["responses"], name
        assert {"405", "500", "503"} <= set(operation["responses"]), name
        if path.startswith("/v1"):
            refusals = {status: ref for status, ref in operation["responses"].items() if status >= "400"}
            assert all(set(ref) == {"$ref"} for ref in refusals.values()), name
        if "requestBody" in operation:
            assert {"400", "413", "415", "422"} <= set(operation["responses"]), name
        if operation.get("security") != []:
            assert "401" in operation["responses"], name
        if "{" in path:
            assert "404" in operation["responses"], name
    assert len(identifiers) == len(operations(document))


def test_every_refusal_is_a_problem(document):
    for name, response in document["components"]["responses"].items():
        assert list(response["content"]) == ["application/problem+json"], name
        assert response["content"]["application/problem+json"]["schema"] == {"$ref": "#/components/schemas/Problem"}


ANYTHING = "LogToVerify"
"""What is sent to be judged, and so may be anything: what is wrong with it is the answer."""


def test_what_is_sent_to_be_judged_may_be_any_object(schemas):
    assert schemas[ANYTHING]["properties"] == {}
    assert schemas[ANYTHING]["additionalProperties"] is True


def sent(schemas):
    """Returns the names of the components that clients send."""
    players, games = (
        {"PlayerSetup", "PlayerChange"},
        {"GameSetup", "ForkSetup", "SeatClaim", "CodeClaim", "RematchClaim", "QueueSetup"},
    )
    settings = {"MatchSetup", "MatchChange", "BreakSetup"}
    found, todo = set(), players | games | settings | {"GameAction", "ReactionSetup", "TicketClaim", "NonceReveal"}
    while todo:
        name = todo.pop()
        found.add(name)
        text = json.dumps(schemas[name])
        todo |= set(re.findall(r"#/components/schemas/(\w+)", text)) - found
    return found


def test_what_is_sent_is_closed_and_never_null(schemas):
    for name in sent(schemas):
        if schemas[name].get("type") == "object":
            assert schemas[name]["additionalProperties"] is False, name
        assert '"null"' not in json.dumps(schemas[name]), name


def test_what_is_answered_is_open_and_complete(schemas):
    optional = {"reason", "errors", "legal_actions", "version", "limit", "retry_after"}
    for name, schema in objects(schemas).items():
        if name in sent(schemas) or name == ANYTHING:
            continue
        assert "additionalProperties" not in schema, name
        missing = set(schema["properties"]) - set(schema.get("required", []))
        assert missing == (optional if name == "Problem" else set()), name


@pytest.mark.parametrize(("union", "tag"), [("GameAction", "type"), ("GameEvent", "type"), ("SeatSetup", "kind")])
def test_a_union_names_its_variants_and_each_of_them_its_tag(schemas, union, tag):
    schema = schemas[union]
    assert schema["discriminator"]["propertyName"] == tag
    mapping = schema["discriminator"]["mapping"]
    assert [{"$ref": reference} for reference in mapping.values()] == schema["oneOf"]
    assert len(set(mapping.values())) == len(mapping)
    for word, reference in mapping.items():
        variant = schemas[reference.rsplit("/", 1)[1]]
        assert variant["properties"][tag] == {"type": "string", "const": word}
        assert tag in variant["required"]


def test_unions_are_never_null_nor_inside_one_another(document):
    unions = {f"#/components/schemas/{name}" for name in ("GameAction", "GameEvent", "SeatSetup")}
    for mapping in inside(document):
        for word in ("anyOf", "oneOf", "allOf"):
            for member in mapping.get(word, []) if isinstance(mapping.get(word), list) else []:
                assert member.get("$ref") not in unions


def test_every_action_and_event_of_the_engine_is_a_variant(schemas):
    assert set(schemas["GameAction"]["discriminator"]["mapping"]) == {*ACTIONS}
    assert set(schemas["GameEvent"]["discriminator"]["mapping"]) == {*EVENTS, "other"}


def test_every_event_has_every_field_of_the_engine(schemas):
    for word, kind in EVENTS.items():
        assert set(schemas[kind.__name__]["properties"]) == set(kind.fields), word
        envelope = schemas[f"{kind.__name__}Event"]
        assert set(envelope["properties"]) == {"version", "type", "at", "data", "text"}
        assert envelope["properties"]["data"] == {"$ref": f"#/components/schemas/{kind.__name__}"}


def test_a_hidden_field_can_be_null_and_a_public_one_only_if_it_says_so(schemas):
    drawn = schemas["CardDrawn"]["properties"]
    assert {"type": "null"} in drawn["card"]["anyOf"]
    assert drawn["seat"]["type"] == "integer"
    started = schemas["RoundStarted"]["properties"]
    assert {"type": "null"} in started["hands"]["items"]["anyOf"]
    assert started["shown_aside"]["items"]["$ref"] == "#/components/schemas/CardId"


def test_the_vocabularies_are_those_of_the_engine(schemas):
    assert schemas["EditionId"]["enum"] == list(EDITIONS)
    assert sorted(schemas["BotId"]["enum"]) == sorted(BOTS)
    cards = {card.key for edition in EDITIONS.values() for seats in edition.seats for card in edition.cards_for(seats)}
    assert set(schemas["CardId"]["enum"]) == cards


def test_words_are_referred_to_and_not_repeated(schemas):
    for name, schema in objects(schemas).items():
        assert "enum" not in json.dumps(schema), name


def test_names_keep_clear_of_what_breaks_generators(schemas):
    reserved = {"Action", "Event", "Error", "Type", "Object", "Record", "Model", "Response", "Request"}
    for name in schemas:
        assert re.fullmatch(r"([A-Z][a-z]+)+", name), name
        assert name not in reserved
        assert not name.startswith("New"), name
        assert not re.search(r"(Request|Response|Data|Errors?|Input|Output)$", name), name


def test_nothing_has_a_default_and_nothing_is_read_only(document):
    for mapping in inside(document):
        assert "readOnly" not in mapping
        assert "writeOnly" not in mapping
        assert "default" not in mapping


def test_everything_is_described(schemas):
    for name, schema in schemas.items():
        assert schema["description"].endswith("."), name
        for member, shape in schema.get("properties", {}).items():
            assert "const" in shape or "description" in shape or "$ref" in shape, f"{name}.{member}"


def test_what_is_in_the_path_comes_first(document):
    for name, path, operation in operations(document):
        kinds = [parameter.get("in", "header") for parameter in operation["parameters"]]
        assert kinds[: path.count("{")] == ["path"] * path.count("{"), name
        assert "path" not in kinds[path.count("{") :], name


def test_every_kind_and_every_reason_of_the_engine_is_listed(schemas):
    listed = schemas["Problem"]["description"]
    for code, kind in KINDS.items():
        assert f"- `{code}` ({kind.status}): {kind.meaning}" in listed
    # The order of targets means nothing over HTTP: they are sorted before the engine sees them.
    apart = {"not_your_turn", "game_not_started", "game_over", "seat_left", "target_order"}
    codes = (getattr(engine.errors, name) for name in vars(engine.errors) if name.isupper() and name != "IMPOSSIBLE")
    known = {reason.removesuffix("CARD") for reason in ILLEGAL}
    assert known == {*codes} - apart | {"game_begun", "seat_changed", "not_repeatable"} | REVEALING
    assert all(f"- `{reason}` (`illegal_action`): " in listed for reason in ILLEGAL)
    assert "- `seat_taken` (`game_full`): That seat is taken. " in listed


def test_every_operation_lists_its_codes(document):
    for name, _, operation in operations(document):
        refused = {int(status) for status in operation["responses"] if status >= "400"}
        assert {KINDS[code].status for code in operation["x-problems"]} == refused, name


def test_limits_are_said_in_words(document):
    for name, _, operation in operations(document):
        for parameter in operation["parameters"]:
            if parameter.get("name") in ("limit", "wait"):
                assert str(parameter["schema"]["maximum"]) in parameter["description"], name


def test_every_answer_and_refusal_has_a_real_example(document):
    for name, _, operation in operations(document):
        for status, response in operation["responses"].items():
            for media_type, content in response.get("content", {}).items():
                if status < "300" and media_type == "application/json":
                    validate_by(content["example"], content["schema"])
                    assert content["example"], name
    for name, response in document["components"]["responses"].items():
        examples = response["content"]["application/problem+json"].get("examples", {})
        assert examples, name
        for code, example in examples.items():
            validate_by(example["value"], {"$ref": "#/components/schemas/Problem"})
            assert example["value"]["code"] == code


def test_the_examples_are_what_the_interface_answers_now(redis_url):
    assert json.loads(FILE.read_text()) == noted(redis_url), "run python -m tools.document.examples"


def test_examples_are_what_they_are_examples_of(document):
    for name, _, operation in operations(document):
        content = operation.get("requestBody", {}).get("content", {})
        for media in content.values():
            assert media.get("examples"), name
            for example in media["examples"].values():
                validate_by(example["value"], media["schema"])
