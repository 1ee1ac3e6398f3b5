"""Tables to look at in a browser, most of them against bots in the middle of a round."""

from tools.players.tables import CREATOR, OPEN, bot

BOT = bot("random")


def sandbox(edition, seats, *positions):
    """A table of so many seats, the first for who opens it and the others for bots. Its rounds begin in positions."""
    return {"edition": edition, "seats": [CREATOR] + [BOT] * (seats - 1), "sandbox": {"positions": [*positions]}}


MIDDLE = sandbox(
    "standard",
    3,
    {"hands": [["guard", "prince"]], "discards": [["priest", "handmaid"], ["guard", "baron"]], "turn": 0},
)
LONG_ROUND = sandbox(
    "standard",
    3,
    {
        "hands": [["princess", "king"]],
        "discards": [
            ["guard", "guard", "priest", "baron", "handmaid"],
            ["guard", "guard", "priest", "baron", "prince"],
            ["guard", "guard", "spy", "handmaid", "prince"],
        ],
    },
)
"""The end of a long round."""
TURN = sandbox("standard", 2, {"hands": [["prince", "handmaid"], ["spy"]], "turn": 0})
PLAY = {"type": "play_card", "card": "handmaid", "targets": []}
"""What the first seat can do in `TURN`."""
ENDING = sandbox("standard", 2, {"hands": [["guard", "handmaid"], ["priest"]], "tokens": [5, 0], "turn": 0})
ENDING |= {"seats": [CREATOR, OPEN], "visibility": "public"}
WON = {"type": "play_card", "card": "guard", "targets": [1], "guess": "priest"}
"""What ends that game: the first seat wins it."""

HELD = """
const wait = window.setTimeout;
window.setTimeout = (go, ms, ...more) => (ms === 6000 || ms === 2000 ? (window.goOn = go, 0) : wait(go, ms, ...more));
"""
"""The end of a round stays until the reader goes on, or the test says that its time is up."""

FELT = """() => {
  const felt = document.querySelector("billet-table").shadowRoot.querySelector(".felt");
  return [felt.scrollHeight - felt.clientHeight, felt.scrollWidth - felt.clientWidth];
}"""
"""How much higher and wider than its place the table is."""


WITHOUT_AIDS = {"edition": "standard", "seats": [CREATOR, BOT], "aids": False, "starter": 0}


def asked_at(one, api, table):
    """Opens a table at which something is asked of the visitor, whatever it is."""
    player = api.player("Ann")
    one.become(player)
    one.visit(f"games/{api.call('POST', '/games', table, player['token'])['id']}")
    one.page.locator(".asking").wait_for(state="attached")


def seated(visitors, api, table=MIDDLE, **more):
    """A visitor at a table of their own: the page, the text of a card in it, and the visitor."""
    one = visitors(**more)
    one.open_table(api, table)
    one.page.locator(".hand [data-option]").nth(1).wait_for()
    return one.page, one.page.get_by_role("tooltip"), one
