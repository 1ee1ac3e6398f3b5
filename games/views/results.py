"""The result of a finished game as a viewer sees it."""

from typing import Any

from games.ids import own_bot
from games.player import Naming
from games.ratings.places import places_of
from games.ratings.pools import rated_game
from games.snapshot import Snapshot
from games.texts.catalogue import Catalogue
from games.views.seated import seated_players


def result_of(snapshot: Snapshot, players: Naming, words: Catalogue) -> dict[str, Any]:
    """Returns the result of a game as plain data, with the names of today."""
    state = snapshot.state
    places = places_of(state)
    kinds = {player: one.kind for player, one in players.named(snapshot.players).items()}
    return {
        "game": snapshot.id,
        "edition": snapshot.table.edition,
        "seats": [
            {"player": sits._asdict(), "bot": own_bot(sits.id), "tokens": seat.tokens, "place": place}
            for sits, seat, place in zip(seated_players(snapshot, players, words), state.seats, places, strict=True)
            if sits is not None
        ],
        "winners": list(state.winners),
        "rated": rated_game(snapshot, kinds) is not None,
        "ended_at": snapshot.finished_at,
    }
