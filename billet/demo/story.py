"""Tells events of the feed in plain English; what they mean for the game is not known here."""

from collections.abc import Callable
from typing import Any

from billet.demo.names import Names

Data = dict[str, Any]


def sentence(event: dict[str, Any], names: Names) -> str | None:
    """Return what an event says to a reader, or None for one that says nothing new to them."""
    tell = _TELLERS.get(event["type"], _unknown)
    told = tell(event["data"], names)
    if told is None:
        return None
    return told[:1].upper() + told[1:] if tell is not _unknown else f"{event['type'].replace('_', ' ')}: {told}"


def _unknown(data: Data, names: Names) -> str:
    # A newer server may know more: its own words are better than silence.
    return ", ".join(f"{name} {value}" for name, value in data.items())


def _round_started(data: Data, names: Names) -> str:
    own = data["hands"][names.mine]
    dealt = f" You are dealt {names.card(own)}." if own is not None else ""
    aside = f" Set aside face up: {names.hand(data['shown_aside'])}." if data["shown_aside"] else ""
    return f"\n--- Round {data['number']} --- {names.does(data['starter'], 'begin')}.{dealt}{aside}"


def _card_drawn(data: Data, names: Names) -> str:
    pile = "" if data["source"] == "deck" else ", the one that was set aside"
    return f"{names.does(data['seat'], 'draw')} {names.card(data['card'])}{pile}."


def _card_played(data: Data, names: Names) -> str:
    targets = f" on {names.all(data['targets'], data['seat'])}" if data["targets"] else ""
    face = f" ({data['face']})" if data["face"] else ""
    guess = names.card(data["guess"]) if data["guess"] is not None else data["guess_value"]
    named = "" if guess is None else f", naming {guess}"
    return f"{names.does(data['seat'], 'play')} {names.card(data['card'])}{face}{targets}{named}."


def _hand_shown(data: Data, names: Names) -> str:
    seen = f": {names.hand(data['cards'])}" if None not in data["cards"] else ""
    return f"{names.does(data['to'], 'look')} at {names.whose(data['seat'])} hand{seen}."


def _hands_compared(data: Data, names: Names) -> str:
    held = ""
    if None not in (*data["cards"], *data["target_cards"]):
        held = f": {names.hand(data['cards'])} against {names.hand(data['target_cards'])}"
    return f"{names.who(data['seat'])} and {names.whom(data['target'])} compare hands{held}."


def _hand_taken(data: Data, names: Names) -> str:
    held = f": {names.hand(data['cards'])}" if None not in data["cards"] else ""
    return f"{names.does(data['seat'], 'take')} {names.whose(data['target'])} hand{held}."


def _hands_given(data: Data, names: Names) -> str:
    own = data["hands"][names.mine] if names.mine in data["targets"] else None
    held = f"; you now hold {names.card(own)}" if own is not None else ""
    return f"{names.does(data['seat'], 'give')} a card back to {names.all(data['targets'], data['seat'])}{held}."


def _hands_traded(data: Data, names: Names) -> str:
    held = ""
    if names.mine in (data["seat"], data["target"]):
        held = f"; you now hold {names.hand(data['cards' if data['seat'] == names.mine else 'target_cards'])}"
    return f"{names.who(data['seat'])} and {names.whom(data['target'])} trade hands{held}."


def _cards_returned(data: Data, names: Names) -> str:
    count = len(data["cards"])
    what = f"{count} cards" if None in data["cards"] and count > 1 else names.hand(data["cards"])
    return f"{names.does(data['seat'], 'put')} {what} under the deck."


def _knocked_out(data: Data, names: Names) -> str:
    return f"{names.does(data['seat'], 'are')} out of the round, holding {names.hand(data['cards'])}."


def _hands_revealed(data: Data, names: Names) -> str:
    shown = [f"{names.who(seat)}: {names.card(card)}" for seat, card in enumerate(data["hands"]) if card is not None]
    return f"The deck is empty; the hands are shown. {'; '.join(shown)}."


def _round_ended(data: Data, names: Names) -> str:
    how = {"last_seat": "as the last one in it", "showdown": "with the highest hand", "card": "by a card"}
    if not data["winners"]:
        return f"Round {data['number']} ends without a winner."
    verb = "win" if len(data["winners"]) > 1 or names.mine in data["winners"] else "wins"
    return f"{names.all(data['winners'])} {verb} round {data['number']}, {how.get(data['reason'], data['reason'])}."


def _token_awarded(data: Data, names: Names) -> str:
    kind = "" if data["kind"] == "favor" else f" {data['kind']}"
    why = "" if data["reason"] == "round" else f" for {names.card(data['reason'])}"
    return f"{names.does(data['seat'], 'gain')} a{'n' if kind == ' insane' else ''}{kind} token{why}."


def _seat_left(data: Data, names: Names) -> str:
    held = f", holding {names.hand(data['cards'])}" if data["cards"] else ""
    return f"{names.does(data['seat'], 'leave')} the game{held}."


def _one(verb: str, rest: str) -> Callable[[Data, Names], str]:
    """Return a teller for events that a seat and a few words say all about."""
    return lambda data, names: f"{names.does(data['seat'], verb)} {rest}"


def _card(verb: str, rest: str) -> Callable[[Data, Names], str]:
    """Return a teller for events of one seat and its card or cards."""
    return lambda data, names: (
        f"{names.does(data['seat'], verb)} {names.hand(data.get('cards') or [data.get('card')])}{rest}"
    )


def _silent(data: Data, names: Names) -> None:
    """Tell nothing: the events around it say it all."""


_TELLERS: dict[str, Callable[[Data, Names], str | None]] = {
    "game_created": _silent,
    "seat_taken": _one("sit", "down."),
    "seat_vacated": _one("get", "up again."),
    "game_started": lambda data, names: "The game begins.",
    "round_started": _round_started,
    "turn_started": _silent,
    "card_drawn": _card_drawn,
    "card_played": _card_played,
    "card_resolved": _silent,
    "card_revealed": _card("turn", " up from the deck."),
    "seat_protected": _one("are", "protected until the next turn."),
    "seat_bound": lambda data, names: f"The next card that chooses somebody must choose {names.whom(data['seat'])}.",
    "seat_marked": lambda data, names: f"{names.does(data['seat'], 'mark')} {names.whom(data['target'])}.",
    "hand_shown": _hand_shown,
    "hands_compared": _hands_compared,
    "hands_traded": _hands_traded,
    "hand_taken": _hand_taken,
    "card_received": lambda data, names: (
        f"{names.does(data['seat'], 'get')} {names.card(data['card'])} from beside the deck."
    ),
    "hands_given": _hands_given,
    "hand_discarded": _card("discard", "."),
    "cards_returned": _cards_returned,
    "knocked_out": _knocked_out,
    "decision_opened": lambda data, names: f"{names.does(data['seat'], 'have')} to choose: {names.card(data['card'])}.",
    "decision_taken": _silent,
    "hands_revealed": _hands_revealed,
    "round_ended": _round_ended,
    "token_awarded": _token_awarded,
    "seat_timed_out": _one("run", "out of time."),
    "seat_left": _seat_left,
    "game_finished": _silent,
    "game_aborted": lambda data, names: "The game was called off.",
    "secret_revealed": lambda data, names: f"The secret of the shuffle was {data['secret']}.",
}
