"""Explains in words why an action is refused and what to do instead."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine import errors
from engine.actions import Action, PlayCard
from engine.cards import Card, Face
from engine.options import face_of
from engine.state import GameState
from games.texts.cards import card_name, card_object
from games.texts.catalogue import Catalogue
from games.texts.plays import labels


@dataclass(frozen=True, slots=True)
class Attempt:
    """An action that was refused, as the one who tried it may know it: `state` is the view of that seat."""

    state: GameState
    names: Sequence[str]
    action: Action

    @property
    def play(self) -> PlayCard:
        """Returns the refused play that a text explains, where only a play is refused for the reason."""
        assert isinstance(self.action, PlayCard), "only a play is refused for that"
        return self.action

    @property
    def way(self) -> Card | Face:
        """Returns what a refused card chooses and names, for the text that explains the refusal."""
        return face_of(self.state.book.cards[self.play.card], self.play.face)


def reason_text(words: Catalogue, reason: str, attempt: Attempt) -> str:
    """Returns the sentence that explains a refusal to a player, for a reason code of `engine.errors`."""
    if reason.startswith(errors.MUST_PLAY):
        return words.text("reason.must_play", card=card_object(words, reason[len(errors.MUST_PLAY) :]))
    sentence = _SENTENCES.get(reason)
    return words.text(f"reason.{reason}") if sentence is None else sentence(words, attempt)


def _not_your_turn_text(words: Catalogue, attempt: Attempt) -> str:
    state = attempt.state
    assert state.to_act is not None, "in a running game somebody must act"
    who = labels(words, attempt.names)[state.to_act]
    return words.text(
        "reason.not_your_turn" if state.decision is None else "reason.not_your_turn.decision",
        who=who,
    )


def _wrong_action_text(words: Catalogue, attempt: Attempt) -> str:
    decision = attempt.state.decision
    to_play = decision is None or decision.kind == PlayCard.type
    return words.text("reason.wrong_action.play" if to_play else "reason.wrong_action")


def _target_not_allowed_text(words: Catalogue, attempt: Attempt) -> str:
    chooses = attempt.way.targets.most > 0
    return words.text("reason.target_not_allowed.bound" if chooses else "reason.target_not_allowed")


def _target_bound_text(words: Catalogue, attempt: Attempt) -> str:
    assert attempt.state.bound is not None, "only a bound seat must be chosen"
    return words.text("reason.target_bound", who=labels(words, attempt.names)[attempt.state.bound])


def _guess_required_text(words: Catalogue, attempt: Attempt) -> str:
    number, choices = _text_names_a_number(attempt), _choices_text(words, attempt)
    return words.text("reason.guess_required.number" if number else "reason.guess_required", choices=choices)


def _guess_not_allowed_text(words: Catalogue, attempt: Attempt) -> str:
    if attempt.way.guess is None:
        return words.text("reason.guess_not_allowed.nothing")
    if not attempt.play.targets:
        return words.text("reason.guess_not_allowed.nobody")
    number, choices = _text_names_a_number(attempt), _choices_text(words, attempt)
    return words.text("reason.guess_not_allowed.number" if number else "reason.guess_not_allowed", choices=choices)


def _text_names_a_number(attempt: Attempt) -> bool:
    assert attempt.way.guess is not None
    return isinstance(attempt.way.guess(attempt.state.book)[0], int)


def _choices_text(words: Catalogue, attempt: Attempt) -> str:
    """Returns what may be guessed, in words, for the text that explains a refusal."""
    assert attempt.way.guess is not None
    guesses = attempt.way.guess(attempt.state.book)
    return words.listed([str(one) if isinstance(one, int) else card_name(words, one) for one in guesses], "or")


def _face_not_allowed_text(words: Catalogue, attempt: Attempt) -> str:
    two = attempt.state.book.cards[attempt.play.card].insane is not None
    return words.text("reason.face_not_allowed" if two else "reason.face_not_allowed.one")


_SENTENCES: Final[Mapping[str, Callable[[Catalogue, Attempt], str]]] = {
    errors.NOT_YOUR_TURN: _not_your_turn_text,
    errors.WRONG_ACTION: _wrong_action_text,
    errors.TARGET_NOT_ALLOWED: _target_not_allowed_text,
    errors.TARGET_BOUND: _target_bound_text,
    errors.GUESS_REQUIRED: _guess_required_text,
    errors.GUESS_NOT_ALLOWED: _guess_not_allowed_text,
    errors.FACE_NOT_ALLOWED: _face_not_allowed_text,
}
"""The reasons whose sentence depends on what was tried, and where."""
