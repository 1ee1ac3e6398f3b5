"""What breaks clients of an older document is found, what only adds is not; both by changes to the present one."""

import json

import pytest

from api.published import published_document
from tools.document.breaking.__main__ import FOLDER, announced, judged, last_released, main
from tools.document.breaking.operations import breaking

GAMES, SEATS, GAME = "/v1/games", "/v1/games/{game_id}/seats", "/v1/games/{game_id}"
ACTIONS, EVENTS, EDITION = f"{GAME}/actions", f"{GAME}/events", "/v1/editions/{edition_id}"
PATHS = [GAMES, SEATS, GAME, ACTIONS, EVENTS, EDITION, "/v1/editions", "/v1/players", "/v1/players/me/token"]
"""Enough of the document to change something of every kind."""
NEW = {"type": "string", "description": "New."}


@pytest.fixture(scope="module")
def document():
    """Some paths of the document with a schema that nobody refers to, and their text."""
    made = json.loads(published_document())
    made["paths"] = {path: made["paths"][path] for path in PATHS}
    made["components"]["schemas"]["Unused"] = NEW
    return made, json.dumps(made)


def schema(document, name):
    return document["components"]["schemas"][name]


def members(document, name):
    return schema(document, name)["properties"]


def answer(document, path, method, status):
    return document["paths"][path][method]["responses"][status]


def parameter(document, path, name):
    return next(p for p in document["paths"][path]["get"]["parameters"] if p.get("name") == name)


def rename(mapping, old, new):
    mapping[new] = mapping.pop(old)


BREAKING = {
    "a path is gone": lambda d: d["paths"].pop(EDITION),
    "a method is gone": lambda d: d["paths"][GAME].pop("delete"),
    "an operation has another name": lambda d: d["paths"][GAMES]["post"].update(operationId="openGame"),
    "an operation has another tag": lambda d: d["paths"][GAMES]["post"].update(tags=["Players"]),
    "the name of the body is another": lambda d: d["paths"][GAMES]["post"].pop("x-codegen-request-body-name"),
    "a token is needed": lambda d: d["paths"]["/v1/editions"]["get"].update(security=[{"token": []}]),
    "a token of another kind": lambda d: d["components"]["securitySchemes"]["token"].update(scheme="basic"),
    "the server is another": lambda d: d.update(servers=[{"url": "/api"}]),
    "a parameter is gone": lambda d: d["paths"][EVENTS]["get"]["parameters"].remove(parameter(d, EVENTS, "wait")),
    "a parameter is required": lambda d: parameter(d, EVENTS, "after").update(required=True),
    "a parameter is new and required": lambda d: d["paths"][GAMES]["get"]["parameters"].append(
        {"in": "query", "name": "new", "required": True, "schema": NEW}
    ),
    "a parameter is written otherwise": lambda d: parameter(d, EVENTS, "after").update(style="spaceDelimited"),
    "a parameter may be less": lambda d: parameter(d, EVENTS, "wait")["schema"].update(maximum=5),
    "a parameter must match": lambda d: parameter(d, GAMES, "cursor")["schema"].update(pattern="^a"),
    "a header must match": lambda d: d["components"]["parameters"]["IfMatch"]["schema"].update(maxLength=9),
    "a body is required": lambda d: d["paths"][SEATS]["post"]["requestBody"].update(required=True),
    "a body has another form": lambda d: rename(
        d["paths"][GAMES]["post"]["requestBody"]["content"], "application/json", "application/xml"
    ),
    "a sent member is gone": lambda d: members(d, "GameSetup").pop("nonce"),
    "a sent member is required": lambda d: schema(d, "GameSetup")["required"].append("nonce"),
    "a sent member is new and required": lambda d: (
        members(d, "GameSetup").update(new=NEW),
        schema(d, "GameSetup")["required"].append("new"),
    ),
    "a sent string may be shorter": lambda d: members(d, "PlayerSetup")["name"].update(maxLength=5),
    "a sent string may not be empty": lambda d: members(d, "GameSetup")["nonce"].update(minLength=7),
    "a sent number is a string": lambda d: members(d, "PlayCard")["guess_value"].update(type="string"),
    "a sent member of a shape that is read too": lambda d: members(d, "PlayCard").update(new=NEW),
    "a word is gone": lambda d: schema(d, "BotId")["enum"].remove("cautious"),
    "a word is new where it is read": lambda d: schema(d, "CardId")["enum"].append("joker"),
    "a variant is gone": lambda d: schema(d, "SeatSetup")["oneOf"].pop(),
    "a variant is new where it is read": lambda d: schema(d, "GameEvent")["oneOf"].append({"type": "object"}),
    "a tag is another": lambda d: members(d, "KeepCard")["type"].update(const="hold_card"),
    "a tag leads elsewhere": lambda d: schema(d, "GameEvent")["discriminator"]["mapping"].update(
        card_drawn="#/components/schemas/CardPlayedEvent"
    ),
    "variants are told apart otherwise": lambda d: schema(d, "GameEvent")["discriminator"].update(propertyName="kind"),
    "a status is gone": lambda d: d["paths"][GAME]["get"]["responses"].pop("304"),
    "a refusal is gone": lambda d: d["paths"][GAME]["get"]["responses"].pop("404"),
    "a status is new": lambda d: d["paths"][GAMES]["post"]["responses"].update(
        {"202": {"description": "Later."}},
    ),
    "any status may come": lambda d: d["paths"][GAMES]["post"]["responses"].update({"default": {"description": "?"}}),
    "an answer has another form": lambda d: answer(d, GAMES, "post", "201")["content"].update(
        {"text/html": {"schema": NEW}}
    ),
    "a header is gone": lambda d: answer(d, GAMES, "post", "201")["headers"].pop("Location"),
    "a header is another": lambda d: d["components"]["headers"]["RetryAfter"]["schema"].update(type="string"),
    "a read member is gone": lambda d: members(d, "Problem").pop("detail"),
    "a read member has another name": lambda d: rename(members(d, "Player"), "kind", "sort"),
    "a read member may be missing": lambda d: schema(d, "Player")["required"].remove("name"),
    "a read member may be null": lambda d: members(d, "Player")["name"].update(type=["string", "null"]),
    "a read member is another type": lambda d: members(d, "Problem")["status"].update(type="number"),
    "a read member has another format": lambda d: members(d, "Problem")["type"].update(format="uri"),
    "a read number may be greater": lambda d: members(d, "Problem")["status"].update(maximum=999),
    "a read member may be anything": lambda d: members(d, "Problem")["code"].pop("type"),
    "the items of a list are others": lambda d: members(d, "Problem")["errors"].update(items=NEW),
    "a schema has another name": lambda d: d.update(
        json.loads(json.dumps(d).replace('schemas/Player"', 'schemas/Person"').replace('"Player": {', '"Person": {'))
    ),
    "a schema that nobody refers to is gone": lambda d: d["components"]["schemas"].pop("Unused"),
    "a keyword nobody knows": lambda d: members(d, "Player")["name"].update({"if": {"const": "Ann"}}),
    "a part of an operation nobody knows": lambda d: d["paths"][GAMES]["post"].update(callbacks={"on": {}}),
    "a part of the document nobody knows": lambda d: d.update(jsonSchemaDialect="https://example.org/dialect"),
}
ADDING = {
    "nothing": lambda d: None,
    "an operation": lambda d: d["paths"].update({"/v1/new": d["paths"]["/v1/editions"]}),
    "a method": lambda d: d["paths"]["/v1/editions"].update(put=d["paths"]["/v1/editions"]["get"]),
    "a parameter that may be left out": lambda d: d["paths"][GAMES]["get"]["parameters"].append(
        {"in": "query", "name": "new", "schema": NEW}
    ),
    "a sent member that may be left out": lambda d: members(d, "GameSetup").update(new=NEW),
    "a read member": lambda d: (members(d, "Player").update(new=NEW), schema(d, "Player")["required"].append("new")),
    "a word that is only sent": lambda d: schema(d, "BotId")["enum"].append("deep"),
    "a variant that is only sent": lambda d: (
        schema(d, "SeatSetup")["oneOf"].append({"$ref": "#/components/schemas/Player"}),
        schema(d, "SeatSetup")["discriminator"]["mapping"].update(player="#/components/schemas/Player"),
    ),
    "a longer sent string": lambda d: members(d, "PlayerSetup")["name"].update(maxLength=500),
    "a sent string of any form": lambda d: d["components"]["parameters"]["IdempotencyKey"]["schema"].pop("pattern"),
    "a narrower read number": lambda d: members(d, "Problem")["status"].update(maximum=511),
    "a body that may be left out": lambda d: d["paths"][GAMES]["post"]["requestBody"].update(required=False),
    "a body where there was none": lambda d: d["paths"]["/v1/players/me/token"]["post"].update(
        {"x-codegen-request-body-name": "body", "requestBody": d["paths"][SEATS]["post"]["requestBody"]}
    ),
    "no need of a token": lambda d: d["paths"][GAMES]["post"].update(security=[{"token": []}, {}]),
    "a refusal": lambda d: d["paths"][GAMES]["get"]["responses"].update(
        {"418": {"$ref": "#/components/responses/NotFound"}}
    ),
    "a header of an answer": lambda d: answer(d, GAMES, "post", "201")["headers"].update(New={"schema": NEW}),
    "words": lambda d: (
        d["info"].update(version="9.9.9", description="New."),
        schema(d, "Player").update(description="New."),
        d["paths"][GAMES]["post"].update(summary="New.", deprecated=True),
    ),
    "a schema": lambda d: d["components"]["schemas"].update(New=NEW),
    "a header in capitals": lambda d: rename(answer(d, GAMES, "post", "201")["headers"], "Location", "location"),
}


def changed(document, change):
    """The document as it was, and as it is after a change."""
    new = json.loads(document[1])
    change(new)
    return document[0], new


@pytest.mark.parametrize("name", BREAKING)
def test_what_breaks_is_found(document, name):
    old, new = changed(document, BREAKING[name])
    assert old != new
    assert breaking(old, new), name


@pytest.mark.parametrize("name", ADDING)
def test_what_adds_is_not(document, name):
    old, new = changed(document, ADDING[name])
    assert breaking(old, new) == []


def test_a_finding_says_where_and_in_which_direction(document):
    old, new = changed(document, lambda d: schema(d, "CardId")["enum"].append("joker"))
    assert breaking(old, new) == ["CardId: has gained `joker` (read)"]
    old, new = changed(document, lambda d: schema(d, "CardId")["enum"].remove("guard"))
    assert breaking(old, new) == ["CardId: has lost `guard` (sent)"]


def test_what_is_announced_is_let_through_and_must_be_found():
    meant = announced("# Because.\n\nA: is gone\nB: is gone\n")
    assert judged(["A: is gone", "B: is gone"], meant) == []
    assert judged(["A: is gone", "C: is gone"], meant) == ["breaks: C: is gone", "announced, but not found: B: is gone"]


def test_the_last_release_is_the_one_of_the_highest_version(tmp_path):
    for name in ("0.9.0", "0.10.0", "0.9.10"):
        (tmp_path / f"openapi-{name}.json").write_text("{}")
    assert last_released(tmp_path).name == "openapi-0.10.0.json"
    (tmp_path / "draft.json").write_text("{}")
    with pytest.raises(ValueError, match=r"draft\.json"):
        last_released(tmp_path)


def test_without_a_release_it_says_so_and_compares_from_the_first_on(document, tmp_path, capsys):
    assert main([], tmp_path) == 0
    assert "Nothing is released yet" in capsys.readouterr().out
    released = json.loads((FOLDER / "openapi.json").read_text())
    (tmp_path / "openapi-1.0.0.json").write_text(json.dumps(released))
    assert main([], tmp_path) == 0
    released["paths"]["/v1/gone"] = released["paths"][GAMES]
    (tmp_path / "openapi-1.0.0.json").write_text(json.dumps(released))
    assert main([], tmp_path) == 1
    assert "POST /v1/gone: is gone" in capsys.readouterr().out


def test_it_fails_on_the_command_line_and_says_why(document, tmp_path, capsys):
    old, new = changed(document, BREAKING["a path is gone"])
    (tmp_path / "old.json").write_text(json.dumps(old))
    (tmp_path / "new.json").write_text(json.dumps(new))
    paths = [str(tmp_path / "old.json"), str(tmp_path / "new.json")]
    assert main(paths) == 1
    assert f"GET {EDITION}: is gone" in capsys.readouterr().out
    assert main([paths[0], paths[0]]) == 0
    assert (FOLDER / "openapi.json").is_file()
