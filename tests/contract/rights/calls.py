"""How the published document has each operation called, by everybody with what they know."""

import json
from typing import Any
from urllib.parse import urlencode

from tests.contract.checked import METHODS, Checked, document, resolved
from tests.contract.rights.world import NONCES, Actor, World
from tests.service.matches.playing import body
from tools.players.calls import Answer

SHOWING = {"as", "seat", "at", "text", "join_code", "ticket"}
"""The parameters of reads that are about what is shown to whom; all are tried."""
OTHERS = {
    *(
        "after",
        "limit",
        "cursor",
        "wait",
        "until",
        "lang",
        "alive",
        "reactions",
        "status",
        "edition",
        "name",
        "from",
        "reason",
    ),
    *("player", "invited", "pool", "against", "result", "around", "seats", "online", "state", "begin"),
}
"""Those that choose how much of it comes, when, or in which words; and whom a creator means."""

BODIES = {
    "registerPlayer": lambda world, actor: {"name": "New"},
    "renamePlayer": lambda world, actor: {"name": "Else"},
    "createGame": lambda world, actor: {"edition": "standard", "seats": [{"kind": "creator"}, {"kind": "open"}]},
    "takeSeat": lambda world, actor: known(actor),
    "joinByCode": lambda world, actor: {"code": actor.code or "AAAAAAAA"},
    "revealNonce": lambda world, actor: {"nonce": NONCES[actor.seat or 0]},
    "joinQueue": lambda world, actor: {"edition": "standard", "seats": [2]},
    "createMatch": lambda world, actor: body(bots=2),
    "changeMatch": lambda world, actor: {"state": "paused"},
    "createRematch": lambda world, actor: {},
    "forkGame": lambda world, actor: {"version": world.dealt, "seat": actor.seat or 0, **known(actor)},
    "takeBreak": lambda world, actor: {"days": 1},
    "sendReaction": lambda world, actor: {"reaction": "thanks"},
    "submitAction": lambda world, actor: world.legal_action(),
    "createTicket": lambda world, actor: known(actor),
    "verifyLog": lambda world, actor: {"events": []},
}
"""What would be right, if only it came from the right one."""


def known(actor: Actor) -> dict[str, str]:
    return {"join_code": actor.code} if actor.code is not None else {}


def example_of(parameter: dict[str, Any]) -> Any:
    return parameter["example"] if "example" in parameter else parameter["schema"]["examples"][0]


class Operation:
    """An operation of the document."""

    def __init__(self, method: str, path: str, described: dict[str, Any]) -> None:
        self.name: str = described["operationId"]
        self._method, self._path = method.upper(), path
        parameters = [resolved(one) for one in described.get("parameters", [])]
        self.parameters = {one["name"] for one in parameters if one["in"] == "query"}
        self._in_path = {one["name"]: example_of(one) for one in parameters if one["in"] == "path"}
        self._has_body = "requestBody" in described

    def queries(self, world: World) -> list[dict[str, str]]:
        """Returns the queries that are tried: as oneself, as others and in the past, always in words."""
        words = {"text": "true"} if "text" in self.parameters else {}
        found = [words]
        if "as" in self.parameters:
            found += [words | more for more in ({"as": "0"}, {"as": "all"}, {"seat": "1"})]
        if "at" in self.parameters:
            found.append(words | {"at": str(max(world.dealt, len(world.watched.log) - 1))})
        return found

    def call(self, asked: Checked, world: World, actor: Actor, query: dict[str, str]) -> Answer:
        """Lets somebody call, with all they know: their token, the join code, a ticket."""
        query = dict(query)
        if "join_code" in self.parameters:
            query |= known(actor)
        if actor.brings_ticket and "ticket" in self.parameters:
            ticket = world.ticket(own="{game_id}" not in self._path)
            query |= {"ticket": ticket} if ticket is not None else {}
        # Nobody blocks or bans themselves: it is about who sits on one of the two seats.
        other = world.game.guests[0 if actor.seat != 0 else 1].id
        ids = {"game_id": world.id, "player_id": other, "ticket_id": world.waiting, "match_id": world.match}
        path = self._path.format_map(self._in_path | ids)
        path += f"?{urlencode(query)}" if query else ""
        more, sent = {}, b""
        if self._has_body:
            more["json"] = BODIES[self.name](world, actor)
            sent = json.dumps(more["json"]).encode()
        answer = asked.call(self._method, path, actor.token, **more)
        return Answer(self._method, path, sent, answer.status_code, answer.headers, answer.data)


OPERATIONS = [
    Operation(method, path, item[method])
    for path, item in document()["paths"].items()
    for method in METHODS
    if method in item
]
