"""Unwraps the responses of the generated core."""

from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

from billet_client.connection import answered
from billet_client.core.models import ActionResult, Frame, Game
from billet_client.core.types import Response
from billet_client.refusals import NotUnderstood

T = TypeVar("T")
P = ParamSpec("P")

TAG: Final = "etag"
"""The member of a view that holds its tag, which comes beside it; there it is kept even if the view is stored."""

WEAK: Final = "W/"
"""The prefix that compressing proxies add to a tag. The service's own tags are strong, and it accepts only those."""


def answer(kind: type[T], call: Callable[P, Response[Any]], *arguments: P.args, **options: P.kwargs) -> T:
    """Makes a call of the core and returns its result, a view with its tag.

    What the caller has given wrongly is raised as it is.

    Raises:
        NotUnderstood: the result is not of that kind.
    """
    key = options.get("idempotency_key")
    answered.set(False)
    try:
        response = call(*arguments, **options)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        if not answered.get():
            raise
        raise _not_understood(repr(error), key) from error
    if not isinstance(response.parsed, kind):
        raise _not_understood(f"status {response.status_code:d}", key)
    view = response.parsed.game if isinstance(response.parsed, ActionResult) else response.parsed
    if isinstance(view, Game) and TAG in response.headers:
        view[TAG] = response.headers[TAG].removeprefix(WEAK)
    return response.parsed


def tagged(frame: Frame) -> Frame:
    """Returns a frame whose view has the tag that the frame names for it."""
    frame.game[TAG] = frame.tag
    return frame


def tag_of(view: Game) -> str | None:
    """Returns the tag of a view, or None if it has none."""
    tag: str | None = view.additional_properties.get(TAG)
    return tag


def _not_understood(why: str, key: object) -> NotUnderstood:
    error = NotUnderstood(f"an answer that this version of the client does not know: {why}")
    error.key = key if isinstance(key, str) else None
    error.maybe_done = error.key is not None
    return error
