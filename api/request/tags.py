"""Reads the tags of `If-Match` and `If-None-Match`, without the quotes that they must have."""

from collections.abc import Container
from typing import Final

from flask import Request


class Every:
    """What `*` stands for."""

    def __contains__(self, tag: object) -> bool:
        return True


EVERY: Final = Every()


def if_match(request: Request) -> Container[str] | None:
    """Returns the tags in a request's `If-Match`: the views on which its caller would act; None if any will do."""
    header = request.environ.get("HTTP_IF_MATCH")
    if header is None:
        return None
    tags = [tag.strip() for tag in header.split(",")]
    return EVERY if "*" in tags else [tag[1:-1] for tag in tags if tag[:1] == tag[-1:] == '"']


def if_none_match(request: Request) -> Container[str]:
    """Returns the tags in a request's `If-None-Match`: the answers its caller has; compared weakly, as for caches."""
    header = request.environ.get("HTTP_IF_NONE_MATCH")
    if header is None:
        return ()
    tags = [tag.strip().removeprefix("W/") for tag in header.split(",")]
    return EVERY if "*" in tags else [tag[1:-1] for tag in tags if tag[:1] == tag[-1:] == '"']
