"""What a viewer may know, worked out from the full log without the engine's own redaction.

Every card lies somewhere with a note of whether the viewer knows it. The rules of knowing are those of a real table:
one knows what one holds, what one is shown and what lies face up; and when somebody puts cards of a hand away face
down, nobody else knows any more which is which.
"""

from engine.events import Event
from engine.state import GameState

Slot = list
"""`[card, whether the viewer knows it]`."""


class Knowledge:
    """The cards of a table as one viewer may know them."""

    def __init__(self, viewer: int, seats: int) -> None:
        self.viewer = viewer
        self.hands: list[list[Slot]] = [[] for _ in range(seats)]
        self.deck: list[Slot] = []
        self.aside: list[Slot] = []

    def after(self, event: Event) -> None:
        """Takes note of a full event."""
        note = getattr(self, "_" + event.type, None)
        if note is not None:
            note(event)

    def matches(self, view: GameState) -> bool:
        """Whether a view shows what the viewer may know, no more and no less."""
        return (
            [seat.hand for seat in view.seats] == [[self._seen(slot) for slot in hand] for hand in self.hands]
            and view.deck == [self._seen(slot) for slot in self.deck]
            and view.set_aside == [self._seen(slot) for slot in self.aside]
        )

    def _seen(self, slot):
        return slot[0] if slot[1] else None

    def _face_down(self, cards, *knowing):
        return [[card, self.viewer in knowing] for card in cards]

    def _round_started(self, event):
        self.deck = self._face_down(event.deck)
        self.aside = self._face_down([event.set_aside])
        self.hands = [[] if card is None else self._face_down([card], seat) for seat, card in enumerate(event.hands)]

    def _card_drawn(self, event):
        slot = (self.deck if event.source == "deck" else self.aside).pop(0)
        assert slot[0] == event.card
        slot[1] = slot[1] or event.seat == self.viewer
        self.hands[event.seat].append(slot)

    def _card_revealed(self, event):
        assert self.deck.pop(0)[0] == event.card

    def _card_played(self, event):
        hand = self.hands[event.seat]
        same = [slot for slot in hand if slot[0] == event.card]
        # Of two equal cards one cannot tell which was played: what is left may be the one that was never seen.
        played = max(same, key=lambda slot: slot[1])
        hand[:] = [slot for slot in hand if slot is not played]

    def _show(self, seat, *knowing):
        for slot in self.hands[seat]:
            slot[1] = slot[1] or self.viewer in knowing

    def _hand_shown(self, event):
        self._show(event.seat, event.to)

    def _hands_compared(self, event):
        for seat in (event.seat, event.target):
            self._show(seat, event.seat, event.target)

    def _hands_traded(self, event):
        one, other = event.seat, event.target
        self.hands[one], self.hands[other] = self.hands[other], self.hands[one]
        self._hands_compared(event)

    def _hand_taken(self, event):
        self._show(event.target, event.seat, event.target)
        self.hands[event.seat] += self.hands[event.target]
        self.hands[event.target] = []

    def _card_received(self, event):
        self.hands[event.seat].append([event.card, True])

    def _hands_given(self, event):
        collected = [self.hands[target].pop() for target in event.targets]
        unseen = []
        for target in event.targets:
            slot = take(collected, event.hands[target])
            self.hands[target] = [slot]
            if self.viewer in (target, event.seat):
                slot[1] = True
            else:
                unseen.append(slot)
        # What others were given is known only where it can be but one card.
        certain = all(slot[1] for slot in unseen) and len({slot[0] for slot in unseen}) == 1
        for slot in unseen:
            slot[1] = certain

    def _cards_returned(self, event):
        hand = self.hands[event.seat]
        own = event.seat == self.viewer
        for slot in hand:
            slot[1] = own
        self.deck += [take(hand, card) for card in event.cards]

    def _hands_revealed(self, event):
        for seat in range(len(self.hands)):
            for slot in self.hands[seat]:
                slot[1] = True

    def _laid_down(self, event):
        assert sorted(event.cards) == sorted(slot[0] for slot in self.hands[event.seat])
        self.hands[event.seat] = []

    _hand_discarded = _knocked_out = _seat_left = _laid_down


def take(slots: list[Slot], card: str) -> Slot:
    """Removes and returns the first slot with a card."""
    return slots.pop([slot[0] for slot in slots].index(card))
