"""A bot that plays all its games at once until it is stopped: `make bot`, or with billet-client `python bot.py URL`."""

import math
import os
import signal
import sys
from collections import Counter
from pathlib import Path

from billet_client import Billet, BilletError, Game, LegalAction, Refused
from billet_client.models import EditionDetail, KeepCard, PlayCard

URL = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
TOKEN = Path(os.environ.get("TOKEN_FILE", "bot-py.token"))  # keep it private: with it one can play in the bot's name
MOST = int(os.environ.get("MOST_GAMES", "100"))  # who invites it to more at once than that is told to ask again later
PROGRAM = {
    "version": "1",  # with another one, its ratings begin anew
    "about": "Plays the lowest card and spares itself.",
    "accepts": {"rated": True, "at_once": max(MOST, 1)},  # and all editions, numbers of seats and paces
}


def best(view: Game, edition: EditionDetail) -> LegalAction:
    """Returns what spends the lowest card, spares the bot itself, and names what is still out most often."""
    value = {card.card: card.value for card in edition.cards}
    unseen = Counter({card.card: card.copies for card in edition.cards})
    unseen.subtract(card for seat in view.seats for card in (*seat.discards, *seat.hand) if card)

    def worth(legal: LegalAction) -> tuple[int, bool, int]:
        if isinstance(action := legal.action, PlayCard):
            spares_itself = view.to_act not in (action.targets or [])
            named = [card for card in value if card == action.guess or value[card] == action.guess_value]
            return -value[action.card], spares_itself, sum(unseen[card] for card in named)
        return value[action.keep] if isinstance(action, KeepCard) else 0, True, 0

    return max(view.legal_actions, key=worth)


signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it without a word
print("Looking for the service at", URL, flush=True)
try:
    if not TOKEN.exists():
        token = Billet(URL, patience=math.inf).register("Pythia", kind="bot").token
        TOKEN.touch(mode=0o600)
        TOKEN.write_text(token or "")
    client, playing = Billet(URL, TOKEN.read_text().strip(), patience=math.inf), set[str]()
    print(f"I am player {(me := client.me().id)}:", end=" ")
    print(f'invite me with {{"kind": "invited", "player": "{me}"}} among the seats of a table.', flush=True)
    client.describe(PROGRAM)
except (ValueError, BilletError) as error:
    sys.exit(f"{error} (The token is kept in {TOKEN}; delete that file, and the bot registers anew.)")
edition = {short.id: client.edition(short.id) for short in client.editions()}
for notice in client.notices():
    try:
        if notice.type_ == "invited":
            client.join(notice.game) if len(playing) < MOST else client.decline(notice.game, "later")
        elif notice.type_ == "match_invited":
            client.accept_match(notice.game)
        elif notice.type_ == "your_turn":
            playing.add(notice.game)
            view = client.view(notice.game)
            while view.legal_actions:
                view = client.act(view, best(view, edition[view.edition])).game
        elif notice.type_ == "game_over":
            playing.discard(notice.game)
    except Refused as late:  # a clock was faster, or an invitation was withdrawn
        print(late, flush=True)
