"""Those who look at a game, each with what they may know, and the check of every single answer they get."""

import json
import re
import threading
from collections import Counter

from api.schemas.fields.vocabulary import CARD
from engine import views
from engine.deduction import deduce
from engine.editions import rulebook
from engine.events import fold
from engine.logs.codec import action_data, read_event
from engine.state import ACTIVE, GameState
from games.aids.hints import advice, why
from games.texts.catalogue import LANGUAGES, catalogue
from tests.second_model.model.cards import CARDS, deck_of
from tests.secrecy.oracle import WATCHER, Table, event_for
from tools.players.calls import Answer, Client
from tools.players.stored_events import event_in

EVERY_CARD = [
    *(catalogue(one).text("fault.misspelt", meant=card) for one in LANGUAGES for card in CARD.words),
    *(catalogue(one).text("fault.unlisted") for one in LANGUAGES),
]
"""What the schema says of any other word says nothing about the game."""
EVERY_GUESS = [
    re.compile(re.escape(catalogue(one).text(key, choices="CHOICES")).replace("CHOICES", "[^.]*"))
    for key in ("reason.guess_required", "reason.guess_not_allowed")
    for one in LANGUAGES
]
"""Nor does the list of what may be guessed at such a table."""
EVENT = {"version", "type", "at", "data", "text"}
TOLD_BY = 3
"""How many events after one its text may tell of."""
GUESS = re.compile(" and guess | und tippe auf ")
OPTIONS = "options"
"""House rules are named after the cards they are about, and chosen before a card is dealt."""
VIEW = {"seats", "legal_actions", "version", "viewer", "round"}
HINT = {"version", "action", "text", "reasons", "worth"}
DEDUCTION = {"version", "deals", "seats", "set_aside", "deck", "certain"}


class Watched:
    """A game whose full log is read from Redis, beside the service."""

    def __init__(self, game, redis, secrets):
        self.id = game
        self.redis = redis
        self.log = []
        self.meta = {}
        self.is_sealed = False
        """Whether it has ended and keeps its cards to itself, because others are dealt them too."""
        self.secrets = secrets
        """Texts that nobody but their owners may ever read: tokens."""
        self.read()

    def read(self):
        """Catches up with the log."""
        with self.redis.pipeline(transaction=False) as both:
            both.xrange(f"billet:{{{self.id}}}:log", f"{len(self.log) + 1}-0")
            both.hgetall(f"billet:{{{self.id}}}:meta")
            newest, meta = both.execute()
        self.log += [event_in(fields[b"e"]) for _, fields in newest]
        self.meta = {name.decode(): value.decode() for name, value in meta.items()}

    def cards_in(self, text):
        """The cards of the game's edition that a text names."""
        return cards_in(text, self.log[0]["data"]["edition"])

    def upto(self, version):
        """The log up to a version."""
        if version > len(self.log):
            self.read()
        assert version <= len(self.log), "an answer is ahead of the log"
        return self.log[:version]

    @property
    def ended(self):
        return self.meta["status"] in ("finished", "aborted") and not self.is_sealed


class Viewer:
    """One who looks: at a seat, or with or without a token from beside the table."""

    def __init__(self, base, name, seat=WATCHER, token=None, player=None):
        self.name = name
        self.seat = seat
        self.token = token
        self.player = player
        headers = {"Accept-Language": language_of(name), **({"Authorization": f"Bearer {token}"} if token else {})}
        self.client = Client(base, **headers)

    def __repr__(self):
        return self.name

    def close(self):
        self.client.close()

    def glance(self, path, last):
        """What a stream sends up to the event of a version, or its view: as an answer that is complete.

        `last` may be an expression for the version.
        """
        end = re.compile(rb"id: %s\n|event: game\n" % str(last).encode())
        with self.client.stream("GET", path) as (response, sent):
            read = []
            for line in response:
                read.append(line)
                if line == b"\n" and any(map(end.fullmatch, read)):
                    break
            return Answer("GET", path, sent, response.status, response.headers, b"".join(read))


class Follower(threading.Thread):
    """A viewer's second connection, on which a whole game is followed live and in words."""

    def __init__(self, viewer, path):
        super().__init__(daemon=True)
        self.viewer = viewer
        self.path = path
        self.answer = None
        self.begun = threading.Event()
        self.start()
        assert self.begun.wait(60)

    def run(self):
        with self.viewer.client.stream("GET", self.path) as (response, sent):
            self.begun.set()
            self.answer = Answer("GET", self.path, sent, response.status, response.headers, response.read())


def check_answer(answer, watched, viewer, seen_as=None):
    """Checks that an answer holds nothing that its viewer may not know.

    `seen_as` is the seat, or "all", as which an ended game was asked for; otherwise one sees as oneself.
    """
    place = f"{viewer} {answer.method} {answer.path} -> {answer.status_code}: {answer.text[:2000]}"
    spoken = answer.text + repr(answer.headers.items())
    for secret in watched.secrets - {viewer.token}:
        assert secret not in spoken, place
    if viewer.token is not None:
        assert viewer.token not in spoken, place
    if not watched.ended:
        assert watched.meta["secret"] not in spoken, place
    if not may_have_code(watched, viewer) and (seen_as is None or not watched.ended):
        assert watched.meta["join_code"] not in spoken, place
    assert not watched.cards_in(repr(answer.headers.items())), place
    if not answer.content:
        return
    said = said_in(answer)
    try:
        rest = unchecked(said, watched, viewer.seat if seen_as is None else seen_as)
        named = watched.cards_in(without_lists(json.dumps(rest, ensure_ascii=False)))
        unknown = named - own_cards(watched, viewer) - watched.cards_in(answer.sent.decode())
        assert not unknown, f"{unknown} is not known"
    except AssertionError as error:
        raise AssertionError(f"{error}\n{place}") from error


def said_in(answer):
    """What an answer says: parsed, unless it is nothing but text."""
    kind = answer.headers["Content-Type"].split(";")[0]
    if kind == "text/event-stream":
        return [
            json.loads(line.removeprefix("data: ")) for line in answer.text.split("\n") if line.startswith("data: ")
        ]
    return json.loads(answer.content) if kind.endswith("json") else answer.text


def may_have_code(watched, viewer):
    creator = watched.log[0]["data"]["creator"]
    seated = {event["data"]["player"] for event in watched.log if event["type"] == "seat_taken"}
    return viewer.player is not None and viewer.player in seated | {creator}


def own_cards(watched, viewer):
    """What the viewer holds: a refusal may speak of it. Only to the seat that must act it ever does."""
    if viewer.seat is WATCHER:
        return set()
    table = Table(watched.log)
    return set(table.true_hand(viewer.seat)) if table.to_act == viewer.seat else set()


def unchecked(said, watched, seen_as):
    """Checks all views and events in an answer and returns the rest, in which no card may be named."""
    if isinstance(said, list):
        return [unchecked(item, watched, seen_as) for item in said]
    if not isinstance(said, dict):
        return said
    if said.keys() >= VIEW:
        return check_view(said, watched, seen_as)
    if said.keys() == DEDUCTION:
        return check_deduction(said, watched, seen_as)
    if said.keys() == HINT:
        return check_hint(said, watched, seen_as)
    if said.keys() == EVENT:
        return check_event(said, watched, seen_as)
    if "legal_actions" in said:  # a refusal
        table = Table(watched.log)
        rest = {name: value for name, value in said.items() if name != "legal_actions"}
        check_offers(said["legal_actions"], table, seen_as)
        return rest
    return {name: unchecked(value, watched, seen_as) for name, value in said.items() if name != OPTIONS}


def check_event(said, watched, seen_as):
    stored = watched.upto(said["version"])[-1]
    expected = shown(stored, seen_as)
    bare = {name: value for name, value in said.items() if name != "text"}
    assert bare == expected | {"version": said["version"]}, f"the event should be {expected}"
    if said["text"] is not None:
        may_tell = watched.log[said["version"] - 1 : said["version"] + TOLD_BY]
        known = watched.cards_in(json.dumps([shown(event, seen_as) for event in may_tell]))
        known |= bearing(watched.log[0]["data"]["edition"], stored["data"].get("guess_value"))
        if stored["type"] == "card_played" and not stored["data"]["targets"]:
            # Why it has no effect may lie in the card before it, which all have seen played.
            before = [event for event in watched.upto(said["version"] - 1) if event["type"] == "card_played"]
            known |= {event["data"]["card"] for event in before[-1:]}
        assert watched.cards_in(said["text"]) <= known, f"the text of event {said['version']} tells too much"
    return None


def shown(stored, seen_as):
    """Returns an event as a seat, a watcher or one who sees all may read it."""
    if seen_as == "all":
        return {"type": stored["type"], "at": stored["at"], "data": stored["data"]}
    return event_for(seen_as, stored)


def check_view(said, watched, seen_as):
    """Checks every place of a view in which cards lie, and returns the other places."""
    table = Table(watched.upto(said["version"]))
    everything = seen_as == "all"
    if not everything:
        # In a view of the past one is who one was then: beside the table before one sat down.
        taken = [event["data"]["seat"] for event in watched.upto(said["version"]) if event["type"] == "seat_taken"]
        nobody = [None] if seen_as not in taken else []
        assert said["viewer"] in [{"seat": seen_as}, *nobody]
    checked = ("seats", "round", "unseen", "legal_actions", "decision", OPTIONS)
    rest = {name: value for name, value in said.items() if name not in checked}
    rest["seats"] = []
    for number, seat in enumerate(said["seats"]):
        known = table.true_hand(number) if everything else table.hand_for(seen_as, number)
        assert in_any_order(seat["hand"]) == in_any_order(known), f"seat {number}: hand should be {known}"
        assert seat["discards"] == table.discards[number]
        rest["seats"].append({name: value for name, value in seat.items() if name not in ("hand", "discards")})
    if said["round"] is not None:
        assert said["round"]["deck_size"] == len(table.deck)
        assert said["round"]["shown_aside"] == [card.key for card in table.shown_aside]
        aside = table.aside.key if everything and table.aside is not None else None
        assert said["round"]["set_aside"] == aside
        assert said["round"]["in_play"] == table.in_play
        assert all(mark in table.marks for mark in said["round"]["marks"])
        known = ("deck_size", "shown_aside", "set_aside", "in_play", "marks")
        rest["round"] = {name: value for name, value in said["round"].items() if name not in known}
    check_unseen(said, table, seen_as)
    if said["decision"] is not None:
        assert said["decision"].keys() == {"seat", "card", "kind", "text"}
        assert cards_in(said["decision"]["text"], table.edition) <= {said["decision"]["card"]}
        assert said["decision"]["seat"] == table.asked
    check_offers(said["legal_actions"], table, seen_as)
    return rest


def check_deduction(said, watched, seen_as):
    """Checks that what can be known follows from the events of the round as the viewer may see them, and nothing else.

    Who sees what of an event is what the oracle says.
    """
    stored = watched.upto(said["version"])
    first = max(place for place, event in enumerate(stored) if event["type"] == "round_started")
    seen = [read_event(event | shown(event, seen_as)) for event in stored[first:]]
    table = watched.log[0]["data"]
    book = rulebook(table["edition"], table["seats"], table["options"])
    known = deduce(book, seen, {"all": views.ALL, WATCHER: views.WATCHER}.get(seen_as, seen_as))
    for seat in said["seats"]:
        assert {one["card"]: one["probability"] for one in seat["cards"]} == rounded(known.hands[seat["seat"]])
    assert {one["card"]: one["probability"] for one in said["set_aside"]} == rounded(known.set_aside)
    assert [{one["card"] for one in run["cards"]} for run in said["deck"]] == [{*run.chances} for run in known.deck]
    facts = [(fact.seat, fact.card, fact.held, first + fact.event + 1) for fact in known.certain]
    assert [(fact["seat"], fact["card"], fact["held"], fact["version"]) for fact in said["certain"]] == facts
    assert all(watched.cards_in(fact["text"]) == {fact["card"]} for fact in said["certain"])
    return {"version": said["version"], "deals": [*said["deals"].values()]}  # their *count* is no card


def check_hint(said, watched, seat):
    """Checks that a hint follows from the events of the round as its seat saw them, and nothing else."""
    table = watched.log[0]["data"]
    stored = watched.upto(said["version"])
    first = max(place for place, event in enumerate(stored) if event["type"] == "round_started")
    seen = tuple(read_event(event | shown(event, seat)) for event in stored[first:])
    view = fold(GameState.empty(rulebook(table["edition"], table["seats"], table["options"])), seen)
    view.status = ACTIVE
    given = advice(view, [*seen], seat)
    assert [(one["action"], one["chance_to_win_round"]) for one in said["worth"]] == [
        (action_data(one.action), round(one.wins_round, 4)) for one in given.ratings
    ]
    # Only the cards that are named are compared, so any names of players will do.
    reasons = why(view, seat, given, ["somebody"] * table["seats"], catalogue("en"))
    assert [watched.cards_in(one) for one in said["reasons"]] == [watched.cards_in(one) for one in reasons]
    assert said["action"] == said["worth"][0]["action"]
    check_offers([{"action": one["action"], "text": one["text"]} for one in said["worth"]], Table(stored), seat)
    return {"version": said["version"]}


def rounded(chances):
    return {card: round(chance, 6) for card, chance in chances.items()}


def check_unseen(said, table, seen_as):
    """Checks that as many of each card are unseen as lie where the viewer does not know them, however that is known."""
    if said["status"] != "active" or said["round"] is None or not (said["aids"] or said["sandbox"]):
        assert said["unseen"] is None
        return
    hidden = Counter(card.key for card in table.lying() if seen_as != "all" and seen_as not in card.known_to)
    expected = {card: hidden[card] for card in deck_of(table.edition, len(said["seats"]))}
    assert {one["card"]: one["count"] for one in said["unseen"]} == expected, f"unseen should be {expected}"


def check_offers(offers, table, seen_as):
    """Checks that only the seat that must act is offered something, and only with cards of its own hand."""
    if seen_as in (WATCHER, "all") or table.to_act != seen_as:
        assert offers == [], "actions are offered to somebody else"
        return
    hand = table.true_hand(seen_as)
    assert table.status != "active" or offers or len(hand) < 2, "the one to act is offered nothing"
    for offer in offers:
        check_offer(offer, table, hand)


def check_offer(offer, table, hand):
    """Checks one offered action and its text."""
    action = offer["action"]
    match action["type"]:
        case "keep_card":
            assert sorted([action["keep"], *action["bottom"]]) == sorted(hand)
        case "give_hands":
            collected = [key for target in action["hands"] for key in table.true_hand(target["seat"])]
            assert sorted(target["card"] for target in action["hands"]) == sorted(collected)
            assert cards_in(offer["text"], table.edition) <= set(collected)
        case "play_card":
            assert action["card"] in hand
            assert cards_in(GUESS.split(offer["text"])[0], table.edition) == {action["card"]}
        case _:
            assert cards_in(offer["text"], table.edition) == set()


def in_any_order(hand):
    return sorted(hand, key=lambda card: (card is None, card or ""))


def cards_in(text, edition="standard"):
    """The cards of an edition that a text names, by id or in any language."""
    return {NAMES[edition][word] for word in WORDS[edition].findall(text.lower())}


def without(text, sentences):
    for sentence in sentences:
        text = text.replace(sentence, "")
    return text


def without_lists(text):
    """A text without the lists of cards that are the same in every game of an edition."""
    text = without(text, EVERY_CARD)
    for pattern in EVERY_GUESS:
        text = pattern.sub("", text)
    return text


def names_of(card):
    """The names by which a card is known: its id, and each form of its name without the article."""
    forms = [catalogue(one).text(f"card.{card}.{form}").lower() for one in LANGUAGES for form in ("name", "object")]
    return {card, *(ARTICLE.sub("", form) for form in forms)}


def pattern(names):
    """What finds names in a text: the longest first, for one may be a part of another."""
    return re.compile(r"\b(" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")\b")


def bearing(edition, number):
    """The cards of an edition with a number, which a guess of that number may speak of."""
    return {card for card, row in CARDS[edition].items() if row.number == number}


ARTICLE = re.compile("^(the|den|die|das) ")
NAMES = {edition: {name: card for card in cards for name in names_of(card)} for edition, cards in CARDS.items()}
WORDS = {edition: pattern(names) for edition, names in NAMES.items()}


def language_of(name):
    """Returns the language that a viewer reads: one of two neighbours at a table another than the other."""
    return LANGUAGES[sum(name.encode()) % len(LANGUAGES)]
