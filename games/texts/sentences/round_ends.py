"""The sentence about the end of a round: what counted for each player, and what decided."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from engine.events import Event, RoundEnded
from games.texts.sentences.game_words import GameWords

SeatStanding: TypeAlias = Mapping[str, Any]


def round_ended_sentence(telling: GameWords, event: RoundEnded, following: Sequence[Event]) -> str:
    """Returns the sentence on the end of a round: what changed what hands count, then who wins and by what."""
    told = _outcome_sentence(telling, event)
    for change in reversed([*_changes_sentences(telling, event.standings), *_tie_sentences(telling, event)]):
        told = telling.text("event.round_ended.because", why=change, outcome=told)
    return told


def _changes_sentences(telling: GameWords, standings: Sequence[SeatStanding]) -> Iterator[str]:
    """Yields sentences on a round's end: which seats equal numbers remove, and what other cards do to hands."""
    removed: dict[int, list[int]] = {}
    for one in standings:
        if one["counted"] is None and one["changed_by"] is None:
            removed.setdefault(one["number"], []).append(one["seat"])
    if removed:
        groups = [
            telling.text("event.round_ended.removed_group", who=telling.all(seats, "accusative"), number=number)
            for number, seats in removed.items()
        ]
        yield telling.text("event.round_ended.removed", groups=telling.words.listed(groups))
    for one in standings:
        if one["changed_by"] is None:
            continue
        seat, card, change = one["seat"], telling.card(one["card"]), telling.card(one["changed_by"])
        number, counted = one["number"], one["counted"]
        if counted is None:
            yield telling.about("event.round_ended.beaten", seat, card=card, number=number, change=change)
        elif counted == number:
            yield telling.about("event.round_ended.kept", seat, change=change)
        else:
            yield telling.about(
                "event.round_ended.changed", seat, card=card, number=number, counted=counted, change=change
            )


def _tie_sentences(telling: GameWords, event: RoundEnded) -> Iterator[str]:
    """Yields sentences on a round's end: which seats are level, and what their discards add up to if it decides."""
    if event.decided_by == "discard_sum":
        tied = [one for one in event.standings if one["discard_sum"] is not None]
        sums = [telling.about("event.round_ended.sum", one["seat"], sum=one["discard_sum"]) for one in tied]
        level, listed = [one["seat"] for one in tied], telling.words.listed(sums)
        yield telling.about_all("event.round_ended.tied", level, number=tied[0]["counted"], sums=listed)


def _outcome_sentence(telling: GameWords, event: RoundEnded) -> str:
    number, winners = event.number, event.winners
    many = len(winners) > 1
    if event.decided_by == "equal_numbers":
        return telling.text("event.round_ended.equal_numbers", number=number)
    if not winners:
        return telling.text("event.round_ended.nobody", number=number)
    if event.decided_by == "card" and event.card is not None:
        return telling.about_all("event.round_ended.card", winners, number=number, card=telling.card(event.card))
    counted = next((one["counted"] for one in event.standings if one["seat"] == winners[0]), None)
    if event.decided_by == "highest_number" and counted is not None:
        if many:
            return telling.about_all("event.round_ended.highest_many", winners, number=number, counted=counted)
        left = any(one["counted"] is None for one in event.standings)
        return telling.about_all(
            "event.round_ended.highest_left" if left else "event.round_ended.highest",
            winners,
            number=number,
            counted=counted,
        )
    if event.decided_by == "discard_sum":
        return telling.about_all(
            "event.round_ended.sum_many" if many else "event.round_ended.sum_one", winners, number=number
        )
    if event.reason == "last_seat":
        return telling.about_all("event.round_ended.last_seat", winners, number=number)
    return telling.about_all("event.round_ended.many" if many else "event.round_ended.one", winners, number=number)
