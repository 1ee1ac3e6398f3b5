"""What the strict readers of JSON share: no member may be there twice, and nothing may be nested too deeply."""

from collections.abc import Callable
from itertools import chain, compress
from typing import Any, Final


def unique(twice: Callable[[], Exception]) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    """Returns a hook for a strict reader of JSON; it raises what `twice` returns if an object has a member twice."""

    def members_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            raise twice()
        return members

    return members_of


def shape(data: Any, deepest: int) -> tuple[int, set[type]]:
    """Returns how deep JSON is nested, or one more than `deepest`, and the types looked at, for its strict readers."""
    depth, level, types = 0, [data], [type(data)]
    kinds = {*types}
    while depth <= deepest and (objects := [*compress(level, map(_NESTED.__contains__, types))]):
        depth += 1
        level = [*chain.from_iterable([one.values() if isinstance(one, dict) else one for one in objects])]
        types = [*map(type, level)]
        kinds.update(types)
    return depth, kinds


_NESTED: Final = frozenset({dict, list})
