"""What each method sends, and what it makes of the answer."""

import json

import pytest

from tests.clients.python.scripted.server import Scripted, answer
from tests.clients.python.scripted.shapes import ACCESS, ACTED, BOTS, EDITION, EDITIONS, GAMES, MATCH, PLAYER, VIEW


@pytest.fixture
def models(billet_client):
    return billet_client.models


@pytest.fixture
def sent(impatient):
    """Makes a call that is answered so, and returns what it returned and the request."""

    def sent(call, status, body):
        with Scripted(answer(status, body)) as server:
            returned = call(impatient(server.url, language="de"))
        [asked] = server.asked
        return returned, asked

    return sent


def test_parts_of_a_table_may_be_plain_mappings(sent):
    clock, seats = {"seconds": 60, "on_timeout": "bot_plays"}, [{"kind": "creator"}, {"kind": "bot", "bot": "expert"}]
    more = {"clock": clock, "options": {"aids": False}, "sandbox": {"rounds": []}}
    _, asked = sent(lambda client: client.create("standard", seats, **more), 201, VIEW)
    assert json.loads(asked.body) == {"edition": "standard", "seats": seats, **more}


@pytest.mark.parametrize(
    "mistake",
    [
        lambda client: client.create("standard", ["creator", "open"], clock=60),
        lambda client: client.create("standard", ["creator", 7]),
        lambda client: client.join("game-1", nonce="n", key=5),
    ],
)
def test_what_is_given_wrongly_is_no_fault_of_the_answer(impatient, mistake):
    with Scripted() as server:
        with pytest.raises(TypeError):
            mistake(impatient(server.url))
        assert server.asked == []


def test_every_call_says_who_one_is_and_in_which_language(sent):
    _, asked = sent(lambda client: client.me(), 200, PLAYER)
    assert asked.headers["authorization"] == "Bearer TOKEN"
    assert asked.headers["accept-language"] == "de"
    assert asked.headers["user-agent"].startswith("billet-client-python/")


def test_a_watcher_says_neither(connected):
    with Scripted(answer(200, EDITIONS)) as server:
        connected(server.url).editions()
    assert not {"authorization", "accept-language"} & server.asked[0].headers.keys()


def test_registering(connected):
    with Scripted(answer(201, ACCESS), answer(200, PLAYER)) as server:
        client = connected(server.url)
        assert client.token is None
        assert client.register("Ann", kind="bot", registration_key="KEY", key="MY-KEY") is client
        client.me()
    assert json.loads(server.asked[0].body) == {"name": "Ann", "kind": "bot"}
    assert server.asked[0].headers["registration-key"] == "KEY"
    assert server.asked[0].key == "MY-KEY"
    assert server.asked[1].headers["authorization"] == f"Bearer {client.token}" == f"Bearer {ACCESS['token']}"


def test_a_table_with_all_there_is_to_say(sent, models):
    more = {
        "visibility": "unlisted",
        "clock": models.ClockSetup(60, models.TimeoutRule.FORFEIT),
        "starter": 0,
        "nonce": "",
        "options": models.OptionChoices(liber_ivonis=models.LiberIvonisChoice.PUBLISHED),
        "sandbox": models.SandboxSetup([models.RoundSetup(order=[models.CardId.CTHULHU])]),
        "key": "MY-KEY",
    }
    seats = [models.OpenSeat("open"), models.CreatorSeat("creator")]
    _, asked = sent(lambda client: client.create("lovecraft", seats, **more), 201, VIEW)
    assert json.loads(asked.body) == {
        "edition": "lovecraft",
        "seats": [{"kind": "open"}, {"kind": "creator"}],
        "visibility": "unlisted",
        "clock": {"seconds": 60, "on_timeout": "forfeit"},
        "starter": 0,
        "nonce": "",
        "options": {"liber_ivonis": "published"},
        "sandbox": {"rounds": [{"order": ["cthulhu"]}]},
    }
    assert asked.key == "MY-KEY"


@pytest.mark.parametrize("wrong", [("poker", ["creator", "open"]), ("standard", ["creator", "deep_blue"])])
def test_what_there_is_not_is_not_sent(impatient, wrong):
    with pytest.raises(ValueError, match="is not a valid"):
        impatient("http://127.0.0.1:1").create(*wrong)


SEAT, MINE = "/v1/games/g/seats/1", "/v1/games/g/seats/me"
FORK = {"version": 12, "seat": 1, "bots": [{"seat": 0, "bot": "expert"}], "join_code": "CODE"}
BOT_SEATS = [{"kind": "creator"}, {"kind": "open"}, {"kind": "bot", "bot": "cautious"}]
CALLS = [
    # (a call that is answered with a view, the method and the path that it asks for, its body, its query)
    (lambda c: c.join("g"), "POST", "/v1/games/g/seats", {}, {}),
    (
        lambda c: c.join("g", "CODE", seat=0, nonce=""),
        "POST",
        "/v1/games/g/seats",
        {"seat": 0, "join_code": "CODE", "nonce": ""},
        {},
    ),
    (lambda c: c.join_by_code("CODE", nonce=""), "POST", "/v1/join", {"code": "CODE", "nonce": ""}, {}),
    (lambda c: c.add_bot("g", "random", seat=0), "POST", "/v1/games/g/seats", {"seat": 0, "bot": "random"}, {}),
    (lambda c: c.invite("g", "p-ann", seat=1), "POST", "/v1/games/g/seats", {"player": "p-ann", "seat": 1}, {}),
    (
        lambda c: c.create("standard", ["creator", "open", "cautious"]),
        "POST",
        "/v1/games",
        {"edition": "standard", "seats": BOT_SEATS},
        {},
    ),
    (lambda c: c.leave("g"), "DELETE", MINE, None, {}),
    (lambda c: c.decline("g", "later"), "DELETE", MINE, None, {"reason": "later"}),
    (lambda c: c.withdraw("g", 1, "p-ann"), "DELETE", SEAT, None, {"invited": "p-ann"}),
    (lambda c: c.remove("g", 1), "DELETE", SEAT, None, {}),
    (lambda c: c.remove("g", 1, "p-ann"), "DELETE", SEAT, None, {"player": "p-ann"}),
    (lambda c: c.abort("g"), "DELETE", "/v1/games/g", None, {}),
    (lambda c: c.rematch("g"), "POST", "/v1/games/g/rematch", None, {}),
    (lambda c: c.fork("g", 12), "POST", "/v1/games/g/fork", {"version": 12}, {}),
    (lambda c: c.fork("g", 12, seat=1, bots={0: "expert"}, code="CODE"), "POST", "/v1/games/g/fork", FORK, {}),
    (lambda c: c.view("g"), "GET", "/v1/games/g", None, {}),
    (lambda c: c.view("g", at=1, as_=0), "GET", "/v1/games/g", None, {"at": "1", "as": "0"}),
    (lambda c: c.view("g", as_="all", join_code="C"), "GET", "/v1/games/g", None, {"as": "all", "join_code": "C"}),
]


@pytest.mark.parametrize(("call", "method", "path", "body", "query"), CALLS)
def test_calls_that_are_answered_with_a_view(sent, call, method, path, body, query):
    game, asked = sent(call, 201 if method == "POST" else 200, VIEW)
    assert game.id == VIEW["id"]
    assert (asked.method, asked.path, asked.query) == (method, path, query)
    assert json.loads(asked.body or "null") == body
    assert (asked.key is None) is (method == "GET")


def test_games_and_players_may_be_given_as_they_were_found(sent, models):
    found, _ = sent(lambda client: client.view("g"), 200, VIEW)
    ann = models.Player("p-ann", "Ann", models.PlayerKind.HUMAN)
    _, asked = sent(lambda client: client.invite(found, ann), 201, VIEW)
    assert asked.path == f"/v1/games/{VIEW['id']}/seats"
    assert json.loads(asked.body) == {"player": "p-ann"}


def test_acting_in_words(sent, models):
    action = models.KeepCard("keep_card", models.CardId.KING, [models.CardId.GUARD])
    result, asked = sent(lambda client: client.act("g", action, text=True, key="MY-KEY"), 201, ACTED)
    assert result.version == ACTED["version"]
    assert [type(event).__name__ for event in result.events][:1] == ["CardPlayedEvent"]
    assert json.loads(asked.body) == {"type": "keep_card", "keep": "king", "bottom": ["guard"]}
    assert (asked.query, asked.key) == ({"text": "true"}, "MY-KEY")


def test_the_lobby_is_read_page_by_page(impatient):
    pages = [GAMES | {"next_cursor": "NEXT"}, GAMES | {"next_cursor": None}]
    with Scripted(*(answer(200, page) for page in pages)) as server:
        games = impatient(server.url).lobby(status="open", edition="classic")
        first = next(games)
        assert len(server.asked) == 1
        rest = list(games)
    assert [game.id for game in (first, *rest)] == [game["id"] for game in GAMES["items"]] * 2
    assert [asked.query for asked in server.asked] == [
        {"status": "open", "edition": "classic"},
        {"status": "open", "edition": "classic", "cursor": "NEXT"},
    ]


def test_editions(sent):
    editions, asked = sent(lambda client: client.editions(), 200, EDITIONS)
    assert [edition.id for edition in editions] == [edition["id"] for edition in EDITIONS["items"]]
    edition, asked = sent(lambda client: client.edition("premium"), 200, EDITION)
    assert asked.path == "/v1/editions/premium"
    assert [card.card for card in edition.cards] == [card["card"] for card in EDITION["cards"]]


def test_bots(sent):
    bots, asked = sent(lambda client: client.bots(), 200, BOTS)
    assert asked.path == "/v1/bots"
    assert [(bot.id, bot.text) for bot in bots] == [(bot["id"], bot["text"]) for bot in BOTS["items"]]
    assert [row.won for bot in bots for row in bot.strengths] == [
        row["won"] for bot in BOTS["items"] for row in bot["strengths"]
    ]


BLOCK = {"player": PLAYER, "since": "2026-01-02T10:00:00.000Z"}


def test_a_player_is_blocked_and_unblocked(sent):
    block, asked = sent(lambda client: client.block("p-ann"), 200, BLOCK)
    assert (asked.method, asked.path) == ("PUT", "/v1/players/me/blocks/p-ann")
    assert block.player.id == PLAYER["id"]
    found, asked = sent(lambda client: list(client.blocked()), 200, {"items": [BLOCK], "next_cursor": None})
    assert (asked.method, asked.path) == ("GET", "/v1/players/me/blocks")
    assert [one.player.id for one in found] == [PLAYER["id"]]
    nothing, asked = sent(lambda client: client.unblock("p-ann"), 204, None)
    assert (asked.method, asked.path, nothing) == ("DELETE", "/v1/players/me/blocks/p-ann", None)


def test_a_player_is_renamed(sent):
    renamed, asked = sent(lambda client: client.rename("Ann"), 200, PLAYER)
    assert (asked.method, asked.path, json.loads(asked.body)) == ("PATCH", "/v1/players/me", {"name": "Ann"})
    assert renamed.id == PLAYER["id"]


def test_a_program_describes_itself(sent, models):
    for program in ({"version": "2"}, models.ProgramSetup("2")):
        described, asked = sent(lambda client, program=program: client.describe(program), 200, PLAYER)
        assert (asked.method, asked.path) == ("PATCH", "/v1/players/me")
        assert json.loads(asked.body) == {"program": {"version": "2"}}
        assert described.id == PLAYER["id"]


def test_a_program_accepts_and_declines_matches(sent):
    match, asked = sent(lambda client: client.accept_match("m1"), 200, MATCH)
    assert (asked.method, asked.path) == ("POST", "/v1/matches/m1/acceptance")
    assert (match.id, match.state) == (MATCH["id"], MATCH["state"])
    match, asked = sent(lambda client: client.decline_match("m1"), 200, MATCH)
    assert (asked.method, asked.path) == ("DELETE", "/v1/matches/m1/acceptance")
    assert match.id == MATCH["id"]


def test_a_player_takes_their_data_away(sent):
    lists = {name: [] for name in ("playing", "played", "opened", "invited", "notices")}
    kept = {"player": PLAYER, "since": BLOCK["since"], "blocked": [BLOCK], "hidden": [], "program": None, **lists}
    data, asked = sent(lambda client: client.my_data(), 200, kept)
    assert (asked.method, asked.path) == ("GET", "/v1/players/me/data")
    assert (data.player.id, data.blocked[0].player.id, data.played) == (PLAYER["id"], PLAYER["id"], [])
    assert set(data.to_dict()) == set(kept)


def test_all_invitations_of_a_player_are_declined(sent):
    declined, asked = sent(lambda client: client.decline_all("p-ann", "later"), 200, {"declined": ["game-1"]})
    assert (asked.method, asked.path) == ("DELETE", "/v1/players/me/invitations")
    assert asked.query == {"from": "p-ann", "reason": "later"}
    assert declined == ["game-1"]
    _, asked = sent(lambda client: client.decline_all(), 200, {"declined": []})
    assert asked.query == {}


def test_what_an_action_does_not_say_is_none(billet_client):
    models = billet_client.models
    play = models.PlayCard.from_dict({"type": "play_card", "card": "spy"})

    assert (play.targets, play.guess, play.guess_value, play.face) == (None, None, None, None)
    assert play == models.PlayCard(type_="play_card", card=models.CardId.SPY)
    assert play.to_dict() == {"type": "play_card", "card": "spy"}
    assert models.PeekHand(type_="peek_hand").to_dict() == {"type": "peek_hand"}
    assert models.PeekHand(type_="peek_hand", seat=0).to_dict() == {"type": "peek_hand", "seat": 0}


@pytest.mark.parametrize("action", [None, "guard", {"type": "play_card", "card": "guard"}, []], ids=repr)
def test_what_is_no_action_is_refused_before_it_is_sent(impatient, action):
    with pytest.raises(TypeError, match="legal_actions"):
        impatient("http://127.0.0.1:1").act("game-1", action)
