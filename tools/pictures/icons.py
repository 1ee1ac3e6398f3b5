"""Draws the icons of the table for devices that install it: `python -m tools.pictures.icons`."""

from playwright.sync_api import sync_playwright

from api.web import ICONS, ROOT
from tools.pictures.browser import launched

BACKGROUND, SHARE = "#a3262b", 0.8
"""Devices cut icons round: the drawing stays within this share of the width."""


def drawn() -> None:
    """Draws the seal of `icon.svg` on a ground without corners, in each size."""
    drawing = (ROOT / "page/icon.svg").read_text("utf-8")
    with sync_playwright() as playwright, launched(playwright) as browser:
        for size, name in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            style = f"margin: 0; height: 100vh; display: grid; place-items: center; background: {BACKGROUND}"
            page.set_content(f'<body style="{style}">{drawing}</body>')
            page.locator("svg").evaluate("(one, share) => { one.style.width = `${100 * share}vw` }", SHARE)
            page.screenshot(path=ROOT / "page" / name)


if __name__ == "__main__":
    drawn()
