"""Counts which of two cards `cautious` bots play.

Run `python -m tools.tournament.habits > engine/bots/expert/habits_table.py`.
"""

import argparse
import multiprocessing
import random
from collections import Counter

from engine import rules
from engine.actions import PlayCard
from engine.bots.cautious import judging as cautious
from engine.bots.question import Question
from engine.editions import EDITIONS, rulebook
from engine.options import playable
from engine.shuffle import LooseChance
from engine.state import ACTIVE
from engine.views import advance, view
from tools.players.bot_games import begun

GROUPS = {"standard": (2, 3), "classic": (2, 3), "premium": (2, 3, 5), "lovecraft": (2, 3)}
"""The smallest tables of the groups of tables that play alike."""
FEW = 20
"""A pair of cards that was held less often is not in the tables."""

HEAD = '''"""How often `cautious` plays the card of a row rather than that of a column, out of 100 times it holds both.

Written by `python -m tools.tournament.habits`. By edition, by the smallest table that plays so, and by whether the
seat is insane. Columns stand in the order of the rows; a dot is where there is nothing to choose, or was too seldom.
"""

from typing import Final

TABLES: Final = {'''


def counted(edition, sizes, games):
    """Returns how often cards were played, by whether the seat was insane, the card and the card kept."""
    counts = Counter()
    for number in range(games):
        seats = sizes[number % len(sizes)]
        rng = random.Random(number)
        chance = LooseChance(rng)
        state, log = begun(edition, seats, chance)
        views = [view(log, seat) for seat in range(seats)]
        while state.status == ACTIVE:
            seat, legal = state.to_act, rules.legal_actions(state)
            action = cautious.choose(Question(views[seat], legal), rng)
            if isinstance(action, PlayCard) and state.decision is None:
                kept = state.seats[seat].hand[:]
                kept.remove(action.card)
                insane = state.is_insane(seat)
                if action.card != kept[0] and len(playable(state.book, [action.card, *kept], insane)) == 2:
                    counts[insane, action.card, kept[0]] += 1
            events = rules.play(state, action, chance)
            for viewer, seen in enumerate(views):
                advance(seen, events, viewer)
    return counts


def table(cards, counts, insane):
    """Returns the figures as text, a line for each card played."""
    width = max(map(len, cards))
    lines = []
    for card in cards:
        cells = []
        for kept in cards:
            played, other = counts[insane, card, kept], counts[insane, kept, card]
            cells.append(str(round(100 * played / (played + other))) if played + other >= FEW else ".")
        lines.append(f"{card:<{width}} " + " ".join(f"{cell:>3}" for cell in cells))
    return "\n".join(lines)


def group_text(task):
    """Returns the tables of the games of one group, as rows of the module that is written."""
    edition, least, above, games = task
    counts = counted(edition, [seats for seats in EDITIONS[edition].seats if least <= seats < above], games)
    cards = list(rulebook(edition, least, {}).cards)
    there = [insane for insane in (False, True) if any(key[0] == insane for key in counts)]
    return "".join(
        f'    ("{edition}", {least}, {insane}): """\n{table(cards, counts, insane)}\n""",\n' for insane in there
    )


def main():
    """Prints the table of habits, counted in games of `cautious` bots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1200, help="per group of tables (default: %(default)s)")
    games = parser.parse_args().games
    tasks = [
        (edition, least, above, games)
        for edition, groups in GROUPS.items()
        for least, above in zip(groups, [*groups[1:], max(EDITIONS[edition].seats) + 1], strict=True)
    ]
    with multiprocessing.Pool() as pool:
        print(HEAD + "\n" + "".join(pool.imap(group_text, tasks)) + "}")


if __name__ == "__main__":
    main()
