"""Rounds that begin in the middle: reads, checks and deals a given position.

A position is plain data with the names of the HTTP interface. What it leaves out is drawn from the cards of the deck
that it does not name, or is nothing. A deck that is given is all there is to draw; cards that lie nowhere are out of
the round, and nobody sees them.
"""

from engine.positions.canonical import canonical
from engine.positions.checks import check_position
from engine.positions.dealing import begin_position, position_of
from engine.positions.position import MEMBERS, complete, given_of

__all__ = ["MEMBERS", "begin_position", "canonical", "check_position", "complete", "given_of", "position_of"]
