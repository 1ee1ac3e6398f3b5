"""Takes the pictures of the README from games that are dealt and played for them: `make pictures`."""

import base64
import io
import json
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tools.pictures.browser import launched
from tools.pictures.service import Api, running

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
"""The request for the game of the moving picture."""
CHOSEN_MS, TOLD_MS, TURN_MS = 1000, 1200, 2500
LOOPS = 3
"""How often the moving picture plays; then it stops, so that it does not distract readers."""
WIDTH = 960
NEXT = """before => {
  const one = document.querySelector('billet-table');
  if (one.telling) return one.sentence !== before && one.sentence;
  return !one.sending && (one.asked || one.game.round.number > 1) && ' ';
}"""
"""Returns the next sentence on the page, or a blank when the others have played."""
OFFERED = ".asking [data-option]:not([disabled]), .hand [data-option]:not([disabled])"
MY_TURN = "() => { const one = document.querySelector('billet-table'); return one.game && !one.telling && one.asked; }"


def visited(browser: Browser, api: Api, **fixed: object) -> Page:
    """Returns a page of a visitor who has just come."""
    return browser.new_page(**{"base_url": api.base, "locale": "en", "reduced_motion": "reduce", **fixed})


def taken(page: Page, name: str) -> None:
    """Saves what a visitor sees."""
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=82)


def player_of(page: Page, api: Api) -> str:
    """Has a visitor play as a new player from the next page on; returns the player's token."""
    player = api.player("Ann")
    page.add_init_script(f"localStorage['billet.player'] ??= {json.dumps(json.dumps(player))}")
    return str(player["token"])


def table(page: Page, api: Api, edition: str, bots: int) -> None:
    """Has a visitor play until it is their turn at a table with bots, later in a round, with a choice of two cards."""
    token = player_of(page, api)
    while True:
        seats = [{"kind": "creator"}, *[{"kind": "bot", "bot": "cautious"}] * bots]
        game = api.call("POST", "/games", {"edition": edition, "seats": seats, "starter": 0}, token)
        while game["round"]["number"] == 1 and game["status"] == "active":
            cards = {entry["action"].get("card") for entry in game["legal_actions"]}
            if len(cards) > 1 and len(game["seats"][0]["discards"]) == TURNS - 1:
                page.goto(f"games/{game['id']}")
                page.wait_for_function(MY_TURN)
                return
            if game["legal_actions"]:
                action = game["legal_actions"][-1]["action"]
                api.call("POST", f"/games/{game['id']}/actions", action, token)
            api.call("GET", f"/games/{game['id']}/events?after={game['version']}&wait=1", token=token)
            game = api.call("GET", f"/games/{game['id']}", token=token)


def turn(page: Page, api: Api) -> bool:
    """Saves a moving picture of a turn and of what the others do then; returns whether the next one came."""
    token = player_of(page, api)
    page.goto(f"games/{api.call('POST', '/games', TURN, token)['id']}")
    page.wait_for_function(MY_TURN)
    browser, pictures, times = page.context.new_cdp_session(page), [], []
    clip = {"x": 0, "y": 0, **WIDE["viewport"], "scale": WIDTH / WIDE["viewport"]["width"]}

    def shot(shown: int) -> None:
        page.mouse.move(0, 0)
        answer = browser.send("Page.captureScreenshot", {"format": "png", "clip": clip})
        pictures.append(Image.open(io.BytesIO(base64.b64decode(answer["data"]))))
        times.append(shown)

    shot(TURN_MS)
    for option in (0, 1, 4):  # the Guard, somebody, a card
        page.locator(OFFERED).nth(option).click()
        shot(CHOSEN_MS)
    page.locator(".send").click()
    said = ""
    while (said := page.wait_for_function(NEXT, arg=said).json_value()).strip():
        shot(TOLD_MS)
    shot(TURN_MS)
    first, *others = pictures
    first.save(PICTURES / "turn.webp", append_images=others, save_all=True, duration=times, loop=LOOPS, quality=55)
    return bool(page.evaluate(MY_TURN))


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
    with running(folder / "data", BOT_THINK_MS="10") as url, sync_playwright() as playwright:
        browser, api = launched(playwright), Api(url)
        page = visited(browser, api, color_scheme="dark", **WIDE)
        table(page, api, "standard", 3)
        taken(page, "table")
        page = visited(browser, api, color_scheme="light", **PHONE)
        table(page, api, "premium", 2)
        taken(page, "phone")
        page = visited(browser, api, color_scheme="light", **WIDE)
        page.goto(f"replays/{ended(api)}?at=60")
        page.get_by_role("slider").wait_for()
        taken(page, "replay")
        browser.close()
    with running(folder / "slow", BOT_THINK_MS="1500") as url, sync_playwright() as playwright:
        browser, api = launched(playwright), Api(url)
        page = visited(browser, api, color_scheme="dark", reduced_motion="no-preference", **WIDE)
        while not turn(page, api):
            pass
        browser.close()


if __name__ == "__main__":
    main()
