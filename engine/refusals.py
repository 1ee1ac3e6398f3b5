"""Explains why an action is refused, as a stable code; `options` lists the legal ones."""

from engine.actions import CARD, MEMBERS, SEAT, Action, PlayCard
from engine.cards import Card, Face
from engine.errors import (
    CARD_NOT_IN_HAND,
    CARDS_DO_NOT_MATCH,
    FACE_NOT_ALLOWED,
    FACE_REQUIRED,
    GAME_NOT_STARTED,
    GAME_OVER,
    GUESS_NOT_ALLOWED,
    GUESS_REQUIRED,
    MUST_PLAY,
    NOT_YOUR_TURN,
    SEAT_NOT_OFFERED,
    TARGET_BOUND,
    TARGET_COUNT,
    TARGET_NOT_ALLOWED,
    TARGET_ORDER,
    TARGET_OUT,
    TARGET_PROTECTED,
    TARGET_REPEATED,
    TARGET_REQUIRED,
    TARGET_SELF,
    TARGET_UNKNOWN,
    WRONG_ACTION,
)
from engine.options import face_of, faces, forced_cards, legal_actions, plays_of, target_choices
from engine.state import ACTIVE, OPEN, GameState


def refusal(state: GameState, seat: int, action: Action) -> str | None:
    """Returns the reason why the rules refuse a seat's action, or None if they allow it.

    The state may be the seat's view.
    """
    if state.status != ACTIVE:
        return GAME_NOT_STARTED if state.status == OPEN else GAME_OVER
    if state.to_act != seat:
        return NOT_YOUR_TURN
    expected = state.decision.kind if state.decision is not None else PlayCard.type
    if action.type != expected:
        return WRONG_ACTION
    if isinstance(action, PlayCard):
        return _play_refusal(state, seat, action)
    if action in legal_actions(state):
        return None
    kinds = {member.kind: member.field for member in MEMBERS[action.type]}
    if CARD in kinds and getattr(action, kinds[CARD]) not in state.seats[seat].hand:
        return CARD_NOT_IN_HAND
    return SEAT_NOT_OFFERED if SEAT in kinds else CARDS_DO_NOT_MATCH


def _play_refusal(state: GameState, seat: int, play: PlayCard) -> str | None:
    """Returns the reason why the rules refuse a play, the first that a player would look at."""
    if play.card not in state.seats[seat].hand:
        return CARD_NOT_IN_HAND
    insane = state.is_insane(seat)
    hand = [card for card in state.seats[seat].hand if card is not None]
    forced = forced_cards(state.book, hand, insane)
    if forced and play.card not in forced:
        return MUST_PLAY + forced[0]
    if play in plays_of(state.book, play.card, insane, seat, state.choosable(), state.bound):
        return None
    card = state.book.cards[play.card]
    if play.face not in faces(card, insane):
        return FACE_REQUIRED if play.face is None else FACE_NOT_ALLOWED
    way = face_of(card, play.face)
    return _target_refusal(state, seat, play, way) or _guess_refusal(play, way)


def _target_refusal(state: GameState, seat: int, play: PlayCard, way: Card | Face) -> str | None:
    targets = play.targets
    if targets and way.targets.most == 0:
        return TARGET_NOT_ALLOWED
    choices = target_choices(way.targets, seat, state.choosable(), state.bound)
    if targets in choices:
        return None
    if not targets:
        return TARGET_REQUIRED
    if state.bound == seat and not way.targets.own:
        return TARGET_NOT_ALLOWED  # it would have to choose its own player, hence chooses nobody
    for target in targets:
        reason = _seat_refusal(state, seat, target, way.targets.own)
        if reason is not None:
            return reason
    if len(set(targets)) != len(targets):
        return TARGET_REPEATED
    if not way.targets.least <= len(targets) <= way.targets.most:
        return TARGET_COUNT
    if state.bound is not None and state.bound not in targets:
        return TARGET_BOUND
    return TARGET_ORDER


def _seat_refusal(state: GameState, seat: int, target: int, own: bool) -> str | None:
    if not 0 <= target < len(state.seats):
        return TARGET_UNKNOWN
    if target == seat and not own:
        return TARGET_SELF
    if not state.is_in_round(target):
        return TARGET_OUT
    return TARGET_PROTECTED if state.is_protected(target) else None


def _guess_refusal(play: PlayCard, way: Card | Face) -> str:
    if play.guess is None and way.guess is not None and play.targets:
        return GUESS_REQUIRED
    return GUESS_NOT_ALLOWED
