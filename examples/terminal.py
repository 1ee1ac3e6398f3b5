"""A game against bots in the terminal: `python examples/terminal.py URL --edition premium --seats 4 --language de`."""

import argparse
from collections.abc import Sequence

from billet_client import Billet, BilletError, Conflict, Game, LegalAction, StaleVersion

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("url", nargs="?", default="http://127.0.0.1:8000")
parser.add_argument("--edition", default="standard")
parser.add_argument("--seats", type=int, default=3)
parser.add_argument("--bot", default="cautious")
parser.add_argument("--name", default="Guest")
parser.add_argument("--language", default="en")


def show(view: Game, names: dict[str, str]) -> None:
    """Prints a line for each seat: its tokens, the cards before it, and the hand where you see it."""
    print()
    for seat in view.seats:
        piles = [", ".join(names[card] for card in pile if card) for pile in (seat.discards, seat.hand)]
        who = f"{'>' if seat.seat == view.to_act else ' '} {seat.player.name if seat.player else '?':<20}"
        print(f"{who} {seat.tokens}  {piles[0]:<40}  {piles[1]}".rstrip())


def chosen(legal: Sequence[LegalAction]) -> LegalAction | None:
    """Asks for one of the actions; returns None if the player would rather leave."""
    for number, one in enumerate(legal, 1):
        print(f"{number:3}  {one.text}")
    while (typed := input(f"1 to {len(legal)}, or q to leave: ").strip()) != "q":
        if typed.isdecimal() and 0 < int(typed) <= len(legal):
            return legal[int(typed) - 1]
    return None


def play(client: Billet, options: argparse.Namespace) -> None:
    """Opens a table with bots and plays there, a frame after the other, until the game is over."""
    names = {card.card: card.name for card in client.edition(options.edition).cards}
    game = client.create(options.edition, ["creator"] + [options.bot] * (options.seats - 1))
    for frame in client.frames(game, text=True):
        print(*(event.text for event in frame.events), sep="\n")
        if legal := frame.game.legal_actions:
            show(frame.game, names)
            if (action := chosen(legal)) is None:
                client.leave(game)
            else:
                try:
                    client.act(frame.game, action)
                except (Conflict, StaleVersion) as late:  # somebody acted in your name elsewhere
                    print(late)


if __name__ == "__main__":
    options = parser.parse_args()
    try:
        with Billet(options.url, language=options.language).register(options.name) as client:
            play(client, options)
    except (BilletError, ValueError, EOFError, KeyboardInterrupt) as error:
        raise SystemExit(str(error)) from None
