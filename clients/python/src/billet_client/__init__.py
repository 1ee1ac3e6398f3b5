"""A client for Billet: turn-based card games over HTTP.

`Billet` has the calls, `billet_client.models` the classes that they take and return.
"""

from importlib.metadata import version

from billet_client.client import Billet
from billet_client.models import Game, GameAction, GameEvent, LegalAction
from billet_client.refusals import (
    BilletError,
    Conflict,
    CursorGone,
    Failed,
    Forbidden,
    GameFull,
    GameNotFinished,
    GameNotStarted,
    GameOver,
    IllegalAction,
    InvalidRequest,
    JoinCodeWrong,
    KeyReused,
    NoAnswer,
    NonceMismatch,
    NotAccepted,
    NotCreator,
    NotFound,
    NotSeated,
    NotUnderstood,
    NotYourTurn,
    PlayerAtTable,
    RateLimited,
    Refused,
    RegistrationClosed,
    StaleVersion,
    Unauthenticated,
    Unavailable,
)

__version__ = version("billet-client")
__all__ = [
    "Billet",
    "BilletError",
    "Conflict",
    "CursorGone",
    "Failed",
    "Forbidden",
    "Game",
    "GameAction",
    "GameEvent",
    "GameFull",
    "GameNotFinished",
    "GameNotStarted",
    "GameOver",
    "IllegalAction",
    "InvalidRequest",
    "JoinCodeWrong",
    "KeyReused",
    "LegalAction",
    "NoAnswer",
    "NonceMismatch",
    "NotAccepted",
    "NotCreator",
    "NotFound",
    "NotSeated",
    "NotUnderstood",
    "NotYourTurn",
    "PlayerAtTable",
    "RateLimited",
    "Refused",
    "RegistrationClosed",
    "StaleVersion",
    "Unauthenticated",
    "Unavailable",
]
