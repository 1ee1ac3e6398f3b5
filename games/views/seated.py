"""Names the players of a table; its bots get distinct names in the reader's language."""

from collections.abc import Sequence
from functools import lru_cache

from engine.bots import BOTS
from engine.views import Viewer
from games.ids import own_bot
from games.player import Naming, Player
from games.snapshot import Snapshot
from games.texts.catalogue import Catalogue


def display_name(player: Player, words: Catalogue) -> str:
    """Returns what views call a player wherever they sit; own bots have a name in each language."""
    bot = own_bot(player.id)
    return words.text(f"bot.{bot}.name") if bot in BOTS else name_of(player, words)


def name_of(player: Player, words: Catalogue) -> str:
    """Returns the name of a player in views; an erased one has none."""
    return player.name or words.text("player.deleted")


def seated_players(snapshot: Snapshot, players: Naming, words: Catalogue) -> Sequence[Player | None]:
    """Returns the players by seat as views call them there, None where a seat is open.

    There, each of the service's own bots has a first name.
    """
    named = players.named(snapshot.players)
    seated = [None if player is None else named[player] for player in snapshot.players]
    return _with_first_names(tuple(seated), words)


@lru_cache(maxsize=4096)  # each action names its table several times
def _with_first_names(seated: tuple[Player | None, ...], words: Catalogue) -> tuple[Player | None, ...]:
    return tuple(
        player and player._replace(name=_first_name(player, seat, words)) for seat, player in enumerate(seated)
    )


def _first_name(player: Player, seat: int, words: Catalogue) -> str:
    bot = own_bot(player.id)
    return words.text(f"bot.{bot}.names").split(", ")[seat] if bot in BOTS else name_of(player, words)


def names_of(snapshot: Snapshot, players: Naming, words: Catalogue) -> list[str]:
    """Returns the names of the players in a view by seat, empty where a seat is open."""
    return [player.name if player is not None else "" for player in seated_players(snapshot, players, words)]


def reader_of(viewer: Viewer) -> int | None:
    """Returns the seat to which a view's texts say "you"; None for a watcher and for a viewer of all hands."""
    return viewer if viewer >= 0 else None
