"""Takes answers of the generated core apart; what is asked for is elsewhere."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from billet_client.core.models import ActionResult, Game
from billet_client.core.types import Response
from billet_client.refusals import NotUnderstood

T = TypeVar("T")

TAG: Final = "etag"
"""The member of a view that holds its tag: it comes in a header, and travels with the view even where that is kept."""

WEAK: Final = "W/"
"""What proxies that compress put before a tag. The service's own tags are strong, and it looks for those."""


def answer(kind: type[T], ask: Callable[[], Response[Any]], key: str | None = None) -> T:
    """Returns what a call of the core is answered; a view comes with its tag. `key` is that of the call.

    Raises:
        NotUnderstood: the answer is none of its kind.
    """
    try:
        response = ask()
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _not_understood(repr(error), key) from error
    if not isinstance(response.parsed, kind):
        raise _not_understood(f"status {response.status_code:d}", key)
    view = response.parsed.game if isinstance(response.parsed, ActionResult) else response.parsed
    if isinstance(view, Game) and TAG in response.headers:
        view[TAG] = response.headers[TAG].removeprefix(WEAK)
    return response.parsed


def tag_of(view: Game) -> str | None:
    """Returns the tag of a view, or None if it has none."""
    tag: str | None = view.additional_properties.get(TAG)
    return tag


def _not_understood(why: str, key: str | None) -> NotUnderstood:
    error = NotUnderstood(f"an answer that this version of the client does not know: {why}")
    error.maybe_done, error.key = key is not None, key
    return error
