"""The words that players read: names and texts of cards, sentences for actions and refusals; no decisions."""

from collections.abc import Mapping, Sequence

from engine.actions import Action, GiveHands, KeepCard, PeekHand, PlayCard, RedrawHand
from engine.errors import MUST_PLAY
from engine.options import face_of
from engine.rulebook import Rulebook

CARD_NAMES: Mapping[str, str] = {
    "spy": "Spy",
    "guard": "Guard",
    "priest": "Priest",
    "baron": "Baron",
    "handmaid": "Handmaid",
    "prince": "Prince",
    "chancellor": "Chancellor",
    "king": "King",
    "countess": "Countess",
    "princess": "Princess",
}

CARD_TEXTS: Mapping[str, str] = {
    "spy": "No effect at once. If you alone of those still in the round have played or discarded a Spy, "
    "you gain a token when the round ends.",
    "guard": "Choose another player and name a character other than the Guard. If they hold it, they are out.",
    "priest": "Look at another player's hand. Nobody else sees it.",
    "baron": "Compare hands with another player in secret. Whoever holds the lower number is out; a tie does nothing.",
    "handmaid": "Nobody can choose you until your next turn begins.",
    "prince": "Choose any player, yourself included. They discard their hand without its effect and draw a new one.",
    "chancellor": "Draw two cards. Keep one of your three and put the others under the deck in any order.",
    "king": "Trade hands with another player.",
    "countess": "No effect. You must play her if the other card in your hand is the King or a Prince.",
    "princess": "If you play or discard her, whatever the reason, you are out.",
}

_REASONS: Mapping[str, str] = {
    "wrong_action": "Something else has to be decided first; take one of `legal_actions`.",
    "card_not_in_hand": "You do not hold that card.",
    "target_required": "The card must choose a seat while one can be chosen.",
    "target_not_allowed": "The card cannot choose that; leave `targets` empty if nobody can be chosen.",
    "target_count": "The card chooses another number of seats.",
    "target_unknown": "The table has no such seat.",
    "target_repeated": "A seat can be chosen only once.",
    "target_order": "Name the seats in ascending order.",
    "target_self": "The card must choose another seat than your own.",
    "target_out": "That seat is out of the round.",
    "target_protected": "That seat is protected until its next turn.",
    "target_bound": "The card must choose the seat that is marked.",
    "guess_required": "The card must name a character (`guess`) or a number (`guess_value`).",
    "guess_not_allowed": "That cannot be named with this card; see the guesses in `legal_actions`.",
    "face_required": "Say which of its two effects the card is played for.",
    "face_not_allowed": "The card cannot be played that way now.",
    "cards_do_not_match": "Those are not the cards to choose among.",
    "seat_not_offered": "That hand is not on offer.",
    "seat_left": "The seat has left the game for good.",
    "not_your_turn": "It is not your turn to act. Wait for it with GET /v1/games/{id}/events?after=VERSION&wait=30.",
    "game_not_started": "The game has not started yet: a seat is still open.",
    "game_over": "The game has ended. POST /v1/games/{id}/rematch opens the same table again.",
}


def card_name(card: str) -> str:
    """Returns the name of a card."""
    return CARD_NAMES.get(card, card)


def reason_text(reason: str) -> str:
    """Returns the sentence for a reason code."""
    if reason.startswith(MUST_PLAY):
        return f"The {card_name(reason[len(MUST_PLAY) :])} in your hand must be played."
    return _REASONS[reason]


def action_text(action: Action, names: Sequence[str], book: Rulebook) -> str:
    """Returns an action in words; `names` are the players' by seat."""
    if isinstance(action, PlayCard):
        return _play_text(action, names, book)
    if isinstance(action, KeepCard):
        under = ", then ".join(f"the {card_name(card)}" for card in action.bottom)
        return f"Keep the {card_name(action.keep)} and put {under} under the deck"
    if isinstance(action, RedrawHand):
        return "Discard your hand and draw another" if action.redraw else "Keep your hand"
    if isinstance(action, PeekHand):
        return "Look at no hand" if action.seat is None else f"Look at the hand of {_who(action.seat, names)}"
    assert isinstance(action, GiveHands)
    return "Give " + ", ".join(f"{_who(seat, names)} the {card_name(card)}" for seat, card in action.hands)


def _play_text(play: PlayCard, names: Sequence[str], book: Rulebook) -> str:
    text = f"Play the {card_name(play.card)}"
    if play.face is not None:
        text += f" ({play.face})"
    if play.targets:
        text += " on " + " and ".join(_who(seat, names) for seat in play.targets)
    elif face_of(book.cards[play.card], play.face).targets.most:
        text += " without effect, as nobody can be chosen"
    if play.guess is not None:
        text += f" and name the {card_name(play.guess)}" if isinstance(play.guess, str) else f" and name {play.guess}"
    return text


def _who(seat: int, names: Sequence[str]) -> str:
    return f"{names[seat]} (seat {seat})"
