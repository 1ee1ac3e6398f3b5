"""Lists which Redis keys a backup holds, with their types. Backing up writes them, and restoring accepts nothing else.

Other keys are rebuilt from the logs, or come back by themselves.
"""

import math
import re
from collections.abc import Callable, Sequence
from itertools import chain, pairwise, zip_longest
from typing import Any, Final, NamedTuple

from service.store import keys

GAME: Final = "[a-z2-7]{16}"
PLAYER: Final = "p[0-9a-f]{20}"
MATCH: Final = f"m{GAME}"
DAY: Final = "[a-z]{1,32}-[0-9]{4}-[0-9]{2}-[0-9]{2}"
DIGEST: Final = "[0-9a-f]{32}"
"""The ids in names of keys, as `inputs/chance.py` and `games/ids.py` make them."""
STRING, HASH, LIST, ZSET, STREAM = "string", "hash", "list", "zset", "stream"
_ENTRY: Final = re.compile(r"([0-9]{1,19})-([0-9]{1,19})")
"""The id of an entry of a stream."""


class SavedKey(NamedTuple):
    """A key: its type, when it ends in milliseconds since 1970, and what Redis returns of it."""

    name: str
    kind: str
    ends: int | None
    held: Any


class Form(NamedTuple):
    """A form of keys that backups hold."""

    names: re.Pattern[str]
    kind: str
    passes: bool
    """Whether such a key may end by itself."""
    text: re.Pattern[str]
    """What a string must be, or each value of a hash."""


def _form(name: Callable[..., str] | str, kind: str, *ids: str, passes: bool = False, text: str = ".*") -> Form:
    """Returns the form of the keys that a function of `keys` names, whose arguments have these patterns."""
    named = name if isinstance(name, str) else name(*"#" * len(ids))
    parts = map(re.escape, named.split("#"))
    pattern = "".join(chain.from_iterable(zip_longest(parts, ids, fillvalue="")))
    return Form(re.compile(pattern), kind, passes, re.compile(text, re.DOTALL))


OF_GAME: Final = (
    _form(keys.meta, HASH, GAME),
    _form(keys.log, STREAM, GAME),
    _form(keys.packed, STRING, GAME),
    _form(keys.summary, STRING, GAME),
)
"""What is copied of a game, at one moment."""
OF_PLAYER: Final = (
    _form(keys.player, HASH, PLAYER),
    _form(keys.notices, STREAM, PLAYER, passes=True),
    _form(keys.approaches, STREAM, PLAYER, passes=True),
    _form(keys.blocked, ZSET, PLAYER),
    _form(keys.notices_read, STRING, PLAYER, passes=True),
)
"""What is copied of a player, at one moment."""
OF_DAY: Final = (
    _form(keys.day, HASH, DAY, passes=True),
    _form(keys.day_tries, ZSET, DAY),
    _form(keys.day_lines, HASH, DAY),
)
"""What is copied of a deal of the day, at one moment."""
OF_MATCH: Final = (_form(keys.match, HASH, MATCH),)
"""What is copied of a match."""
ANSWERS: Final = _form(keys.answer, STRING, GAME, PLAYER, DIGEST, passes=True)
ALONE: Final = (
    ANSWERS,
    _form(keys.noop_calls, LIST, GAME, PLAYER, passes=True),
    _form(keys.used, STRING, PLAYER, DIGEST, passes=True, text=DIGEST),
    _form(keys.grant, STRING, PLAYER, DIGEST, passes=True, text=f"{DIGEST}:{DIGEST}"),
    _form(keys.SECRET, STRING, text="[0-9a-f]{64}"),
    _form(keys.ARCHIVE, HASH),
    _form(keys.PROGRAMS, ZSET),
    _form(keys.MEASURED, HASH, text="[-+.0-9a-z]{1,32}"),
)
"""What is copied key by key."""
FORMS: Final = (*OF_GAME, *OF_PLAYER, *OF_DAY, *OF_MATCH, *ALONE)


def form_of(name: str, forms: Sequence[Form] = FORMS) -> Form | None:
    """Returns the form that a key's name has; None if no backup holds such a key."""
    return next((form for form in forms if form.names.fullmatch(name)), None)


def is_saved(one: SavedKey) -> bool:
    """Returns whether a key is one that a backup may hold: by its name, type, lifetime, and the shape of its content.

    It may come from any file, and be anything.
    """
    form = form_of(one.name) if isinstance(one.name, str) else None
    if form is None or one.kind != form.kind:
        return False
    if one.ends is not None and not (form.passes and type(one.ends) is int and 0 < one.ends < 2**53):
        return False
    if form.kind == STRING:
        return _is_text(one.held) and _fits(form, [one.held])
    if not (isinstance(one.held, list) and one.held and _SHAPES[form.kind](one.held)):
        return False
    return form.kind != HASH or _fits(form, one.held[1::2])


def _fits(form: Form, texts: Sequence[str]) -> bool:
    return all(form.text.fullmatch(text) for text in texts)


def _is_text(held: Any) -> bool:
    """Returns whether something is bytes of a saved key, each as the character of its number."""
    return isinstance(held, str) and (held.isascii() or max(held) <= "\xff")


def _are_texts(held: list[Any]) -> bool:
    return all(map(_is_text, held))


def _are_pairs(held: list[Any]) -> bool:
    return len(held) % 2 == 0 and _are_texts(held)


def _are_scored(held: list[Any]) -> bool:
    return _are_pairs(held) and all(_is_score(score) for score in held[1::2])


def _is_score(text: str) -> bool:
    try:
        return text.isascii() and math.isfinite(float(text))
    except ValueError:
        return False


def _are_entries(held: list[Any]) -> bool:
    """Returns whether something is the entries of a stream of a saved key, in ascending order as Redis wants them."""
    ids = [(0, 0)]
    for entry in held:
        if not (isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str)):
            return False
        found = _ENTRY.fullmatch(entry[0])
        if found is None or not (isinstance(entry[1], list) and entry[1] and _are_pairs(entry[1])):
            return False
        ids.append((int(found[1]), int(found[2])))
    return all(one < other for one, other in pairwise(ids))


_SHAPES: Final = {HASH: _are_pairs, LIST: _are_texts, ZSET: _are_scored, STREAM: _are_entries}
