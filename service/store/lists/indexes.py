"""Says which indexes a game enters and leaves with a step: lobby, players' lists, open games, due times."""

from collections.abc import Iterable

from engine.state import ABORTED, ACTIVE, FINISHED, OPEN
from games.notices import people
from games.snapshot import Snapshot
from games.steps import Step
from games.times import ms_of
from service.store import keys
from service.store.exchange.connection import Command, Exchange


def changes_status(new: Step) -> bool:
    """Returns whether a step opens, starts or ends a game, so that the game changes lists."""
    return new.before is None or new.before.state.status != new.after.state.status


def joined(new: Step) -> dict[str, dict[str, int]]:
    """Returns the entries that a step adds to stored lists. They are written before it: no list misses a game."""
    before, after = new.before, new.after
    if (
        before is not None
        and before.state.status == after.state.status
        and before.players == after.players
        and before.state.offers == after.state.offers
    ):
        return {}  # nearly always, and the rest takes its time
    names: dict[str, dict[str, int]] = {}
    if before is None and not after.ended:
        for index in _opened(after):
            names[index] = {after.id: ms_of(after.created.at)}
    if before is None and after.table.visibility == "unlisted":
        # It stays when the game has ended: a repeated call by the code must find its first answer.
        names[keys.joining(after.join_code)] = {after.id: ms_of(after.created.at)}
    if changes_status(new):
        created = ms_of(after.created.at)
        if after.table.visibility == "public":
            names[keys.lobby(after.state.status)] = {after.id: created}
        if after.state.status == ACTIVE and not after.table.sandbox:
            names[keys.active(after.table.edition)] = {after.id: created}
        if after.ended:
            for player in people(after):
                names[keys.played(player)] = {after.id: ms_of(new.entries[-1].at)}
    if not after.ended:
        newcomers = set(people(after)) - set(people(before) if before is not None else ())
        for player in newcomers:
            names[keys.playing(player)] = {after.id: ms_of(new.entries[-1].at)}
        invited = set(before.state.offers.values()) if before is not None else set()
        for player in set(after.state.offers.values()) - invited:
            names[keys.invited(player)] = {after.id: ms_of(new.entries[-1].at)}
    return names


def left(new: Step) -> list[str]:
    """Returns the indexes that a game leaves for good with a step.

    They are cleared after it; readers check what they find.

    Indexes of a player who leaves or declines before the start are kept: the player may be back at the table by the
    time they would be cleared.
    """
    after = new.after
    if new.before is None or not changes_status(new):
        return []
    names: list[str] = []
    if after.table.visibility == "public":
        names.append(keys.lobby(new.before.state.status))
    if new.before.state.status == ACTIVE:
        names.append(keys.active(after.table.edition))
    if after.ended:
        names += [keys.DUE, *_opened(after), *(keys.playing(player) for player in people(after))]
    return names


def leave_all(exchange: Exchange, ended: Snapshot, players: Iterable[str]) -> None:
    """Takes an ended game off every stored list that it may be on, among them those of players.

    Raises:
        Unavailable: Redis cannot be reached.
    """
    game = ended.id
    off_lists: list[Command] = []
    for player in sorted(players):
        names = (keys.playing(player), keys.played(player), keys.opened(player), keys.invited(player))
        off_lists += [("ZREM", name, game) for name in names]
        off_lists.append(("UNLINK", keys.notified_of(player, game)))
    exchange.send(
        *[("ZREM", keys.lobby(status), game) for status in (OPEN, ACTIVE, FINISHED, ABORTED)],
        ("ZREM", keys.active(ended.table.edition), game),
        ("ZREM", keys.joining(ended.join_code), game),
        ("ZREM", keys.DUE, game),
        ("ZREM", keys.ENDED, game),
        ("HDEL", keys.NOT_ARCHIVED, game),
        ("DEL", keys.unlisted(game)),
        *off_lists,
    )


def _opened(snapshot: Snapshot) -> list[str]:
    """Returns the indexes of open games that list this game: by its creator, and by the address it came from."""
    return [keys.opened(snapshot.table.creator), *([keys.opened_from(snapshot.share)] if snapshot.share else [])]
