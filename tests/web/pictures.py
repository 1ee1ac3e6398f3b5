"""Takes the pictures of the README from games that are dealt and played for them: `make pictures`."""

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.installation import installed
from tests.web.browser import Visitor, launched
from tests.web.conftest import Api

PICTURES = Path(__file__).parents[2] / "docs/pictures"
WIDE = {"viewport": {"width": 1280, "height": 720}}
PHONE = {"viewport": {"width": 360, "height": 720}, "has_touch": True, "is_mobile": True, "device_scale_factor": 1.5}
TURNS = 3
"""After how many own turns a table is worth a picture."""
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


if __name__ == "__main__":
    main()
