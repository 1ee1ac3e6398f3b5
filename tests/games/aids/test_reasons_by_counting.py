"""Whatever a reason says is what brute force counts over all deals that its seat cannot tell apart."""

import random
from collections import Counter
from functools import cached_property

import pytest

from engine import rules
from engine.actions import PlayCard
from engine.deduction import deduce
from engine.deduction.told import AFTERWARDS
from engine.editions import rulebook
from engine.events import GameFinished, KnockedOut, RoundEnded, RoundStarted, SeatLeft, TurnStarted, fold
from engine.rules import legal_actions
from engine.state import ACTIVE, GameState
from engine.views import redact_log
from games.aids.reasons import Choice, reasons
from tests.engine.deduction.brute_force import CHANCE, count, random_course
from tests.engine.random_games import TABLES, of_all_kinds
from tests.games.aids.choices import NAMES, Keys

ACTIONS = 5
"""Of so many legal actions in a position the reasons are looked at."""
WORDS = Keys()


def card_of(text):
    return text.split(".")[1]


def cards_of(texts):
    return {card_of(text) for text in (texts if isinstance(texts, list) else [texts])}


class Truth:
    """What an action leads to in each deal that the seat to act cannot tell apart."""

    def __init__(self, state, ways, action):
        self.state, self.ways, self.action = state, ways, action
        self.seat, self.book = state.to_act, state.book
        others = [seat for seat in getattr(action, "targets", ()) if seat != self.seat]
        self.rival = others[0] if len(others) == 1 else getattr(action, "seat", None)
        self.kept = getattr(action, "keep", None)

    def deals(self):
        for (hands, deck, aside), weight in self.ways.items():
            state = self.state.copy()
            for seat, hand in zip(state.seats, hands, strict=True):
                seat.hand = [*hand]
            state.deck, state.set_aside = [*deck], [*aside]
            yield state, weight

    @cached_property
    def ends(self):
        """By deal: its weight, what the action's effect brings about, and the state after it."""
        found = []
        for state, weight in self.deals():
            happened = rules.decide(state, self.seat, self.action, CHANCE)
            ends = [place for place, event in enumerate(happened) if isinstance(event, AFTERWARDS)]
            effect = happened[: ends[0]] if ends else happened
            found.append((weight, effect, fold(state, effect)))
        return found

    def is_percent(self, said, does_hold):
        """Returns whether a percentage is the share of the deals in which something holds."""
        total = sum(self.ways.values())
        held = sum(weight for place, weight in self.ways.items() if does_hold(*place))
        return said == 100 * held / total or (0 < held < total and abs(said - 100 * held / total) < 1 - 1e-9)

    def is_share_of_outs(self, said, seat):
        outs = sum(
            weight
            for weight, effect, _ in self.ends
            if any(isinstance(event, KnockedOut) and event.seat == seat for event in effect)
        )
        total = sum(self.ways.values())
        return said == 100 * outs / total or (0 < outs < total and abs(said - 100 * outs / total) < 1 - 1e-9)

    def held_by(self, *seats):
        return {card for hands, _, _ in self.ways for seat in seats for card in hands[seat]}

    def hidden(self, cards):
        """Returns how many copies of some cards lie where it differs from deal to deal."""
        places = [[*[card for hand in hands for card in hand], *deck, *aside] for hands, deck, aside in self.ways]
        located = Counter(place[0] for place in zip(*places, strict=True) if len({*place}) == 1)
        for pile in [*[seat.discards for seat in self.state.seats], self.state.shown_aside, self.state.in_play]:
            located.update(pile)
        given = {card for place in places for card in place if not self.book.copies[card]}
        return sum(max(0, self.book.copies[card] + (card in given) - located[card]) for card in cards)

    def keeps(self, card):
        return all(after.seats[self.seat].hand == [card] for _, _, after in self.ends)

    def number(self, text):
        return text if isinstance(text, int) else self.book.values[card_of(text)]

    def goes_on(self, until):
        """Yields what happens after the action in some deals, at random, up to some event."""
        rng = random.Random(len(self.ways))
        for state, _ in [*self.deals()][:5]:
            events, action = [], self.action
            while state.status == ACTIVE and not any(isinstance(event, until) for event in events):
                events = rules.decide(state, state.to_act, action, CHANCE)
                yield from events
                fold(state, events)
                action = rng.choice(legal_actions(state)) if state.status == ACTIVE else None


def is_hit(at, card, percent, likeliest=False, **_):
    hits = cards_of(card)
    plays = [play for play in legal_actions(at.state) if isinstance(play, PlayCard) and play.guess is not None]

    def chance(play):
        named = {card for card, value in at.book.values.items() if play.guess in (card, value)}
        return sum(weight for (hands, _, _), weight in at.ways.items() if {*hands[play.targets[0]]} & named)

    if likeliest:
        alike = [play for play in plays if (play.card, play.face) == (at.action.card, at.action.face)]
        assert chance(at.action) == max(map(chance, alike))
    return at.is_percent(percent, lambda hands, *_: {*hands[at.rival]} & hits)


def is_out(at, percent, other=0, **_):
    return at.is_share_of_outs(percent, at.rival) and at.is_share_of_outs(other, at.seat)


def higher_in_hand(at, card, percent, **_):
    value = at.number(card)
    return at.is_percent(percent, lambda hands, *_: at.book.values[hands[at.rival][0]] > value)


def higher_on_deck(at, card, percent):
    value = at.number(card)
    return at.is_percent(percent, lambda _, deck, aside: at.book.values[[*deck, *aside][0]] > value)


def is_danger(at, card):
    plays = [play for play in legal_actions(at.state) if getattr(play, "card", None) == card_of(card)]
    ends = [
        rules.decide(state, at.seat, play, CHANCE)
        for play in plays
        if isinstance(play, PlayCard)
        for state, _ in at.deals()
    ]
    return all(any(isinstance(event, KnockedOut) and event.seat == at.seat for event in end) for end in ends)


def is_strong(at, card, hidden, higher):
    above = [one for one, value in at.book.values.items() if value > at.number(card)]
    return at.keeps(card_of(card)) and hidden == at.hidden(at.book.values) and higher == at.hidden(above)


def no_turn_without_a_knock_out(at, **_):
    for event in at.goes_on((KnockedOut, SeatLeft, RoundEnded, RoundStarted, GameFinished)):
        if isinstance(event, (KnockedOut, SeatLeft, RoundEnded, GameFinished)):
            return True
        if isinstance(event, TurnStarted) and event.seat == at.seat:
            return False
    return True


def shields(at, card, kept, hidden, **_):
    guesses = at.book.cards[card_of(card)].guess(at.book)
    return (
        at.keeps(card_of(kept))
        and hidden == at.hidden(cards_of(card))
        and {card_of(kept), at.number(kept)} & {*guesses}
    )


def no_turn(at):
    return not any(isinstance(event, TurnStarted) for event in _this_round(at))


def _this_round(at):
    for event in at.goes_on((RoundEnded, RoundStarted, GameFinished)):
        if isinstance(event, (RoundEnded, GameFinished)):
            return
        yield event


def only_these(at, cards, **_):
    return at.held_by(at.rival) == cards_of(cards)


def is_hidden(at, card, hidden, total, **_):
    cards = cards_of(card)
    return hidden == at.hidden(cards) and total == sum(at.book.copies[one] for one in cards)


def all_are_lower(at, card):
    rivals = [seat for seat in at.state.alive() if seat != at.seat]
    return at.keeps(card_of(card)) and all(at.book.values[one] <= at.number(card) for one in at.held_by(*rivals))


def may_choose(at):
    return {seat for play in legal_actions(at.state) for seat in getattr(play, "targets", ())} <= {at.rival, at.seat}


def looked_at(at, count):
    targets = at.action.targets if isinstance(at.action, PlayCard) else [at.action.seat]
    return len(at.held_by(*[seat for seat in targets if seat != at.seat])) == count


def wins_at_once(at, kind):
    ends = [rules.decide(state, at.seat, at.action, CHANCE) for state, _ in at.deals()]
    return all(any(isinstance(event, kind) and event.winners == (at.seat,) for event in end) for end in ends)


def is_near(at):
    for insane in (0, 1) if at.book.insanity else (0,):
        state = at.state.copy()
        state.seats[at.rival].tokens += 1
        state.seats[at.rival].insane_tokens += insane
        if at.rival in at.book.edition.game_winners(state):
            return True
    return False


CHECKS = {
    "forced": lambda at, card, other: {play.card for play in legal_actions(at.state)} == {card_of(card)},
    "wins_round": lambda at: wins_at_once(at, RoundEnded),
    "wins_game": lambda at: wins_at_once(at, GameFinished),
    "danger": is_danger,
    "shown": lambda at, card: at.held_by(at.rival) == cards_of(card),
    "sure": lambda at, card: at.held_by(at.rival) <= cards_of(card),
    "may_hold": is_hit,
    "may_hold.likeliest": lambda at, **said: is_hit(at, likeliest=True, **said),
    "out": is_out,
    "out.not_you": is_out,
    "out.or_you": is_out,
    "out.you": lambda at, percent: at.is_share_of_outs(percent, at.seat),
    "out.sure": lambda at: is_out(at, 100),
    "trade": higher_in_hand,
    "draw": higher_on_deck,
    "last_turn": no_turn,
    "last_own_turn": no_turn_without_a_knock_out,
    "one_of": only_these,
    "at_most": lambda at, card: max(map(at.book.values.get, at.held_by(at.rival))) == at.number(card),
    "at_least": lambda at, card: min(map(at.book.values.get, at.held_by(at.rival))) == at.number(card),
    "not_held": lambda at, cards: not at.held_by(at.rival) & cards_of(cards),
    "look": looked_at,
    "hidden": is_hidden,
    "hidden.all": is_hidden,
    "hidden.only": is_hidden,
    "shield": shields,
    "protected": lambda at: all(after.is_protected(at.seat) for _, _, after in at.ends),
    "choose": lambda at, count: all(len(after.seats[at.seat].hand) == count for _, _, after in at.ends),
    "pays": lambda at, card: (
        not any(card_of(card) in at.state.seats[seat].discards for seat in at.state.alive() if seat != at.seat)
    ),
    "only_target": may_choose,
    "near_win": is_near,
    "highest": all_are_lower,
    "keeps": is_strong,
    "under": lambda at, card, count: all(after.deck[count] == card_of(card) for _, _, after in at.ends),
}
"""By reason: whether it is true."""


def looked_into(edition, seats, seed, hidden):
    """Checks the reasons for some actions in a random position; returns which reasons were given."""
    opening, steps = random_course(edition, seats, seed, hidden)
    book = rulebook(edition, seats, of_all_kinds(edition, seed)["options"])
    while any(isinstance(event, RoundEnded | GameFinished) for _, happened in steps for event in happened):
        steps.pop()
    events = [*opening, *[event for _, happened in steps for event in happened]]
    state = fold(GameState.empty(book), events)
    state.status = ACTIVE
    seat = state.to_act
    seen = redact_log(events, seat)
    view = fold(GameState.empty(book), seen)
    view.status = ACTIVE
    known, ways, given = deduce(book, seen, seat), count(book, opening, steps, seat), set()
    legal = legal_actions(view)
    for action in random.Random(seed).sample(legal, min(ACTIONS, len(legal))):
        truth, names = Truth(state, ways, action), set()
        for key, values in reasons(Choice(view, seat, action, known, NAMES[:seats], WORDS)):
            name = key.removeprefix("hint.")
            said = {place: value for place, value in values.items() if place != "player"}
            assert CHECKS[name](truth, **said), (seed, action, key, values)
            assert name not in names, "each is said once"
            names.add(name)
        given |= names
    return given


@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_reasons_are_true_in_every_deal(edition, seats):
    assert len(set().union(*[looked_into(edition, seats, seed, hidden=6) for seed in range(6)])) > 2


@pytest.mark.soak
@pytest.mark.parametrize(("edition", "seats"), TABLES)
def test_reasons_are_true_in_every_deal_of_many_positions(edition, seats):
    for seed in range(60):
        looked_into(edition, seats, seed, hidden=7)
