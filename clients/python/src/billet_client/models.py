"""The classes that calls take and return, named as in the OpenAPI document. They are generated with the core."""

from billet_client.core.models import *  # noqa: F403  # whatever the document names
from billet_client.core.types import UNSET as UNSET
from billet_client.core.unions import GameAction as GameAction
from billet_client.core.unions import GameEvent as GameEvent
from billet_client.core.unions import SeatSetup as SeatSetup
