"""A client for Billet: turn-based card games over HTTP.

`Billet` has the calls, `billet_client.models` the classes that they take and return.
"""

from importlib.metadata import version

from billet_client import refusals
from billet_client.client import Billet
from billet_client.models import Game, GameAction, GameEvent, LegalAction
from billet_client.refusals import *  # noqa: F403  # named once, in its `__all__`, and not again here

__version__ = version("billet-client")
__all__ = ["Billet", "Game", "GameAction", "GameEvent", "LegalAction"]
__all__ += refusals.__all__
