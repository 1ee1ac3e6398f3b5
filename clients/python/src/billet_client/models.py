"""The classes that calls take and give, as the document names them; they are generated with the rest of the core."""

from billet_client.core.models import *  # noqa: F403  # whatever the document names
from billet_client.core.types import UNSET as UNSET
from billet_client.core.unions import GameAction as GameAction
from billet_client.core.unions import GameEvent as GameEvent
from billet_client.core.unions import SeatSetup as SeatSetup
