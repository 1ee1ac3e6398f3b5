"""Takes the pictures of the README from games that are dealt and played for them: `make pictures`."""

import base64
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.installation import installed
from tests.web.browser import Visitor, launched
from tests.web.conftest import Api
from tools.pictures.film_strip import moving
from tests.web.table.hands import OFFERED

PICTURES = Path(__file__).parents[2] / "docs/pictures"
WIDE = {"viewport": {"width": 1280, "height": 720}}
PHONE = {"viewport": {"width": 360, "height": 720}, "has_touch": True, "is_mobile": True, "device_scale_factor": 1.5}
TURNS = 3
"""After how many own turns a table is worth a picture."""
TURN = {
    "edition": "standard",
    "seats": [{"kind": "creator"}, *[{"kind": "bot", "bot": "cautious"}] * 3],
    "sandbox": {
        "positions": [
            {
                "hands": [["guard", "king"]],
                "discards": [["handmaid"], ["priest"], ["guard"], ["baron"]],
                "tokens": [2, 1, 3, 0],
                "turn": 0,
            }
        ]
    },
}
"""What the moving picture begins with."""
CHOSEN_MS, TOLD_MS, TURN_MS = 1000, 1200, 2500
SIZE = {"width": 960, "height": 540}
NEXT = """before => {
  const one = document.querySelector('billet-table');
  if (one.telling) return one.sentence !== before && one.sentence;
  return !one.sending && (one.asked || one.game.round.number > 1) && ' ';
}"""
"""What is told next, or a blank when the others have played."""
MY_TURN = "() => { const one = document.querySelector('billet-table'); return one.game && !one.telling && one.asked; }"


def taken(one: Visitor, name: str) -> None:
    """Saves what a visitor sees."""
    one.page.evaluate("scrollTo(0, 0)")
    one.page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=82)


def table(one: Visitor, api: Api, edition: str, bots: int) -> None:
    """Leads a visitor to their turn at a table with bots, some turns into a round that they are still in."""
    player = api.player("Ann")
    one.become(player)
    while True:
        seats = [{"kind": "creator"}, *[{"kind": "bot", "bot": "cautious"}] * bots]
        game = api.call("POST", "/games", {"edition": edition, "seats": seats, "starter": 0}, player["token"])
        while game["round"]["number"] == 1 and game["status"] == "active":
            if game["legal_actions"] and len(game["seats"][0]["discards"]) == TURNS - 1:
                one.visit(f"games/{game['id']}")
                one.page.wait_for_function(MY_TURN)
                return
            if game["legal_actions"]:
                action = game["legal_actions"][-1]["action"]
                api.call("POST", f"/games/{game['id']}/actions", action, player["token"])
            api.call("GET", f"/games/{game['id']}/events?after={game['version']}&wait=1", token=player["token"])
            game = api.call("GET", f"/games/{game['id']}", token=player["token"])


def turn(one: Visitor, api: Api) -> bool:
    """Saves a moving picture of a turn and of what the others do then; returns whether the next one came."""
    player = api.player("Ann")
    one.become(player)
    one.visit(f"games/{api.call('POST', '/games', TURN, player['token'])['id']}")
    one.page.wait_for_function(MY_TURN)
    browser, pictures = one.context.new_cdp_session(one.page), []
    clip = {"x": 0, "y": 0, **WIDE["viewport"], "scale": SIZE["width"] / WIDE["viewport"]["width"]}

    def shot(shown: int) -> None:
        one.page.mouse.move(0, 0)
        answer = browser.send("Page.captureScreenshot", {"format": "webp", "quality": 55, "clip": clip})
        pictures.append((base64.b64decode(answer["data"]), shown))

    shot(TURN_MS)
    for option in (0, 1, 4):  # the Guard, somebody, a card
        one.page.locator(f".asking {OFFERED}, .hand {OFFERED}").nth(option).click()
        shot(CHOSEN_MS)
    one.page.locator(".send").click()
    said = ""
    while (said := one.page.wait_for_function(NEXT, arg=said).json_value()).strip():
        shot(TOLD_MS)
    shot(TURN_MS)
    (PICTURES / "turn.webp").write_bytes(moving(pictures, **SIZE))
    return bool(one.page.evaluate(MY_TURN))


def ended(api: Api) -> str:
    """Returns a game of bots that is over."""
    token = api.player("Ann")["token"]
    seats = [{"kind": "bot", "bot": bot} for bot in ("cautious", "random", "cautious")]
    game = api.call("POST", "/games", {"edition": "standard", "seats": seats}, token)["id"]
    page = {"finished": False, "version": 0}
    while not page["finished"]:
        page = api.call("GET", f"/games/{game}/events?after={page['version']}&wait=20", token=token)
    return str(game)


def main() -> None:
    """Takes all pictures."""
    PICTURES.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp())
    with installed(folder / "data", folder / "log", BOT_THINK_MS="10") as service, sync_playwright() as playwright:
        browser, api = launched(playwright), Api(service.url)
        one = Visitor(browser, service.url, color_scheme="dark", **WIDE)
        table(one, api, "standard", 3)
        taken(one, "table")
        one = Visitor(browser, service.url, color_scheme="light", **PHONE)
        table(one, api, "premium", 2)
        taken(one, "phone")
        one = Visitor(browser, service.url, color_scheme="light", **WIDE)
        one.visit(f"replays/{ended(api)}?at=60")
        one.page.get_by_role("slider").wait_for()
        taken(one, "replay")
        browser.close()
    settings = {"data_dir": folder / "slow", "log": folder / "slow.log", "BOT_THINK_MS": "1500"}
    with installed(**settings) as service, sync_playwright() as playwright:
        browser = launched(playwright)
        one = Visitor(browser, service.url, color_scheme="dark", reduced_motion="no-preference", **WIDE)
        while not turn(one, Api(service.url)):
            pass
        browser.close()


if __name__ == "__main__":
    main()
