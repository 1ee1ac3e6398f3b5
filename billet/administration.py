"""`billet admin`: does for operators what `/v1/admin` does, on the Redis of the settings."""

import logging
import sys
from typing import Final

from billet.escaping import plain
from games.errors import Refused, Unavailable
from games.ids import is_id
from games.messages import Message
from games.texts.catalogue import catalogue
from service import Service
from service.log_lines import configure

PLAYERS: Final = "players"
ON_GAMES: Final = ("abort", "delete")

audit: Final = logging.getLogger("billet.audit")
audit.setLevel(logging.INFO)  # whatever `LOG_LEVEL` says


def run(service: Service, what: str, on: str, log_level: str, log_format: str) -> int:
    """Runs `billet admin`: does one thing to a player or a game, or lists players by the start of their names.

    Every call leaves an audit line on standard error.

    Raises:
        Unavailable: Redis or the archive is away.
    """
    configure(log_level, log_format)
    named = "-" if what == PLAYERS else plain(on)
    try:
        _run_admin_action(service, what, on)
    except Refused as refused:
        audit.info("console admin %s %s: %s", what, named, refused.code)
        detail = refused.detail
        print(f"billet: {detail if isinstance(detail, str) else detail.written(catalogue('en'))}", file=sys.stderr)
        return 1
    except Unavailable as error:
        audit.info("console admin %s %s: %s", what, named, error.code)
        raise
    audit.info("console admin %s %s: done", what, named)
    return 0


def _run_admin_action(service: Service, what: str, on: str) -> None:
    administration = service.administration
    if what == PLAYERS:
        cursor = None
        while True:
            page = administration.players(on, cursor=cursor)
            for player in page["items"]:
                since = player["since"] or "-"
                banned = "  banned" if player["banned"] else ""
                print(f"{player['id']}  {player['kind']:<5}  {since}  {plain(player['name'])}{banned}")
            if (cursor := page["next_cursor"]) is None:
                return
    if not is_id(on):
        raise Refused("not_found", Message("detail.no_such_game" if what in ON_GAMES else "detail.no_such_player"))
    {
        "ban": administration.ban,
        "unban": administration.unban,
        "erase": administration.erase,
        "abort": administration.abort,
        "delete": administration.delete,
    }[what](on)
    service.settle()
    service.totals.report()
    print(f"{what}: done")
