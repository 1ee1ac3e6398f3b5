"""The verifier in JavaScript: it finds true logs true, and in others what can be found without the rules."""

import copy
import gzip
import itertools
import json
import random
import re
import subprocess
from collections import Counter
from dataclasses import fields, replace

import pytest

from billet.logs.files import found_in
from billet.logs.verify import judged as judged_by_billet
from engine.actions import PlayCard
from engine.editions import EDITIONS
from engine.events import EVENTS
from engine.options import legal_actions
from engine.positions import canonical
from engine.rules import RULES_VERSION
from engine.shuffle import ArrangedChance, Dealer, commitment
from engine.state import ACTIVE
from games.causes import Abort, Act, Join, Leave, Open, TimeOut
from games.records.portable import Unreadable, as_json, as_ndjson, packed, parsed, portable
from games.records.verification import verify
from games.steps import SKEW_MS
from games.times import ms_of, text_of
from service.verifying.verifier import Verifier
from tests.games.forks import Fork
from tests.games.records.mutations import changed, is_testimony, kind_of, mixed_up, places, renumbered, sampled, sealed
from tests.games.whole_logs import TABLES, Story, joined_and_left, whole_story
from tests.games.whole_logs import read_log as log_of
from tests.pages import opened, origin
from tests.second_model.model.cards import CARDS, deck_of
from tests.verifier import reveals
from tests.verifier.verifier import FOLDER, SCRIPT, SECONDS, judged, run, verdicts

MOST_HELD = 8
"""No hand of a valid game holds more cards."""
OF_THE_REVEAL = {"seat_taken", "join", "reveal_started", "nonce_revealed", "reveal", "game_started"}
"""The events and causes that say what players give to the shuffle."""
OF_THE_SHUFFLE = {
    *(("round_started", "data", name) for name in ("number", "starter", "deck", "set_aside", "shown_aside", "hands")),
    *(("game_created", "data", name) for name in ("game", "edition", "seats", "commitment")),
    *((name,) for name in ("game", "edition", "seats", "nonces", "commitment", "secret", "format")),
    ("secret_revealed", "data", "secret"),
    ("game_started", "data", "nonces"),
    ("", "version"),
    ("", "type"),
}
"""What no forger can change without being found out, however little is known of the rules."""


def told(verdict):
    assert verdict["unchecked"] == []
    return verdict["divergence"] and (verdict["divergence"]["check"], verdict["divergence"]["version"])


@pytest.fixture(scope="module")
def true_ones(tmp_path_factory):
    """A true log of every table, each in one of the forms, with the verdict on it."""
    logs = [log_of(*table, n % 7) for n, table in enumerate(TABLES)]
    return [*zip(logs, verdicts(tmp_path_factory.mktemp("true"), logs), strict=True)]


def test_true_logs_of_every_table_are_valid_in_every_form(true_ones):
    for log, verdict in true_ones:
        assert verdict["valid"], verdict
        rounds = sum(event["type"] == "round_started" for event in log["events"])
        assert (verdict["edition"], verdict["seats"], verdict["rounds"]) == (log["edition"], log["seats"], rounds)


def test_both_verifiers_say_the_same_of_what_no_log_can_prove(true_ones):
    assert [one["unproven"] for _, one in true_ones] == [list(verify(log).unproven) for log, _ in true_ones]
    assert all("package_version" in one["unproven"] for _, one in true_ones)


def test_forks_are_valid_and_repeat_moves_only_as_they_are_opened():
    logs = []
    for n, table in enumerate(TABLES[::3]):
        parent = whole_story(*table, n)
        logs.append(Fork(parent, len(parent.stored) * 2 // 3).play(random.Random(n), leaving=0.02).log())
    assert [one["text"] for one in judged(logs) if not one["valid"]] == []
    forged = copy.deepcopy(logs)
    for n, log in enumerate(forged):
        acts = [event for event in log["events"] if (event["cause"] or {}).get("type") == "act"]
        if n % 2 or not acts:
            log["events"][0]["data"]["forked_from"] = None
        else:
            acts[-1]["cause"] = {"type": "repeat", **{name: acts[-1]["cause"][name] for name in ("seat", "action")}}
    found = judged([sealed(log) for log in forged])
    assert [(one["valid"], told(one) and told(one)[0]) for one in found] == [(False, "events")] * len(forged)


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


def test_who_was_removed_sits_down_again_only_if_invited():
    log = log_of("standard", 3, 0)
    events = log["events"]
    cleared = next(i for i, event in enumerate(events) if event["type"] == "seat_cleared")
    assert [event["type"] for event in events[cleared : cleared + 3]] == ["seat_cleared", "seat_offered", "seat_taken"]
    uninvited = log | {"events": renumbered([*events[: cleared + 1], *events[cleared + 2 :]])}
    another, the_creator = copy.deepcopy(log), copy.deepcopy(log)
    for forged, who in ((another, "p2"), (the_creator, "p0")):
        forged["events"][cleared]["data"]["player"] = forged["events"][cleared]["cause"]["player"] = who
    forged = [sealed(one) for one in (uninvited, another, the_creator)]
    places = [cleared + 2, cleared + 1, cleared + 1]
    assert [verify(one).divergence.version for one in forged] == places
    assert [told(one) for one in judged(forged)] == [("events", place) for place in places]


def test_decks_that_do_not_follow_are_told_from_cards_that_do_not_fit():
    log = log_of("standard", 3, 0)
    dealt, played = (
        next(i for i, event in enumerate(log["events"]) if event["type"] == name)
        for name in ("round_started", "card_played")
    )
    logs = [json.loads(json.dumps(log)) for _ in range(5)]
    logs[0]["events"][dealt]["data"]["deck"].reverse()
    logs[1]["events"][played]["data"]["card"] = "nothing"
    logs[2]["secret"] = "0" * 64
    logs[3]["digest"] = "0" * 64
    logs[4]["events"] = logs[4]["events"][:-1]
    assert [told(one) for one in judged([*map(sealed, logs[:3]), logs[3], sealed(logs[4])])] == [
        ("deals", dealt + 1),
        ("events", played + 1),
        ("commitment", 1),
        ("digest", None),
        ("commitment", len(log["events"]) - 1),
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


@pytest.mark.parametrize("rules", [RULES_VERSION + 1, RULES_VERSION + 7])
def test_steps_by_other_rules_are_unchecked_and_neither_false_nor_valid(rules):
    log = log_of("premium", 6, 1)
    second = [i for i, event in enumerate(log["events"]) if event["type"] == "round_started"][1]
    begin = max(i for i in range(second) if log["events"][i]["cause"] is not None)
    logs = [sealed(by_other_rules(log, rules, at)) for at in (0, begin)]
    for at, one, verdict in zip((0, begin), logs, judged(logs), strict=True):
        assert (verdict["valid"], verdict["divergence"], verdict["unproven"]) == (False, None, [])
        assert [(one["check"], one["version"]) for one in verdict["unchecked"]] == [("events", at + 1)]
        assert f"follow version {rules} of the rules; only version {RULES_VERSION} is known" in verdict["text"]
        assert verdict["text"] == f"unchecked: {verdict['unchecked'][0]['text']}"
        assert [(one.check, one.version) for one in verify(one).unchecked] == [("steps", at + 1)]
    present = [sealed(by_other_rules(log, RULES_VERSION, at)) for at in (0, begin)]
    assert [told(one)[0] for one in judged(present)] == ["deals", "deals"], "by the present rules no deck is larger"


def test_what_needs_no_rules_is_found_in_logs_by_other_rules():
    log = by_other_rules(log_of("premium", 6, 1), RULES_VERSION + 1)
    head = [{**log, name: value} for name, value in (("edition", "classic"), ("seats", 5), ("rules_version", 7))]
    found = judged([*map(sealed, head), {**log, "digest": "0" * 64}, sealed({**log, "secret": "0" * 64})])
    assert [one["divergence"]["check"] for one in found] == ["head", "head", "head", "digest", "commitment"]


def test_a_change_before_the_first_step_by_other_rules_is_found():
    log = log_of("premium", 6, 1)
    played = next(i for i, event in enumerate(log["events"]) if event["type"] == "card_played")
    log["events"][played]["data"]["card"] = "nothing"
    begin = next(i for i in range(played + 1, len(log["events"])) if log["events"][i]["cause"] is not None)
    assert told(*judged([sealed(by_other_rules(log, RULES_VERSION + 1, begin))])) == ("events", played + 1)


def test_a_step_is_not_a_little_earlier_than_the_one_before():
    log = log_of("standard", 3, 0)
    second = next(i for i, event in enumerate(log["events"]) if i and event["cause"] is not None)
    logs = []
    for back in (1, SKEW_MS, SKEW_MS + 1):
        at = text_of(ms_of(log["events"][second]["at"]) + back)
        first = [{**event, "at": at} for event in log["events"][:second]]
        logs.append(sealed({**log, "events": first + log["events"][second:]}))
    assert [told(one) for one in judged(logs)] == [("times", second + 1)] * 2 + [None]


@pytest.mark.parametrize("edition", EDITIONS)
def test_events_in_another_order_are_found(edition):
    log = log_of(edition, 3, 1)
    mutants = [mutant for _, mutant in mixed_up(log, random.Random(edition))]
    assert not any(one["valid"] for one in judged(mutants))


def test_a_true_game_by_commit_and_reveal_is_valid_for_both_verifiers():
    logs = [
        reveals.log_of((reveals.REVEALED, reveals.UNREVEALED)[n % 2], *table) for n, table in enumerate(TABLES[::3])
    ]
    assert all(one["valid"] for one in judged(logs))
    assert all(verify(log).valid for log in logs)


def test_whatever_is_doctored_about_nonces_is_found_by_both_verifiers():
    names, logs = zip(*reveals.doctored(), strict=True)
    found = {name: one["valid"] for name, one in zip(names, judged(logs), strict=True)}
    assert found == dict.fromkeys(names, False)
    assert {name: verify(log).valid for name, log in zip(names, logs, strict=True)} == found


def test_every_change_to_one_place_of_the_reveal_is_found_by_both_verifiers():
    mutants = []
    for seed in (reveals.REVEALED, reveals.UNREVEALED):
        log = reveals.log_of(seed)
        for path in places(log):
            kind = kind_of(log, path)
            if kind[0] in OF_THE_REVEAL and not is_testimony(log, path):
                mutants.append((kind, sealed(changed(log, path, random.Random(len(mutants))))))
    assert {kind[0] for kind, _ in mutants} == OF_THE_REVEAL
    missed = [kind for (kind, _), one in zip(mutants, judged([log for _, log in mutants]), strict=True) if one["valid"]]
    assert missed == []
    assert [kind for kind, log in mutants if verify(log).valid] == []


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
    assert verify(log).valid
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


FORFEIT = {"kind": "bank", "seconds": 3600, "increment": 0, "on_timeout": "forfeit"}


def test_chance_answers_for_a_seat_whose_bank_is_used_up_after_that_is_told():
    parent = whole_story("standard", 3, 0).snapshot
    story, rng = Story(replace(parent.table, clock=FORFEIT), parent.secret), random.Random(4)
    sit_down(story, 3)
    while (state := story.snapshot.state).decision is None:
        story.tell(Act(state.to_act, rng.choice(legal_actions(state))))
    story.tell(TimeOut(state.to_act), story.snapshot.deadline - story.now)
    assert [event["type"] for event in story.stored].index("time_spent") > 0
    assert story.steps[-1].entries[1].event.kind == "keep_card"
    play_on(story, rng)
    log = parsed(as_json(portable(story.stored)))
    assert verify(log).valid
    assert told(*judged([log])) is None


def test_a_second_answer_of_a_seat_that_leaves_is_drawn_anew():
    """Chance plays a second card for a seat that was to play one by the Golden Mead, and gives the hands away."""
    parent = whole_story("lovecraft", 3, 0).snapshot
    hands = [["golden_mead", "nyarlathotep"], ["investigators"], ["elder_sign"]]
    given = {"hands": hands, "discards": [["deep_ones"], [], []], "turn": 0}
    position = canonical(parent.state.book, given)
    created = replace(parent.table, sandbox=True, sandbox_positions=(position,))
    logs = []
    for number in range(60):
        secret = bytes([number]) * 32
        story = Story(replace(created, commitment=commitment(secret)), secret)
        sit_down(story, 3)
        story.tell(Act(0, PlayCard("golden_mead", (1,), face="insane")))
        story.tell(Leave(0))
        if [entry.event.type for entry in story.steps[-1].entries].count("decision_taken") == 2:
            play_on(story, random.Random(2))
            logs.append(parsed(as_json(portable(story.stored))))
    assert len(logs) > 5, "the hands can be given in two ways, of which a wrong draw may hit the right one"
    assert all(verify(log).valid for log in logs)
    assert [told(one) for one in judged(logs)] == [None] * len(logs)


def test_hands_are_given_to_those_who_have_not_left_since_they_were_asked_about():
    parent = whole_story("lovecraft", 4, 0).snapshot
    hands = [["nyarlathotep", "investigators"], ["elder_sign"], ["cats_of_ulthar"], ["liber_ivonis"]]
    position = canonical(parent.state.book, {"hands": hands, "discards": [["deep_ones"], [], [], []], "turn": 0})
    story = Story(replace(parent.table, sandbox=True, sandbox_positions=(position,)), parent.secret)
    sit_down(story, 4)
    story.tell(Act(0, PlayCard("nyarlathotep", face="insane")))
    story.tell(Leave(1))
    story.tell(Leave(0))
    assert "hands_given" in [event["type"] for event in story.stored]
    play_on(story, random.Random(2))
    log = parsed(as_json(portable(story.stored)))
    assert verify(log).valid
    assert told(*judged([log])) is None


def test_what_chance_answers_is_checked_whatever_the_cause_says_beside_its_type(monkeypatch):
    drawn = Dealer.answer
    monkeypatch.setattr(Dealer, "answer", lambda self, count, at: (drawn(self, count, at) + 1) % count)
    log, answered = left_when_asked("standard", "keep_card")
    returned = next(event for event in log["events"][answered:] if event["type"] == "cards_returned")
    left = next(event for event in log["events"][answered:] if event["type"] == "seat_left")
    step = next(event for event in log["events"][answered::-1] if event["cause"])
    bottom = returned["data"]["cards"]
    step["cause"]["action"] = {"type": "keep_card", "keep": left["data"]["cards"][0], "bottom": bottom}
    assert told(*judged([sealed(log)])) == ("deals", returned["version"])


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
    assert told(*judged([log])) == ("events", second["version"])


def test_a_position_whose_draw_pile_is_empty_says_so():
    """Two cards are left: one is set aside, one is dealt."""
    parent = whole_story("classic", 2, 0).snapshot
    others = [card for card in parent.state.book.deck if card not in ("princess", "king")]
    hand, aside, played = others[:2], others[2:5], others[5:]
    given = {"hands": [hand, []], "shown_aside": aside, "discards": [played, []], "deck": [], "turn": 0}
    position = canonical(parent.state.book, given)
    assert position["deck"] == []
    story = Story(replace(parent.table, sandbox=True, sandbox_positions=(position,)), parent.secret)
    sit_down(story, 2)
    story.tell(Abort())
    log = parsed(as_json(portable(story.stored)))
    forged = copy.deepcopy(log)
    forged["events"][0]["data"]["sandbox_positions"][0]["deck"] = None
    assert [verify(one).valid for one in (log, sealed(forged))] == [True, False]
    good, bad = judged([log, sealed(forged)])
    assert (told(good), told(bad)[0]) == (None, "deals")


def left_when_asked(edition, kind):
    """Returns a log, and its event in which chance answers a decision of a kind for a seat that leaves."""
    rng = random.Random(edition)
    for seed in itertools.count():
        parent = whole_story(edition, 3, 7 * seed).snapshot  # no sandbox
        story, answered = Story(parent.table, parent.secret), None
        story.tell(Open(tuple(Join(seat, f"p{seat}", "") for seat in range(3))))
        while story.snapshot.state.status == ACTIVE:
            state = story.snapshot.state
            if answered is None and state.decision is not None and state.decision.kind == kind:
                first = len(story.stored)
                story.tell(Leave(state.to_act))
                types = [event["type"] for event in story.stored]
                answered = types.index("decision_taken", first)
            else:
                story.tell(Act(state.to_act, rng.choice(legal_actions(state))))
        if answered is not None:
            return parsed(as_json(portable(story.stored))), answered


@pytest.mark.parametrize(("edition", "kind"), [("standard", "keep_card"), ("lovecraft", "give_hands")])
def test_what_chance_answers_is_checked_however_many_cards_a_forger_gives_to_a_hand(edition, kind):
    log, answered = left_when_asked(edition, kind)
    before = log["events"][answered - 1]
    asked = next(one["data"]["seats"] for one in log["events"][answered::-1] if one["type"] == "decision_opened")
    receiver = asked[0] if asked else log["events"][answered]["data"]["seat"]
    card = {**before, "type": "card_received", "v": 1, "cause": None, "rules": None}
    more = [{**card, "data": {"seat": receiver, "card": f"card {i}"}} for i in range(40)]
    forged = [*log["events"][:answered], *more, *log["events"][answered:]]
    forged = [{**event, "version": version} for version, event in enumerate(forged, 1)]
    good, bad = judged([log, sealed({**log, "events": forged})])
    assert (told(good), told(bad)[0]) == (None, "events")
    assert answered < told(bad)[1] <= answered + MOST_HELD, "no hand is looked at that holds more"


def test_hands_are_given_to_each_seat_once():
    log, _ = left_when_asked("lovecraft", "give_hands")
    asked = max(
        i for i, event in enumerate(log["events"]) if event["type"] == "decision_opened" and event["data"]["seats"]
    )
    given = next(i for i, event in enumerate(log["events"]) if event["type"] == "hands_given")
    forged = [copy.deepcopy(log) for _ in range(2)]
    for one, place, name in zip(forged, (asked, given), ("seats", "targets"), strict=True):
        data = one["events"][place]["data"]
        data[name] = data[name] * 2
    said = judged([sealed(one) for one in forged])
    assert [told(one) for one in said] == [("events", asked + 1), ("events", given + 1)]
    assert all("A seat is named twice." in one["text"] for one in said)


def test_it_knows_the_fields_of_every_event():
    source = (FOLDER / "verify.mjs").read_text(encoding="utf-8")
    table = source.partition("const FIELDS = {")[2].partition("\n};")[0].replace('"\n    + "', "")
    known = dict(line.strip().rstrip(",").split(": ", 1) for line in table.strip().splitlines())
    assert {*known} == {*EVENTS}
    later = re.findall(r'event\.type === "(\w+)" && event\.v > \d+\) \{?\s*checkFields\("([^"]*)"', source)
    for name, kind in EVENTS.items():
        texts = [json.loads(known[name]), *(added for of, added in later if of == name)]
        written = [field.split()[0] for text in texts for field in text.split(", ") if field]
        assert sorted(written) == sorted(field.name for field in fields(kind)), name


def test_the_command_says_in_words_what_it_found_and_ends_accordingly(tmp_path):
    log = log_of("standard", 2, 1)
    good, bad, none = (tmp_path / name for name in ("good.ndjson.gz", "bad.json", "none.txt"))
    good.write_bytes(packed(as_ndjson(log)))
    bad.write_bytes(as_json({**log, "secret": "0" * 64}))
    none.write_text("no log")
    done = run(good)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{good}: valid: standard, 2 seats, ")
    done = run(good, bad, none)
    assert done.returncode == 1
    assert (
        done.stdout.splitlines()[1]
        == f"{bad}: not valid: event 1, commitment: The secret is not the one that was committed to."
    )
    found = sealed({**log, "secret": "0" * 64})["commitment"]
    assert done.stdout.splitlines()[2].endswith(f'; found: {{"commitment":"{found}"}}')
    assert "neither JSON nor lines of JSON" in done.stdout.splitlines()[3]
    assert done.stdout.splitlines()[4:] == ["1 of 3 logs are valid"]
    assert run(good, tmp_path / "not there").returncode == run().returncode == 2
    bad.write_bytes(as_json(sealed(by_other_rules(log, RULES_VERSION + 1))))
    done = run(good, bad)
    assert (done.returncode, done.stdout.splitlines()[2]) == (1, "1 of 2 logs are valid")
    assert done.stdout.splitlines()[1].startswith(f"{bad}: unchecked: From event 1 on, steps follow version ")


def test_a_file_is_unpacked_once_and_not_beyond_any_measure(tmp_path):
    twice, large = tmp_path / "twice.gz", tmp_path / "large.gz"
    twice.write_bytes(packed(packed(as_json(log_of("standard", 2, 1)))))
    large.write_bytes(packed(bytes(2**20)) * 64 + packed(bytes(1)))
    done = run(twice, large)
    assert done.returncode == 2
    assert done.stdout.startswith(f"{twice}: not valid: form: This cannot be understood: ")
    assert done.stderr == f"{large}: cannot be read: A log in it has more than 67108864 bytes.\n"


PACKINGS = {
    "plain": lambda lines: b"".join(lines),
    "a gzip each": lambda lines: b"".join(map(packed, lines)),
    "one gzip": lambda lines: packed(b"".join(lines)),
    "with a byte order mark": lambda lines: b"\xef\xbb\xbf" + b"".join(lines),
}


@pytest.fixture(scope="module")
def three():
    """The lines of a file with three logs, of which the second is not valid, and an empty line."""
    log = log_of("classic", 2, 33)
    false = {**log, "secret": "0" * 64}
    return [as_json(log) + b"\n", b"\n", as_json(false) + b"\n", as_json(log_of("standard", 2, 1))]


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_file_may_have_many_logs_one_a_line(tmp_path, three, packing):
    path = tmp_path / "logs"
    path.write_bytes(PACKINGS[packing](three))
    said = [json.loads(line) for line in run("--json", path).stdout.splitlines()]
    expected = [(f"{path}:1", True), (f"{path}:3", False), (f"{path}:4", True)]
    assert [(one["file"], one["valid"]) for one in said] == expected
    assert [(found.name, judged_by_billet(found).valid) for found in found_in(str(path))] == expected


def test_a_text_that_is_read_with_its_byte_order_mark_is_verified(tmp_path):
    """As Node reads files, unlike browsers."""
    path = tmp_path / "log"
    path.write_bytes(b"\xef\xbb\xbf" + as_json(log_of("classic", 2, 33)))
    program = (
        f"import {{ verify }} from {json.dumps(SCRIPT.as_uri())}; import {{ readFileSync }} from 'node:fs';"
        f"console.log((await verify(readFileSync({json.dumps(str(path))}, 'utf8'))).valid)"
    )
    done = subprocess.run(["node", "--input-type=module", "-e", program], capture_output=True, timeout=SECONDS)
    assert done.stdout == b"true\n", done.stderr


def test_the_input_may_have_many_logs(tmp_path, three):
    path = tmp_path / "logs"
    path.write_bytes(PACKINGS["one gzip"](three))
    with path.open("rb") as given:
        done = subprocess.run(["node", SCRIPT, "-"], stdin=given, capture_output=True, text=True, timeout=SECONDS)
    assert done.returncode == 1
    assert [line.split(": ")[:2] for line in done.stdout.splitlines()] == [
        ["-:1", "valid"],
        ["-:3", "not valid"],
        ["    expected", done.stdout.splitlines()[2].split(": ")[1]],
        ["-:4", "valid"],
        ["2 of 3 logs are valid"],
    ]


def test_of_a_file_of_many_that_is_cut_off_the_whole_logs_are_verified(tmp_path, three):
    path = tmp_path / "logs.gz"
    first, *_, last = map(packed, three)
    path.write_bytes(first + last[:-9])
    done = run(path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{path}: cannot be read: ")
    path.write_bytes(b"".join(three[:1]) * 2 + three[0][:99])
    done = run(path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "2 of 3 logs are valid")
    path.write_bytes(three[0])
    assert run(path).stdout.startswith(f"{path}: valid: "), "of a file with one line none is named"


def test_many_logs_are_never_in_memory_together(tmp_path):
    """With a heap of 20 MB: the logs of the file have twice as much."""
    path = tmp_path / "logs.gz"
    path.write_bytes(packed(b'{"events": 0, "more": "' + b"x" * 1_000_000 + b'"}\n') * 40)
    words = ["node", "--max-old-space-size=20", SCRIPT, path]
    done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "0 of 40 logs are valid")


def test_short_lines_take_little_more_memory_than_long_ones(tmp_path):
    path = tmp_path / "lines.gz"
    path.write_bytes(packed(b"x\n" * 400_000))
    words = ["node", "--max-old-space-size=40", SCRIPT, path]
    done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 1
    assert "neither JSON nor lines of JSON" in done.stdout


def test_no_line_keeps_those_after_it_from_being_verified(tmp_path):
    path, log = tmp_path / "logs", log_of("standard", 2, 1)
    line, guests = as_json(log) + b"\n", [{"seat": 0, "player": "p0", "nonce": ""}] * 9
    crowd = [log["events"][0] | {"cause": {"type": "open", "joining": guests}}, *log["events"][1:]]
    deep = line.replace(b'"billet-log"', b"[" * 10_000 + b"]" * 10_000)
    path.write_bytes(b"".join([line, deep, as_json(sealed({**log, "events": crowd})) + b"\n", line]))
    said = [json.loads(one) for one in run("--json", path).stdout.splitlines()]
    assert [one["valid"] for one in said] == [True, False, False, True]
    assert "nested" in said[1]["text"]
    assert "so many seats" in said[2]["text"]


def test_what_lies_behind_zeros_after_a_gzip_is_not_passed_over(tmp_path, three):
    path = tmp_path / "logs.gz"
    path.write_bytes(packed(three[0]) + bytes(9) + packed(three[2]))
    done = run(path)
    assert (done.returncode, done.stderr) == (2, f"{path}: cannot be read: What follows the gzip in it is none.\n")


OF_BYTES = {
    "a byte order mark": (lambda raw: b"\xef\xbb\xbf" + raw, 0),
    "a byte order mark, packed": (lambda raw: packed(b"\xef\xbb\xbf" + raw), 0),
    "two byte order marks": (lambda raw: 2 * b"\xef\xbb\xbf" + raw, 1),
    "a byte order mark within": (lambda raw: raw.replace(b"{", b"{\xef\xbb\xbf", 1), 1),
    "blank lines": (lambda raw: b"\n" + raw.replace(b"\n", b"\n\n \t\r\n") + b"\n\n", 0),
    "a line with another blank": (lambda raw: b"\xc2\xa0\n" + raw, 1),
    "zeros after a gzip": (lambda raw: packed(raw) + bytes(9), 2),
    "something after a gzip": (lambda raw: packed(raw) + b"more", 2),
    "many gzips": (lambda raw: b"".join(packed(raw[at : at + 999]) for at in range(0, len(raw), 999)), 0),
    "a gzip cut off": (lambda raw: packed(raw)[:-3], 2),
}
"""Bytes around a true log, and how the commands exit."""


@pytest.fixture(scope="module")
def verifier():
    """What the service verifies logs by."""
    made = Verifier(1 << 22)
    yield made
    made.stop()


@pytest.mark.parametrize("form", [as_json, as_ndjson])
@pytest.mark.parametrize("around", OF_BYTES)
def test_the_three_verifiers_agree_on_the_bytes_around_a_log(tmp_path, verifier, form, around):
    make, status = OF_BYTES[around]
    path, raw = tmp_path / "log", make(form(log_of("classic", 2, 33)))
    path.write_bytes(raw)
    if "many" in around:
        assert raw.count(b"\x1f\x8b\x08") > 16
    assert run(path).returncode == status
    (found,) = found_in(str(path))
    assert (found.fault is not None) == (status == 2)
    if status < 2:
        assert judged_by_billet(found).valid == (status == 0)
    try:
        verdict = json.loads(verifier.verdict(raw, packed=raw[:2] == b"\x1f\x8b", language="en"))
        assert (status, verdict["valid"]) == (0, True)
    except Unreadable:
        assert status > 0


def test_what_was_expected_and_what_was_found_are_told_of_an_event_that_is_there():
    log = log_of("classic", 2, 33)
    logs, told_of = [], []
    for kind, name, value in (
        ("card_played", "card", "zebra"),
        ("card_played", "seat", 7),
        ("card_drawn", "card", "zebra"),
        ("round_started", "scores", [5, 5]),
        ("seat_taken", "player", "zebra"),
        ("token_awarded", "kind", "zebra"),
    ):
        made = copy.deepcopy(log)
        event = next(one for one in made["events"] if one["type"] == kind)
        was, event["data"][name] = event["data"], value
        event["data"] = {**was, name: value}
        logs.append(sealed(made))
        told_of.append((event["version"], {"type": kind, "data": event["data"]}))
    said = [one["divergence"] for one in judged(logs)]
    assert [(one["version"], one["found"]) for one in said] == told_of
    expected = {one["version"]: {"type": one["type"], "data": one["data"]} for one in log["events"]}
    assert [one["expected"] for one in said] == [*(expected[version] for version, _ in told_of[:-1]), None]


def test_a_table_that_is_joined_and_left_ever_again_has_a_log_that_is_verified():
    log = joined_and_left(1500)
    assert len(log["events"]) > 3_000
    (verdict,) = judged([log])
    assert verdict["valid"], verdict["text"]


@pytest.mark.parametrize("form", [as_json, as_ndjson])
@pytest.mark.parametrize(
    ("written", "otherwise", "why"),
    [
        (b'"secret":', b'"secret":"","secret":', "An object has a member twice."),
        (b'"secret":', b'"s\\u0065cret":"a:b","secret":', "An object has a member twice."),
        (b'"hands":', b'"hands":[],"hands":', "An object has a member twice."),
        (b'"format_version":1', b'"format_version":1.0', "A number is not written as a whole number."),
        (b'"version":1', b'"version":10e-1', "A number is not written as a whole number."),
    ],
)
def test_what_could_be_read_in_two_ways_is_valid_for_neither_verifier(tmp_path, form, written, otherwise, why):
    true_one = form(log_of("classic", 2, 33))
    (tmp_path / "log").write_bytes(true_one.replace(written, otherwise, 1))
    done = run(tmp_path / "log")
    assert (done.returncode, done.stdout) == (1, f"{tmp_path}/log: not valid: form: {why}\n")
    with pytest.raises(Unreadable):
        parsed(true_one.replace(written, otherwise, 1))


def test_strings_that_look_like_members_and_fractions_make_no_log_ambiguous():
    log = log_of("classic", 2, 33)
    (verdict,) = judged([sealed({**log, "package_version": '1.0 "a":1.5, \\"b\\": 2e3 \\'})])
    assert verdict["valid"], verdict["text"]


def test_no_log_gives_commands_to_the_terminal(tmp_path):
    log = log_of("standard", 2, 1)
    events = [log["events"][0] | {"type": "\x1b[31mred\x9b"}, *log["events"][1:]]
    paths = [tmp_path / name for name in ("type", "edition", "none")]
    paths[0].write_bytes(as_json(sealed({**log, "events": events})))
    paths[1].write_bytes(as_json(sealed({**log, "edition": "\x1b]0;title\x07"})))
    paths[2].write_text("\x1b[31m{")
    for words in ([], ["--json"]):
        done = run(*words, *paths)
        said = (done.stdout + done.stderr).replace("\n", "")
        assert said.isprintable()
        assert "\\u001b[31mred\\u009b" in said
    assert [json.loads(line)["edition"] for line in done.stdout.splitlines()][1] == "\x1b]0;title\x07"


@pytest.fixture(scope="module")
def beside_the_verifier():
    """The address of the page beside the verifier."""
    with origin(FOLDER) as address:
        yield address


@pytest.fixture
def page(browser, beside_the_verifier):
    with opened(browser) as page:
        page.goto(beside_the_verifier)
        yield page


def dropped(page, name, raw):
    """Drops a file onto the page, and returns what is said of it there."""
    page.evaluate(
        "([name, raw]) => { const all = new DataTransfer(); all.items.add(new File([Uint8Array.from(raw)], name));"
        "document.dispatchEvent(new DragEvent('drop', {dataTransfer: all, bubbles: true, cancelable: true})); }",
        [name, [*raw]],
    )
    item = page.locator("#verdicts > li[class]", has_text=name)
    return item.get_attribute("class"), item.inner_text()


@pytest.mark.parametrize("packing", PACKINGS)
def test_in_a_browser_a_file_of_many_logs_is_verified(page, three, packing):
    dropped(page, "logs", PACKINGS[packing](three))
    page.locator("#sum", has_text="2 of 3 logs are valid.").wait_for()
    lines = page.locator("#verdicts").inner_text().splitlines()
    assert lines[:3] == ["logs", "2 of 3 logs are valid", "Line 3, game game33"]
    assert lines[3] == "Event 1: The secret is not the one that was committed to."
    assert lines[4].startswith("Expected")


def test_in_a_browser_a_gzip_with_what_looks_like_the_beginning_of_another_is_unpacked(page):
    stored = b'{"events": "\x1f\x8b\x08\x00"}\n' * 3
    each = gzip.compress(stored, compresslevel=0)
    assert each.count(b"\x1f\x8b\x08\x00") == 4
    script = """(async raw => {
        const { unpacked } = await import("./verify.mjs");
        const decoder = new TextDecoder("windows-1252");
        let all = "";
        try {
            for await (const one of unpacked(new Blob([Uint8Array.from(raw)]))) all += decoder.decode(one);
            return all;
        } catch { return null; }
    })"""
    assert page.evaluate(f"{script}({[*(each * 3)]})") == (stored * 3).decode("cp1252")
    for broken in (each * 2 + b"more", each + each[:-1], each + each[:30] + b"x" + each[31:]):
        assert page.evaluate(f"{script}({[*broken]})") is None
    many = gzip.compress(stored * 9, compresslevel=0)
    assert page.evaluate(f"{script}({[*many]})") is None, "a gzip that looks so often like many is no log's"


def test_in_a_browser_a_log_that_is_dropped_on_the_page_is_verified(page):
    log = log_of("lovecraft", 2, 1)
    kind, said = dropped(page, "game.ndjson.gz", packed(as_ndjson(log)))
    assert (kind, "Valid: lovecraft, 2 seats" in said) == ("good", True)
    kind, said = dropped(page, "other.json", as_json({**log, "secret": "0" * 64}))
    assert (kind, "Not valid. Event 1: The secret is not" in said) == ("bad", True)
    kind, said = dropped(page, "rules.json", as_json(sealed(by_other_rules(log, RULES_VERSION + 1))))
    assert (kind, "Unchecked. From event 1 on, steps follow" in said) == ("unchecked", True)
    kind, said = dropped(page, "half.gz", packed(as_ndjson(log))[:50])
    assert (kind, "Cannot be read" in said) == ("bad", True)
    page.evaluate('import("./verify.mjs").then(({ verify }) => { window.verify = verify; })')
    assert page.evaluate(f"verify({json.dumps(as_json(log).decode())})")["valid"] is True


def test_its_decks_are_those_of_the_rules():
    source = SCRIPT.read_text(encoding="utf-8")
    assert f"\nconst RULES = {RULES_VERSION};\n" in source
    text = re.search(r"const DECKS = (\{.*?\n\};)", source, re.DOTALL)[1]
    printed = subprocess.run(["node", "-p", f"JSON.stringify({text[:-1]})"], capture_output=True, text=True, check=True)
    decks = json.loads(printed.stdout)
    assert decks.keys() == CARDS.keys()
    for edition in EDITIONS.values():
        for seats in edition.seats:
            words = next(deck for most, deck in decks[edition.id] if seats <= most).split()
            assert dict(zip(words[::2], map(int, words[1::2]), strict=True)) == Counter(deck_of(edition.id, seats))
