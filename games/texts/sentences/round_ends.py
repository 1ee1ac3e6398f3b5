"""The sentence about the end of a round: what counted for each player, and what decided."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from engine.events import RoundEnded
from games.texts.sentences.game_words import GameWords

SeatStanding: TypeAlias = Mapping[str, Any]


def round_ended_sentence(texts: GameWords, event: RoundEnded) -> str:
    """Returns the sentence on the end of a round: what changed what hands count, then who wins and by what."""
    told = _outcome_sentence(texts, event)
    for change in reversed([*_changes_sentences(texts, event.standings), *_tie_sentences(texts, event)]):
        told = texts.text("event.round_ended.because", why=change, outcome=told)
    return told


def _changes_sentences(texts: GameWords, standings: Sequence[SeatStanding]) -> Iterator[str]:
    """Yields sentences on a round's end: which seats equal numbers remove, and what other cards do to hands."""
    removed: dict[int, list[int]] = {}
    for one in standings:
        if one["counted"] is None and one["changed_by"] is None:
            removed.setdefault(one["number"], []).append(one["seat"])
    if removed:
        groups = [
            texts.text("event.round_ended.removed_group", who=texts.all(seats, "accusative"), number=number)
            for number, seats in removed.items()
        ]
        yield texts.text("event.round_ended.removed", groups=texts.words.listed(groups))
    for one in standings:
        if one["changed_by"] is None:
            continue
        seat, card, change = one["seat"], texts.card(one["card"]), texts.card(one["changed_by"])
        number, counted = one["number"], one["counted"]
        if counted is None:
            yield texts.about("event.round_ended.beaten", seat, card=card, number=number, change=change)
        elif counted == number:
            yield texts.about("event.round_ended.kept", seat, change=change)
        else:
            yield texts.about(
                "event.round_ended.changed", seat, card=card, number=number, counted=counted, change=change
            )


def _tie_sentences(texts: GameWords, event: RoundEnded) -> Iterator[str]:
    """Yields sentences on a round's end: which seats are level, and what their discards add up to if it decides."""
    if event.decided_by == "discard_sum":
        tied = [one for one in event.standings if one["discard_sum"] is not None]
        sums = [texts.about("event.round_ended.sum", one["seat"], sum=one["discard_sum"]) for one in tied]
        level, listed = [one["seat"] for one in tied], texts.words.listed(sums)
        yield texts.about_all("event.round_ended.tied", level, number=tied[0]["counted"], sums=listed)


def _outcome_sentence(texts: GameWords, event: RoundEnded) -> str:
    number, winners = event.number, event.winners
    many = len(winners) > 1
    if event.decided_by == "equal_numbers":
        return texts.text("event.round_ended.equal_numbers", number=number)
    if not winners:
        return texts.text("event.round_ended.nobody", number=number)
    if event.decided_by == "card" and event.card is not None:
        return texts.about_all("event.round_ended.card", winners, number=number, card=texts.card(event.card))
    counted = next((one["counted"] for one in event.standings if one["seat"] == winners[0]), None)
    if event.decided_by == "highest_number" and counted is not None:
        if many:
            return texts.about_all("event.round_ended.highest_many", winners, number=number, counted=counted)
        left = any(one["counted"] is None for one in event.standings)
        return texts.about_all(
            "event.round_ended.highest_left" if left else "event.round_ended.highest",
            winners,
            number=number,
            counted=counted,
        )
    if event.decided_by == "discard_sum":
        return texts.about_all(
            "event.round_ended.sum_many" if many else "event.round_ended.sum_one", winners, number=number
        )
    if event.reason == "last_seat":
        return texts.about_all("event.round_ended.last_seat", winners, number=number)
    return texts.about_all("event.round_ended.many" if many else "event.round_ended.one", winners, number=number)
