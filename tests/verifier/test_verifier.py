"""The verifier in JavaScript: it finds true logs true, and of everything that it proves it refuses a forged log."""

import copy
import json
import random
import subprocess
from collections import Counter
from dataclasses import replace

import pytest

from billet.logs.files import found_in
from billet.logs.verify import judged as judged_by_billet
from engine.editions import EDITIONS
from engine.options import legal_actions
from engine.rules import RULES_VERSION
from engine.shuffle import ArrangedChance
from engine.state import ACTIVE
from games.causes import Abort, Act, Join, Leave, Open
from games.records.portable import Unreadable, as_json, as_ndjson, packed, parsed, portable
from games.records.verification import verify
from tests.games.forks import Fork
from tests.games.records.moment_stories import MOMENTS
from tests.games.records.moment_stories import log_of as log_of_moment
from tests.games.records.mutations import changed, kind_of, places, renumbered, sampled, sealed
from tests.games.whole_logs import TABLES, Story, whole_story
from tests.games.whole_logs import read_log as log_of
from tests.pages import opened, origin
from tests.second_model.model.cards import CARDS, deck_of
from tests.verifier import reveals
from tests.verifier.verifier import FOLDER, judged, run

OF_THE_REVEAL = {
    *(("seat_taken", "data", name) for name in ("seat", "player", "nonce_hash")),
    ("reveal_started", "data", "seats"),
    *(("nonce_revealed", "data", name) for name in ("seat", "nonce")),
    *(("game_started", "data", name) for name in ("players", "nonces", "committed", "unrevealed")),
}
"""What players give to the shuffle."""
OF_THE_SHUFFLE = {
    *(("round_started", "data", name) for name in ("number", "starter", "seats", "deck")),
    *(("round_started", "data", name) for name in ("set_aside", "shown_aside", "hands")),
    *(("game_created", "data", name) for name in ("game", "edition", "seats", "commitment")),
    *((name,) for name in ("game", "edition", "seats", "nonces", "commitment", "secret", "format")),
    ("secret_revealed", "data", "secret"),
    ("game_started", "data", "nonces"),
    ("", "version"),
    ("", "type"),
}
"""What the deals come from."""
OF_THE_CARDS = {
    *(("card_drawn", "data", name) for name in ("card", "source")),
    *((name, "data", "card") for name in ("card_played", "card_revealed", "card_received")),
    *((name, "data", "cards") for name in ("hand_discarded", "knocked_out", "cards_returned", "seat_left")),
    *((name, "data", "cards") for name in ("hand_shown", "hand_taken")),
    *((name, "data", cards) for name in ("hands_compared", "hands_traded") for cards in ("cards", "target_cards")),
    *((name, "data", "hands") for name in ("hands_given", "hands_revealed")),
    ("round_ended", "data", "standings", "card"),
}
"""Every event that moves or shows cards, and where it says which."""


def told(verdict):
    assert verdict["unchecked"] == []
    return verdict["divergence"] and (verdict["divergence"]["check"], verdict["divergence"]["version"])


def forged_at(kinds, logs):
    """Returns for each kind of place a log in which one such place says something else, and where that is."""
    found = {}
    for log in logs:
        for path in sampled(log, 1000, 1):
            kind = kind_of(log, path)
            if kind in kinds and kind not in found:
                found[kind] = path, sealed(changed(log, path, random.Random(1)))
    assert {*found} == kinds
    return found


@pytest.fixture(scope="module")
def true_ones():
    """A true log of every table, with the verdict on it."""
    logs = [log_of(*table, n % 7) for n, table in enumerate(TABLES)]
    return [*zip(logs, judged(logs), strict=True)]


def test_true_logs_of_every_table_are_valid_in_every_form(true_ones):
    for log, verdict in true_ones:
        assert verdict["valid"], verdict
        rounds = sum(event["type"] == "round_started" for event in log["events"])
        assert (verdict["edition"], verdict["seats"], verdict["rounds"]) == (log["edition"], log["seats"], rounds)


def test_forks_are_valid():
    logs = []
    for n, table in enumerate(TABLES[::3]):
        parent = whole_story(*table, n)
        logs.append(Fork(parent, len(parent.stored) * 2 // 3).play(random.Random(n), leaving=0.02).log())
    assert [one["text"] for one in judged(logs) if not one["valid"]] == []


def test_whatever_is_changed_at_one_place_is_found_by_the_digest():
    logs = []
    for n, table in enumerate(TABLES[::4]):
        log = log_of(*table, n)
        logs += [changed(log, path, random.Random(n)) for path in sampled(log, 6, n)]
    assert [one["text"] for one in judged(logs) if one["valid"]] == []


def test_what_the_deals_come_from_is_found_whatever_the_digest():
    logs, paths = [], []
    for n, table in enumerate(TABLES[::4]):
        log = log_of(*table, n)
        for path in sampled(log, 1000, n):
            if kind_of(log, path) in OF_THE_SHUFFLE:
                paths.append((table, path, kind_of(log, path)))
                logs.append(sealed(changed(log, path, random.Random(n))))
    assert {kind for *_, kind in paths} == OF_THE_SHUFFLE
    assert [path for path, one in zip(paths, judged(logs), strict=True) if one["valid"]] == []


def test_a_card_that_does_not_come_from_where_it_lay_is_found_at_its_event(true_ones):
    logs = [log for log, _ in true_ones]
    # A game of chance rarely has such an event; the position that it begins with is not followed to the secret.
    logs += [log_of_moment(moment) for moment in MOMENTS if "mi-go" in moment["name"]]
    forged = forged_at(OF_THE_CARDS, logs)
    for (kind, (path, _)), verdict in zip(forged.items(), judged([log for _, log in forged.values()]), strict=True):
        divergence = verdict["divergence"] or {}
        assert (divergence.get("check"), divergence.get("version")) == ("cards", path[1] + 1), (kind, verdict)


def test_checks_are_told_apart():
    log = log_of("standard", 3, 0)
    dealt, played = (
        next(i for i, event in enumerate(log["events"]) if event["type"] == name)
        for name in ("round_started", "card_played")
    )
    logs = [copy.deepcopy(log) for _ in range(6)]
    logs[0]["events"][dealt]["data"]["deck"].reverse()
    logs[1]["events"][played]["data"]["card"] = "nothing"
    logs[2]["secret"] = "0" * 64
    logs[3]["events"] = logs[3]["events"][:-1]
    logs[4]["players"][0] = "nobody"
    logs[5]["events"][played]["type"] = "zebra"
    found = [told(one) for one in judged([*map(sealed, logs), {**log, "digest": "0" * 64}])]
    assert found == [
        ("deals", dealt + 1),
        ("cards", played + 1),
        ("commitment", 1),
        ("commitment", len(log["events"]) - 1),
        ("head", None),
        ("form", played + 1),
        ("digest", None),
    ]


def by_other_rules(log, rules, begin=0):
    """Returns a log whose steps from a place on say that other rules made them, and whose decks there are larger."""
    log = copy.deepcopy(log)
    for event in log["events"][begin:]:
        if event["cause"] is not None:
            event["rules"] = rules
        if event["type"] == "round_started":
            event["data"]["deck"].append("guard")
    return {**log, "rules_version": log["events"][0]["rules"]}


def test_steps_by_other_rules_are_unchecked_and_neither_false_nor_valid():
    log = log_of("premium", 6, 1)
    second = [i for i, event in enumerate(log["events"]) if event["type"] == "round_started"][1]
    begin = max(i for i in range(second) if log["events"][i]["cause"] is not None)
    other = RULES_VERSION + 1
    logs = [sealed(by_other_rules(log, other, at)) for at in (0, begin)]
    for at, verdict in zip((0, begin), judged(logs), strict=True):
        assert (verdict["valid"], verdict["divergence"]) == (False, None)
        assert [one["version"] for one in verdict["unchecked"]] == [at + 1]
        assert f"follow version {other} of the rules; only {RULES_VERSION} is known" in verdict["text"]
        assert verdict["text"] == f"unchecked: {verdict['unchecked'][0]['text']}"
    present = [sealed(by_other_rules(log, RULES_VERSION, at)) for at in (0, begin)]
    assert [told(one)[0] for one in judged(present)] == ["deals", "deals"], "by the present rules no deck is larger"


def test_what_needs_no_deck_is_found_in_logs_by_other_rules():
    log = by_other_rules(log_of("premium", 6, 1), RULES_VERSION + 1)
    head = [{**log, name: value} for name, value in (("edition", "classic"), ("seats", 5), ("rules_version", 7))]
    found = judged([*map(sealed, head), {**log, "digest": "0" * 64}, sealed({**log, "secret": "0" * 64})])
    assert [one["divergence"]["check"] for one in found] == ["head", "head", "head", "digest", "commitment"]


def test_a_round_from_a_chosen_position_is_unchecked_but_its_cards_are_followed():
    logs = [log_of_moment(moment) for moment in MOMENTS[:2]]
    (played,) = [i for i, event in enumerate(logs[1]["events"]) if event["type"] == "card_played"][:1]
    logs[1]["events"][played]["data"]["card"] = "princess"
    true_one, forged = judged([logs[0], sealed(logs[1])])
    assert (true_one["valid"], true_one["divergence"]) == (False, None)
    assert true_one["text"].startswith("unchecked: Round 1 begins with a position that was chosen")
    assert (forged["divergence"]["check"], forged["divergence"]["version"]) == ("cards", played + 1)


def test_a_true_game_by_commit_and_reveal_is_valid():
    logs = [
        reveals.log_of((reveals.REVEALED, reveals.UNREVEALED)[n % 2], *table) for n, table in enumerate(TABLES[::3])
    ]
    assert all(one["valid"] for one in judged(logs))


def test_whatever_is_doctored_about_nonces_is_found_by_both_verifiers():
    names, logs = zip(*reveals.doctored(), strict=True)
    found = {name: one["valid"] for name, one in zip(names, judged(logs), strict=True)}
    assert found == dict.fromkeys(names, False)
    assert {name: verify(log).valid for name, log in zip(names, logs, strict=True)} == found


def counts(log, path):
    """Whether anything follows from a place: not if a player got up again, nor from a hash whose nonce is missing."""
    taken = log["events"][path[1]]
    if taken["type"] != "seat_taken":
        return True
    seat = taken["data"]["seat"]
    of_seat = [one for one in log["events"] if one["type"] == "seat_taken" and one["data"]["seat"] == seat]
    (started,) = [one["data"] for one in log["events"] if one["type"] == "game_started"]
    return taken is of_seat[-1] and (path[3] != "nonce_hash" or seat not in started["unrevealed"])


def test_every_change_to_one_place_of_the_reveal_is_found():
    mutants = []
    for seed in (reveals.REVEALED, reveals.UNREVEALED):
        log = reveals.log_of(seed)
        for path in places(log):
            if kind_of(log, path) in OF_THE_REVEAL and counts(log, path):
                mutants.append((kind_of(log, path), sealed(changed(log, path, random.Random(len(mutants))))))
    assert {kind for kind, _ in mutants} == OF_THE_REVEAL
    missed = [kind for (kind, _), one in zip(mutants, judged([log for _, log in mutants]), strict=True) if one["valid"]]
    assert missed == []


def test_the_starter_that_is_drawn_is_checked():
    """Of a drawn one the decks say nothing, so that only the draw itself can tell."""
    log = next(
        log for log in (log_of("classic", 4, seed) for seed in range(9)) if log["events"][0]["data"]["starter"] is None
    )
    started = next(event for event in log["events"] if event["type"] == "round_started")
    started["data"]["starter"] = (started["data"]["starter"] + 1) % 4
    assert told(*judged([sealed(log)])) == ("deals", started["version"])


def test_who_begins_is_the_next_seat_if_the_one_that_a_sandbox_names_has_left():
    created = replace(whole_story("classic", 4, 0).snapshot.table, sandbox=True, sandbox_rounds=({}, {"starter": 2}))
    story, rng = Story(created, whole_story("classic", 4, 0).snapshot.secret), random.Random(1)
    sit_down(story, 4)
    story.tell(Leave(2))
    play_on(story, rng)
    log = parsed(as_json(portable(story.stored)))
    second = [event for event in log["events"] if event["type"] == "round_started"][1]
    assert second["data"]["starter"] == 3
    forged = copy.deepcopy(log)
    forged["events"][second["version"] - 1]["data"]["starter"] = 0
    assert [told(one) for one in judged([log, sealed(forged)])] == [None, ("deals", second["version"])]


def sit_down(story, seats):
    story.tell(Open((Join(0, "p0", ""),)))
    for seat in range(1, seats):
        story.tell(Join(seat, f"p{seat}", ""))


def play_on(story, rng):
    """Lets all seats take random actions until the game has ended."""
    while story.snapshot.state.status == ACTIVE:
        state = story.snapshot.state
        story.tell(Act(state.to_act, rng.choice(legal_actions(state))))


def test_a_chosen_deck_has_no_more_cards_than_there_are(monkeypatch):
    parent = whole_story("standard", 2, 0).snapshot
    chosen = ["guard"] * 4 + ["princess", "princess"]

    def order(self, deck, number):
        rest = list(deck)
        for card in chosen[:-1]:
            rest.remove(card)
        return (*chosen, *self.chance.order(tuple(rest), number))

    monkeypatch.setattr(ArrangedChance, "order", order)
    rounds = ({"order": chosen},)
    story = Story(replace(parent.table, sandbox=True, sandbox_rounds=rounds), parent.secret)
    sit_down(story, 2)
    story.tell(Abort())
    log = parsed(as_json(portable(story.stored)))
    started = next(event for event in log["events"] if event["type"] == "round_started")
    assert started["data"]["hands"] == ["princess", "princess"]
    assert told(*judged([log])) == ("deals", started["version"])


def test_nobody_is_left_out_of_a_deal_where_no_round_breaks_a_tie():
    parent = whole_story("standard", 3, 0).snapshot
    story = Story(replace(parent.table, game="another"), parent.secret)
    sit_down(story, 3)
    edition = story.snapshot.state.book.edition
    entrants = edition.entrants
    object.__setattr__(edition, "entrants", lambda state: (0, 1))  # from the second round on
    try:
        play_on(story, random.Random(1))
    finally:
        object.__setattr__(edition, "entrants", entrants)
    log = parsed(as_json(portable(story.stored)))
    second = [event for event in log["events"] if event["type"] == "round_started"][1]
    assert told(*judged([log])) == ("deals", second["version"])


def doubled(log, at, **data):
    """Returns a log in which an event comes a second time; `data` is what that says otherwise."""
    event = log["events"][at]
    again = {**event, "cause": None, "rules": None, "data": {**event["data"], **data}}
    return sealed({**log, "events": renumbered([*log["events"][: at + 1], again, *log["events"][at + 1 :]])})


@pytest.mark.parametrize("kind", ["game_created", "seat_taken", "reveal_started", "game_started", "round_started"])
def test_nothing_that_a_deal_depends_on_happens_twice(kind):
    log = reveals.log_of(reveals.REVEALED)
    at = next(i for i, event in enumerate(log["events"]) if event["type"] == kind)
    (verdict,) = judged([doubled(log, at)])
    assert verdict["divergence"]["version"] == at + 2, verdict


@pytest.mark.parametrize(
    ("moment", "kind", "otherwise"),
    [
        ("standard-prince-princess-aside", "card_drawn", {"card": None}),
        ("lovecraft-mi-go-insane-takes-the-necronomicon", "card_received", {}),
        ("lovecraft-mi-go-insane-takes-the-necronomicon", "hand_taken", {}),
    ],
)
def test_no_card_comes_twice(moment, kind, otherwise):
    """The card set aside is drawn twice, the one from beside the deck received twice, a hand taken twice."""
    log = log_of_moment(next(one for one in MOMENTS if one["name"] == moment))
    events = enumerate(log["events"])
    at = next(i for i, event in events if event["type"] == kind and event["data"].get("source") != "deck")
    good, bad = judged([log, doubled(log, at, **otherwise)])
    assert good["divergence"] is None
    assert (bad["divergence"]["check"], bad["divergence"]["version"]) == ("cards", at + 2)


def test_no_seat_is_given_to_twice():
    log = log_of_moment(next(one for one in MOMENTS if one["name"] == "lovecraft-nyarlathotep-insane"))
    given = next(event for event in log["events"] if event["type"] == "hands_given")
    given["data"]["targets"] = [*given["data"]["targets"]] * 2
    (verdict,) = judged([sealed(log)])
    assert (verdict["divergence"]["check"], verdict["divergence"]["version"]) == ("cards", given["version"])


def test_the_command_says_in_words_what_it_found_and_ends_accordingly(tmp_path):
    log = log_of("standard", 2, 1)
    good, bad, many = (tmp_path / name for name in ("good.ndjson.gz", "bad.json", "many.ndjson"))
    good.write_bytes(packed(as_ndjson(log)))
    bad.write_bytes(as_json({**log, "secret": "0" * 64}))
    many.write_bytes((as_json(log) + b"\n") * 2)
    done = run(good)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{good}: valid: standard, 2 seats, ")
    assert done.stdout.endswith("the deal is proven, the rules are not checked here\n")
    done = run(good, bad, many)
    assert done.returncode == 1
    assert done.stdout.splitlines()[1:] == [
        f"{bad}: not valid: event 1, commitment: The secret is not the one that was committed to.",
        f"{many}: not valid: form: These are many logs, which `billet verify` takes.",
    ]
    assert run(good, tmp_path / "not there").returncode == run().returncode == 2
    bad.write_bytes(as_json(sealed(by_other_rules(log, RULES_VERSION + 1))))
    done = run(bad, good)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{bad}: unchecked: From event 1 on, steps follow version ")


OF_BYTES = {
    "a byte order mark": (lambda raw: b"\xef\xbb\xbf" + raw, 0),
    "a byte order mark, packed": (lambda raw: packed(b"\xef\xbb\xbf" + raw), 0),
    "two byte order marks": (lambda raw: 2 * b"\xef\xbb\xbf" + raw, 1),
    "blank lines": (lambda raw: b"\n" + raw.replace(b"\n", b"\n\n \t\r\n") + b"\n\n", 0),
    "something after a gzip": (lambda raw: packed(raw) + b"more", 2),
    "a gzip cut off": (lambda raw: packed(raw)[:-3], 2),
}
"""Bytes around a true log, and how the commands exit."""


@pytest.mark.parametrize("form", [as_json, as_ndjson])
@pytest.mark.parametrize("around", OF_BYTES)
def test_the_verifiers_agree_on_the_bytes_around_a_log(tmp_path, form, around):
    make, status = OF_BYTES[around]
    path, raw = tmp_path / "log", make(form(log_of("classic", 2, 33)))
    path.write_bytes(raw)
    assert run(path).returncode == status
    (found,) = found_in(str(path))
    assert (found.fault is not None) == (status == 2)
    if status < 2:
        assert judged_by_billet(found).valid == (status == 0)


@pytest.mark.parametrize("form", [as_json, as_ndjson])
@pytest.mark.parametrize(
    ("written", "otherwise"),
    [
        (b'"secret":', b'"secret":"","secret":'),
        (b'"secret":', b'"s\\u0065cret":"a:b","secret":'),
        (b'"hands":', b'"hands":[],"hands":'),
    ],
)
def test_what_could_be_read_in_two_ways_is_valid_for_neither_verifier(tmp_path, form, written, otherwise):
    true_one = form(log_of("classic", 2, 33))
    (tmp_path / "log").write_bytes(true_one.replace(written, otherwise, 1))
    done = run(tmp_path / "log")
    assert (done.returncode, done.stdout) == (1, f"{tmp_path}/log: not valid: form: An object has a member twice.\n")
    with pytest.raises(Unreadable):
        parsed(true_one.replace(written, otherwise, 1))


def test_strings_that_look_like_members_make_no_log_ambiguous():
    log = log_of("classic", 2, 33)
    (verdict,) = judged([sealed({**log, "package_version": '1.0 "a":1.5, \\"b\\": 2e3 \\'})])
    assert verdict["valid"], verdict["text"]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"[]",
        b'{"events": 0}',
        b"no log",
        b"[" * 100_000,
        b'{"format": "billet-log", "format_version": 1}',
    ],
)
def test_what_is_no_log_is_not_valid(tmp_path, text):
    path = tmp_path / "none"
    path.write_bytes(text)
    done = run(path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith(f"{path}: not valid: form: ")


def test_no_log_gives_commands_to_the_terminal(tmp_path):
    log = log_of("standard", 2, 1)
    events = [*log["events"][:4], log["events"][4] | {"type": "\x1b[31mred\x9b"}, *log["events"][5:]]
    paths = [tmp_path / name for name in ("type", "none")]
    paths[0].write_bytes(as_json(sealed({**log, "events": events})))
    paths[1].write_text("\x1b[31m{")
    done = run(*paths)
    said = (done.stdout + done.stderr).replace("\n", "")
    assert said.isprintable()
    assert "\\u001b[31mred\\u009b" in said


@pytest.fixture(scope="module")
def beside_the_verifier():
    """The address of the page beside the verifier."""
    with origin(FOLDER) as address:
        yield address


def dropped(page, name, raw):
    """Drops a file onto the page, and returns what is said of it there."""
    page.evaluate(
        "([name, raw]) => { const all = new DataTransfer(); all.items.add(new File([Uint8Array.from(raw)], name));"
        "document.dispatchEvent(new DragEvent('drop', {dataTransfer: all, bubbles: true, cancelable: true})); }",
        [name, [*raw]],
    )
    item = page.locator("#verdicts > li[class]", has_text=name)
    return item.get_attribute("class"), item.inner_text()


def test_in_a_browser_a_log_that_is_dropped_on_the_page_is_verified(browser, beside_the_verifier):
    log = log_of("lovecraft", 2, 1)
    with opened(browser) as page:
        page.goto(beside_the_verifier)
        kind, said = dropped(page, "game.ndjson.gz", packed(as_ndjson(log)))
        assert (kind, "Valid: lovecraft, 2 seats" in said) == ("good", True)
        kind, said = dropped(page, "other.json", as_json({**log, "secret": "0" * 64}))
        assert (kind, "Not valid. Event 1: The secret is not" in said) == ("bad", True)
        kind, said = dropped(page, "rules.json", as_json(sealed(by_other_rules(log, RULES_VERSION + 1))))
        assert (kind, "Unchecked. From event 1 on, steps follow" in said) == ("unchecked", True)
        kind, said = dropped(page, "half.gz", packed(as_ndjson(log))[:50])
        assert (kind, "Cannot be read" in said) == ("bad", True)


def test_its_decks_are_those_of_the_rules():
    program = f"import('{FOLDER.as_uri()}/deal.mjs').then((deal) => console.log(JSON.stringify([deal.RULES, %s])))"
    asked = [(edition.id, seats) for edition in EDITIONS.values() for seats in edition.seats]
    made = ", ".join(f"deal.unshuffledDeck('{edition}', {seats})" for edition, seats in asked)
    printed = subprocess.run(["node", "-e", program % made], capture_output=True, text=True, check=True)
    rules, *decks = json.loads(printed.stdout)
    assert rules == RULES_VERSION
    assert {edition for edition, _ in asked} == CARDS.keys()
    for (edition, seats), deck in zip(asked, decks, strict=True):
        assert Counter(deck) == Counter(deck_of(edition, seats)), (edition, seats)


def test_a_player_can_read_it_all():
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in FOLDER.glob("*.mjs")) <= 500
