"""What happens when a seat leaves a running game; sections are those of `docs/rules.md`."""

from typing import Any

from tests.second_model.model import course, ends, moves
from tests.second_model.model.game import Game
from tests.second_model.model.questions import DECLINED


def leave(game: Game, seat: int, answers: list[dict[str, Any]]) -> None:
    """A seat leaves.

    If a question waits for it, it is answered first, by `answers` where chance does it; what its last play would win is
    lost (One more card, Decided). Then its hand goes onto its discards and it is out of round and game, and if anybody
    was waiting for it the others go on.
    """
    was_asked = False
    while game.question is not None and game.question.seat == seat:
        game.used.add(f"a seat leaves that {game.question.card} asks")
        was_asked = True
        course.carry_out(game, DECLINED.get(game.question.kind) or answers.pop(0))
    assert not answers, "chance has answered what nobody has asked"
    game.round_won_by = game.game_won_by = None
    moves.put_out(game, seat)
    game.left.add(seat)
    if game.bound == seat:
        # Decided: how long a Sycophant binds. If the bound seat leaves, the mark goes with it.
        game.used.add("a seat leaves that is bound")
        game.bound = None
    remaining = ends.in_game(game)
    if len(remaining) == 1:
        # When one seat is left in the game, it has won it, whatever the tokens.
        course.finish(game, remaining)
        game.question = None
    elif was_asked or game.turn == seat or len(game.in_round) < 2:
        course.go_on(game)
    elif game.question is not None:
        game.used.add(f"{game.question.card} goes on asking")
