"""A program that remembers every deck, more than any could: once it has played a deal, it knows all its cards.

It plays as `cautious` until it is dealt cards that it knows. Then it looks one action ahead with all cards open.
"""

from engine import rules
from engine.actions import Action
from engine.bots.question import never
from engine.options import legal_actions
from games.bots.turns import chosen
from games.snapshot import Snapshot

PLAIN = "cautious"


class Remembering:
    """Plays the games of one match after one another, and remembers the deals of those that it has begun."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        """By the commitment to the secret of a deal, which everybody sees, the first game with it."""

    def __call__(self, game: Snapshot, seat: int) -> Action:
        """Returns the action for a seat."""
        usual = chosen(game, seat, PLAIN, 0, never)
        assert usual is not None, "the bot knows the rules"
        if self._known.setdefault(game.table.commitment, game.id) == game.id:
            return usual
        return max([usual, *legal_actions(game.view(seat))], key=lambda action: _gain(game, seat, action))


def plain(game: Snapshot, seat: int) -> Action:
    """Returns the action of the same program without a memory."""
    action = chosen(game, seat, PLAIN, 0, never)
    assert action is not None, "the bot knows the rules"
    return action


def _gain(game: Snapshot, seat: int, action: Action) -> int:
    """Returns what an action brings to a seat at once, all cards open: tokens more than others, rivals less."""
    before, after = game.state, game.state.copy()
    rules.play(after, action, game.chance())
    tokens = [new.tokens - old.tokens for old, new in zip(before.seats, after.seats, strict=True)]
    if any(tokens):
        return 100 * (2 * tokens[seat] - sum(tokens))
    if not after.is_in_round(seat):
        return -10
    return len(before.alive()) - len(after.alive())
