"""How people play: by mouse, by touch, by keys alone. Each takes the first thing offered, in turn the n-th."""

import itertools

ENDED = "[id=ending]"
OFFERED = "[data-option]:not([disabled])"
STANDING = f"""() => {{
  const root = document.querySelector("billet-table")?.shadowRoot;
  const table = document.querySelector("billet-table");
  if (!root || table.telling) return null;
  if (root.querySelector("{ENDED}")) return "ended";
  const offered = [...root.querySelectorAll(".asking {OFFERED}, .hand {OFFERED}")];
  return offered.length && !table.sending ? `${{table.game.version}} ${{table.chosen.length}} ${{table.sure}}` : null;
}}"""


def course(page, take, enough=None, most=400):
    """Plays until so many things are taken, or to the end of the game; returns how many were."""
    before = None
    for number in itertools.count():
        assert number < most, "the game does not end"
        now = page.wait_for_function(
            f"before => {{ const now = ({STANDING})(); return now !== before && now }}",
            arg=before,
            polling=50,
        ).json_value()
        if now == "ended" or number == enough:
            return number
        take(page, number)
        before = now


def by_mouse(page, number):
    offered = page.locator(f".asking {OFFERED}, .hand {OFFERED}")
    offered.nth(number % offered.count()).click()


def by_touch(page, number):
    offered = page.locator(f".asking {OFFERED}, .hand {OFFERED}")
    offered.nth(number % offered.count()).tap()


def by_keys(page, number):
    """Focus is where something is asked; arrows go on from there, and Enter takes it."""
    for _ in range(number % 3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
