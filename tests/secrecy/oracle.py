"""What each viewer may know of a game, worked out from the log in Redis without any code of the project.

It is written from the rules alone: which field of which event who may see, and for every single card of a round who
knows it by now. A card that somebody has seen stays known to them wherever it goes, until cards of one hand part face
down: then nobody else knows which is which.
"""

WATCHER = None

PUBLIC_EVENTS = {
    *("seat_taken", "seat_vacated", "seat_cleared", "seat_offered", "seat_declined", "offer_withdrawn"),
    *("reveal_started", "nonce_revealed", "game_started", "turn_started", "card_played", "card_resolved"),
    *("card_revealed", "card_received", "seat_protected", "seat_bound", "seat_marked", "hand_discarded", "knocked_out"),
    *("decision_opened", "decision_taken", "hands_revealed", "round_ended", "token_awarded", "time_spent"),
    *(
        "seat_timed_out",
        "seat_taken_back",
        "break_taken",
        "break_ended",
        "seat_left",
        "game_finished",
        "game_aborted",
        "secret_revealed",
    ),
}
NOBODY = ()
OWN, OWN_AND_GIVER = "own", "own and giver"
"""Each seat sees its own item; the seat of the event sees them all."""
BOTH = ("seat", "target")
SECRETS = {
    "game_created": {"sandbox_rounds": NOBODY, "sandbox_positions": NOBODY},
    "round_started": {"hands": OWN, "deck": NOBODY, "set_aside": NOBODY},
    "card_drawn": {"card": ("seat",)},
    "hand_shown": {"cards": ("seat", "to")},
    "hand_taken": {"cards": BOTH},
    "hands_given": {"hands": OWN_AND_GIVER},
    "hands_compared": {"cards": BOTH, "target_cards": BOTH},
    "hands_traded": {"cards": BOTH, "target_cards": BOTH},
    "cards_returned": {"cards": ("seat",)},
}
"""By event, the fields that not everybody sees, with the fields that say which seats do."""


def event_for(viewer, event):
    """The event as a viewer may see it. A type that is not known here is an error: nothing is public by default."""
    assert event["type"] in PUBLIC_EVENTS | SECRETS.keys(), f"nobody has said who may see a {event['type']}"
    data = event["data"]
    secrets = SECRETS.get(event["type"], {})
    hidden = {name: hide(data, name, seats, viewer) for name, seats in secrets.items() if name in data}
    return {"type": event["type"], "at": event["at"], "data": data | hidden}


def hide(data, name, seats, viewer):
    """What a viewer sees of a field: a list keeps its length."""
    value = data[name]
    if seats == OWN_AND_GIVER and viewer == data["seat"]:
        return value
    if seats in (OWN, OWN_AND_GIVER):
        return type(value)(card if seat == viewer else None for seat, card in enumerate(value))
    if viewer is not WATCHER and viewer in [data[seat] for seat in seats]:
        return value
    return type(value)([None] * len(value)) if isinstance(value, list | tuple) else None


class Card:
    """One single card of a round: what it is, and who knows it."""

    def __init__(self, key):
        self.key = key
        self.known_to = set()

    def show(self, *viewers):
        self.known_to.update(viewers)


class Table:
    """All cards of a table after some events of the full log."""

    def __init__(self, events=()):
        self.viewers = [WATCHER]
        self.hands, self.deck, self.aside, self.discards, self.shown_aside = [], [], None, [], []
        self.in_play, self.marks = [], []
        self.edition, self.bound = None, None
        self.version = 0
        self.status, self.turn, self.asked = "open", None, None
        for event in events:
            self.after(event)

    def after(self, event):
        """Takes note of the next event."""
        self.version += 1
        note = getattr(self, "_" + event["type"], None)
        if note is not None:
            note(**event["data"])

    # --- what may be seen ---

    def hand_for(self, viewer, seat):
        """What a viewer may know of a hand: card keys, and None for each card that is not known."""
        return [card.key if viewer in card.known_to else None for card in self.hands[seat]]

    def lying(self):
        """All cards that lie somewhere face down: in hands, in the deck and set aside."""
        return [*(card for hand in self.hands for card in hand), *self.deck, *([self.aside] if self.aside else [])]

    def true_hand(self, seat):
        return [card.key for card in self.hands[seat]]

    @property
    def to_act(self):
        if self.status != "active":
            return None
        return self.asked if self.asked is not None else self.turn

    # --- what happens ---

    def _game_created(self, seats, edition, **_):
        self.edition = edition
        self.viewers += range(seats)
        self.hands = [[] for _ in range(seats)]
        self.discards = [[] for _ in range(seats)]

    def _game_started(self, **_):
        self.status = "active"

    def _game_finished(self, **_):
        self.status, self.asked = "finished", None

    def _game_aborted(self, **_):
        self.status, self.asked = "aborted", None

    def _round_started(self, hands, deck, set_aside, shown_aside, starter, position=None, **_):
        order = [set_aside, *shown_aside, *(card for card in hands if card is not None), *deck]
        pile = iter([Card(key) for key in order])
        self.aside = next(pile)
        self.shown_aside = [next(pile) for _ in shown_aside]
        for card in self.shown_aside:
            card.show(*self.viewers)
        self.hands = [[next(pile)] if card is not None else [] for card in hands]
        for seat, hand in enumerate(self.hands):
            for card in hand:
                card.show(seat)
        self.deck = list(pile)
        self.discards = [list(pile) for pile in position["discards"]] if position else [[] for _ in hands]
        self.in_play, self.marks = [], position["marks"][:] if position else []
        self.turn, self.asked = starter, None

    def _turn_started(self, seat, **_):
        self.turn = seat

    def _decision_opened(self, seat, **_):
        self.asked = seat

    def _decision_taken(self, **_):
        self.asked = None

    def _card_drawn(self, seat, card, source):
        if source == "deck":
            drawn = self.deck.pop(0)
        else:
            drawn, self.aside = self.aside, None
        assert drawn.key == card
        drawn.show(seat)
        self.hands[seat].append(drawn)

    def _card_played(self, seat, card, **_):
        same = [held for held in self.hands[seat] if held.key == card]
        played = same[0]
        # Of two equal cards nobody else can tell which one was played.
        for held in same:
            held.known_to &= set.intersection(*(other.known_to for other in same))
        self.hands[seat].remove(played)
        played.show(*self.viewers)
        (self.in_play if self.edition == "lovecraft" else self.discards[seat]).append(card)

    def _card_resolved(self, seat, card):
        assert self.in_play.pop() == card
        self.discards[seat].append(card)

    def _card_revealed(self, seat, card):
        revealed = self.deck.pop(0)
        assert revealed.key == card
        revealed.show(*self.viewers)
        self.discards[seat].append(card)

    def _card_received(self, seat, card):
        received = Card(card)  # it comes from beside the deck
        received.show(*self.viewers)
        self.hands[seat].append(received)

    def _seat_marked(self, **mark):
        self.marks.append(mark)

    def _hand_shown(self, seat, to, cards):
        self._looked_at(seat, cards, to)

    def _hands_compared(self, seat, target, cards, target_cards):
        self._looked_at(seat, cards, target)
        self._looked_at(target, target_cards, seat)

    def _hands_traded(self, seat, target, cards, target_cards):
        self.hands[seat], self.hands[target] = self.hands[target], self.hands[seat]
        self._looked_at(seat, cards, seat, target)
        self._looked_at(target, target_cards, seat, target)

    def _hand_taken(self, seat, target, cards):
        self._looked_at(target, cards, seat, target)
        self.hands[seat] += self.hands[target]
        self.hands[target] = []

    def _hands_given(self, seat, targets, hands):
        """Nobody but the giver sees what others are given; where only one kind of card can be left, all can tell."""
        collected = [self.hands[target].pop() for target in targets]
        known = {
            viewer: [card.key if viewer in card.known_to else None for card in collected] for viewer in self.viewers
        }
        for target in targets:
            given = next(card for card in collected if card.key == hands[target])
            collected.remove(given)
            given.known_to = {seat}
            given.show(target)
            self.hands[target] = [given]
        for viewer, keys in known.items():
            if viewer in targets:
                own = hands[viewer]
                keys.remove(own if own in keys else None)
            if len(set(keys)) == 1 and keys[0] is not None:
                for target in targets:
                    self.hands[target][0].show(viewer)

    def _cards_returned(self, seat, cards):
        for held in self.hands[seat]:
            held.known_to &= {seat}
        for key in cards:
            returned = next(held for held in self.hands[seat] if held.key == key)
            self.hands[seat].remove(returned)
            self.deck.append(returned)

    def _hands_revealed(self, hands):
        for seat, card in enumerate(hands):
            if card is not None:
                self._looked_at(seat, [card], *self.viewers)

    def _lay_down(self, seat, cards, **_):
        assert sorted(self.true_hand(seat)) == sorted(cards)
        for card in self.hands[seat]:
            card.show(*self.viewers)
        self.hands[seat] = []
        self.discards[seat] += cards

    _hand_discarded = _knocked_out = _seat_left = _lay_down

    def _looked_at(self, seat, cards, *viewers):
        assert sorted(self.true_hand(seat)) == sorted(cards)
        for card in self.hands[seat]:
            card.show(*viewers)
