"""Watching a game from a file: opened or dropped; read in the browser, which sends nothing of it anywhere."""

import gzip
import json
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from billet.replay.frames import frames_of
from billet.replay.source import in_file
from engine.views import ALL
from games.texts.catalogue import catalogue
from games.views import editions
from tests.web.browser import Visitor, intercept
from tests.web.tables import BOT
from tools.players.tables import CREATOR

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests/golden/logs"
SHOWN = [
    ("rules1/standard-6", "en"),
    ("rules1/classic-2", "de"),
    ("rules1/premium-8", "de"),
    ("rules1/lovecraft-6", "en"),
    ("rules1/sandbox-lovecraft-3", "de"),
]
IN_THE_OTHER_LANGUAGE = [(name, "de" if language == "en" else "en") for name, language in SHOWN]
REPLAY = "document.querySelector('billet-replay')"
HELD = """replay => {
  const { prototype } = replay.source.constructor, { log, difference } = prototype;
  prototype.log = async function () {
    prototype.log = log;
    this.difference = () => { window.judged = true; return difference.call(this); };
    await new Promise((go) => { window.release = go; });
    return log.call(this);
  };
}"""
"""The next game is verified when the test says so; what is compared last of it is known."""
SHOWS = """
import { readFileSync } from "node:fs";
const { log, book, viewers, language } = JSON.parse(readFileSync(0, "utf8"));
globalThis.document = { documentElement: { dataset: { billetLanguage: language } } };
Object.defineProperty(globalThis, "navigator", { value: { languages: [] } });
const { redacted, views } = await import("./web/replay/fold.js");
const { naming, telling } = await import("./web/replay/sentences.js");
const events = (viewer) => log.events.map((event) => redacted(event, viewer));
const seen = (viewer) => views(log, events(viewer), viewer, book, (id) => id);
const folded = viewers.map(seen);
book.by = new Map(book.cards.map((card) => [card.card, card]));
const told = (viewer) => {
  const tell = telling(log, book, naming(log), viewer);
  return events(viewer).map((event, place, all) => [event.type, tell(event, all[place + 1])]);
};
console.log(JSON.stringify([folded, viewers.map(told)]));
"""
SILENT = ("time_spent", "decision_taken", "secret_revealed")
WITHOUT_EFFECT = {"en": " without effect|, but .* holds? ", "de": " ohne Wirkung|, doch .* has?t "}
"""Why a card had none is the rules' to say, and so is what changed what a hand counts."""
SEAT = ("tokens", "in_round", "protected", "left", "away", "hand", "discards", "sane_tokens", "insane_tokens", "insane")


@cache
def shown_of(name, language):
    """Returns the frames of a log as the service shows it to several viewers, and what the page makes of it."""
    words = catalogue(language)
    played = in_file(str(GOLDEN / f"{name}.ndjson"), words)
    viewers = [ALL, 0, 1]
    replays = [frames_of(played, viewer, words) for viewer in viewers]
    given = {
        "log": played.log,
        "book": editions.detail(replays[0][0]["game"]["edition"], words),
        "viewers": [None if viewer == ALL else viewer for viewer in viewers],
        "language": language,
    }
    command = ["node", "--input-type=module", "-e", SHOWS]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=True, cwd=ROOT)
    return replays, *json.loads(done.stdout)


@pytest.mark.parametrize(("name", "language"), SHOWN)
def test_a_log_is_folded_into_the_views_that_the_service_makes_of_it(name, language):
    replays, views, _ = shown_of(name, language)
    for frames, shown in zip(replays, views, strict=True):
        for step, (found, frame) in enumerate(zip(shown, frames, strict=True)):
            view = json.loads(json.dumps(frame["game"]))
            for member in ("version", "status", "to_act", "winners", "viewer", "finished_at"):
                assert found[member] == view[member], (step, member)
            for seat, expected in zip(found["seats"], view["seats"], strict=True):
                assert {name: seat[name] for name in SEAT} == {name: expected[name] for name in SEAT}, step
            if view["round"]:
                wanted = {name: value for name, value in view["round"].items() if name in found["round"]}
                assert found["round"] == wanted, step


@pytest.mark.parametrize(
    ("name", "language"), [*SHOWN, *(pytest.param(*one, marks=pytest.mark.soak) for one in IN_THE_OTHER_LANGUAGE)]
)
def test_a_log_is_told_in_the_sentences_of_the_service_to_the_seat_that_is_looked_from(name, language):
    replays, _, told = shown_of(name, language)
    for frames, shown in zip(replays, told, strict=True):
        wanted = [event["text"] for frame in frames for event in frame["events"]]
        assert len(shown) == len(wanted)
        for (kind, found), text in zip(shown, wanted, strict=True):
            if kind in SILENT:
                assert not found
            elif kind == "card_played":
                assert re.split(WITHOUT_EFFECT[language], text)[0] == found
            elif kind == "round_ended":
                assert text.lower().endswith(found.lower()), "what changed what a hand counts comes before"
            else:
                assert text == found


def test_a_game_is_opened_and_dropped_and_nothing_is_uploaded(visitors):
    one = visitors(viewport={"width": 360, "height": 640})
    one.visit()
    text = (GOLDEN / "rules1/standard-6.ndjson").read_text()
    one.page.get_by_label("Open a file").wait_for()
    one.drop("no log")
    one.page.get_by_role("alert").get_by_text("This is not the log of a game").wait_for()
    packed = {"name": "game.json.gz", "mimeType": "application/gzip", "buffer": gzip.compress(text.encode())}
    one.page.get_by_label("Open a file").set_input_files(packed)
    one.page.get_by_role("button", name="Verified: the deal was fair").wait_for()
    assert one.violations() == []
    assert one.page.evaluate(f"{REPLAY}.lines.every(({{text}}) => !/[{{}}]|undefined|null/.test(text))")
    one.drop((GOLDEN / "rules1/classic-2.ndjson").read_text())
    one.page.wait_for_function(f"() => {REPLAY}.game?.edition === 'classic'")
    with one.page.expect_download() as kept:
        one.page.get_by_role("button", name="Download the log").click()
    assert json.loads(Path(kept.value.path()).read_text())["edition"] == "classic"
    assert {method for method, _ in one.requests} == {"GET"}


def test_the_verdict_on_one_game_is_not_shown_at_the_next(visitors):
    one = visitors()
    one.visit()
    fair = (GOLDEN / "rules1/classic-2.ndjson").read_text()
    head, _, events = fair.partition("\n")
    one.page.get_by_label("Open a file").wait_for()
    one.drop(fair)
    one.page.get_by_role("button", name="Verified: the deal was fair").wait_for()
    one.page.locator("billet-replay").evaluate(HELD)
    one.drop(fair)
    one.page.wait_for_function("() => window.release")
    one.drop(json.dumps(json.loads(head) | {"secret": "0" * 64}) + "\n" + events)
    broken = one.page.get_by_role("button", name="Something does not fit")
    broken.wait_for()
    one.page.evaluate("release()")
    one.page.wait_for_function("() => window.judged")
    assert broken.is_visible()


@pytest.mark.parametrize(
    ("locale", "changes", "said"),
    [
        ("en", {"secret": "0" * 64}, "Event 1: The secret is not the one whose fingerprint was published."),
        ("de", {"secret": "0" * 64}, "Ereignis 1: Das Geheimnis ist nicht das, dessen Fingerabdruck"),
        ("de", {"digest": "0" * 64}, "Etwas wurde nachträglich geändert: Die Prüfsumme ist eine andere."),
        ("de", {"nonces": ["", "another"]}, "Der Kopf passt nicht zu den Ereignissen."),
    ],
)
def test_what_does_not_fit_is_said_in_the_language_of_the_page(visitors, locale, changes, said):
    one = visitors(locale=locale)
    one.visit()
    head, _, events = (GOLDEN / "rules1/classic-2.ndjson").read_text().partition("\n")
    one.page.get_by_label("Open a file" if locale == "en" else "Datei öffnen").wait_for()
    one.drop(json.dumps(json.loads(head) | changes) + "\n" + events)
    one.page.get_by_role("alert").filter(has_text=said).wait_for()


def test_a_file_that_does_not_come_is_no_news_in_the_language_of_the_browser(visitors, api):
    token = api.player("Ann")["token"]
    game = api.call("POST", "/games", {"edition": "classic", "seats": [CREATOR, BOT], "visibility": "public"}, token)
    api.call("DELETE", f"/games/{game['id']}/seats/me", token=token)
    one = visitors(locale="de")
    one.visit(f"replays/{game['id']}")
    intercept(one.page, "**/replay/film.html", lambda route: route.abort())
    one.page.get_by_role("button", name="Als Seite speichern").click()
    assert one.page.get_by_role("alert").inner_text() == "Das hat nicht geklappt"


def test_a_proof_that_was_closed_while_it_was_made_stays_closed(visitors):
    one = visitors()
    one.visit()
    one.page.get_by_label("Open a file").wait_for()
    one.drop((GOLDEN / "rules1/classic-2.ndjson").read_text())
    proof = one.page.get_by_role("button", name="Verified: the deal was fair")
    proof.wait_for()
    one.page.locator("billet-replay").evaluate(HELD)
    proof.click()
    dialog = one.page.locator("dialog")
    dialog.get_by_role("button", name="Close").click()
    dialog.wait_for(state="detached")
    one.page.evaluate("release()")
    one.page.wait_for_function("() => window.judged")
    assert dialog.count() == 0


def test_a_game_that_plays_stops_when_its_log_does_not_fit(visitors):
    one = visitors()
    one.visit()
    fair = (GOLDEN / "rules1/classic-2.ndjson").read_text()
    head, _, events = fair.partition("\n")
    one.page.get_by_label("Open a file").wait_for()
    one.drop(fair)
    one.page.get_by_role("button", name="Verified: the deal was fair").wait_for()
    one.page.locator("billet-replay").evaluate(HELD)
    one.drop(json.dumps(json.loads(head) | {"secret": "0" * 64}) + "\n" + events)
    one.page.wait_for_function("() => window.release")
    one.page.get_by_role("button", name="Play", exact=True).click()
    one.page.get_by_role("button", name="Pause").wait_for()
    one.page.evaluate("release()")
    one.page.get_by_role("dialog").get_by_role("button", name="Look anyway").click()
    assert one.page.evaluate(f"{REPLAY}.playing") is False


@pytest.mark.parametrize("place", [30, 90])
def test_a_log_whose_events_do_not_fit_is_shown_up_to_the_first_that_does_not(visitors, place):
    one = visitors()
    one.visit()
    head, *events = (GOLDEN / "rules1/classic-2.ndjson").read_text().strip().split("\n")
    spoilt = json.loads(events[place]) | {"type": "knocked_out", "data": {"seat": 7, "cards": ["guard"]}}
    events[place] = json.dumps(spoilt)
    one.page.get_by_label("Open a file").wait_for()
    one.drop("\n".join([head, *events]))
    one.page.get_by_role("dialog").get_by_text(f"Event {spoilt['version']}:").wait_for()
    one.page.get_by_role("button", name="Look anyway").click()
    one.page.keyboard.press("End")
    one.page.wait_for_function(f"() => {REPLAY}.at === {REPLAY}.source.steps.length - 1")
    assert one.page.evaluate(f"{REPLAY}.version") == place


def test_a_log_that_cannot_be_shown_at_all_says_from_which_event_on(visitors):
    one = visitors()
    one.visit()
    head, *events = (GOLDEN / "rules1/classic-2.ndjson").read_text().strip().split("\n")
    events[1] = json.dumps(json.loads(events[1]) | {"type": "knocked_out", "data": {"seat": 7, "cards": []}})
    one.page.get_by_label("Open a file").wait_for()
    one.drop("\n".join([head, *events]))
    one.page.get_by_role("alert").get_by_text("event 2 does not fit").wait_for()


@pytest.mark.parametrize(
    "changes",
    [
        {"edition": "../players/me"},
        {"edition": ".."},
        {"edition": "standard?x"},
        {"edition": "standard#"},
        {"edition": "a/b"},
        {"edition": "%2e%2e"},
        {"edition": "\ud800"},
        {"edition": 7},
        {"edition": None},
        {"seats": 10**9},
        {"seats": 0},
        {"seats": "2"},
    ],
)
def test_what_a_log_names_leads_nowhere_else(visitors, changes):
    one = visitors()
    one.visit()
    head, _, events = (GOLDEN / "rules1/classic-2.ndjson").read_text().partition("\n")
    one.page.get_by_label("Open a file").wait_for()
    before = len(one.requests)
    one.drop(json.dumps(json.loads(head) | changes) + "\n" + events)
    one.page.get_by_role("alert").wait_for()
    asked = [url.removeprefix(one.base) for _, url in one.requests[before:]]
    assert [path for path in asked if path.startswith("/v1/")] == []


@pytest.mark.parametrize(("visibility", "name"), [("public", "Ann of the Long Name"), ("unlisted", "Player 1")])
def test_a_game_is_saved_as_a_page_that_opens_offline_with_the_names_that_everybody_may_see(
    visitors, chromium, api, tmp_path, visibility, name
):
    token = api.player("Ann of the Long Name")["token"]
    setup = {"edition": "classic", "seats": [CREATOR, BOT], "visibility": visibility}
    game = api.call("POST", "/games", setup, token)
    api.call("DELETE", f"/games/{game['id']}/seats/me", token=token)
    one = visitors()
    one.visit(f"replays/{game['id']}" + (f"#code={game['join_code']}" if visibility == "unlisted" else ""))
    with one.page.expect_download() as kept:
        one.page.get_by_role("button", name="Save as a page").click()
    kept.value.save_as(tmp_path / "game.html")
    offline = Visitor(chromium, "file://", offline=True)
    offline.page.goto(f"file://{tmp_path}/game.html")
    offline.page.get_by_role("button", name="Verified: the deal was fair").wait_for()
    assert name in offline.page.evaluate(f"{REPLAY}.game.seats.map(({{player}}) => player.name)")
    assert any(name in text for text in offline.page.evaluate(f"{REPLAY}.lines.map(({{text}}) => text)"))
    assert offline.page.get_by_role("button", name="Save as a page").count() == 0
    assert offline.troubles == []
    offline.close()
