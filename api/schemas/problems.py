"""The shape of every error; the kinds of errors are in `kinds`."""

import marshmallow as ma

from api.problems.kinds import listed
from api.schemas.actions import LegalAction
from api.schemas.fields.base import Integer, Items, OpenObject, Part, Text


class Fault(OpenObject):
    """One thing that is wrong with a call."""

    field = Text(
        "The member, parameter or header; members within members as in `seats.0.kind`. Empty for the whole body."
    )
    detail = Text("What is wrong with it.")


class Problem(ma.Schema):
    """Why a call was refused, as RFC 9457 problem details; compare `code`, show `detail`."""

    class Meta:
        """Leaves room for later members."""

        unknown = ma.EXCLUDE

    more = listed()
    """What the document says beyond the docstring."""

    type = Text(
        "The kind of problem as a relative URI: where `/docs/errors` explains what it means and what to do.",
        required=True,
        metadata={"format": "uri-reference"},
    )
    title = Text("The kind of problem in a few words.", required=True)
    status = Integer("The HTTP status.", least=400, most=599, required=True)
    detail = Text("Why this call was refused, and what to do now.", required=True)
    instance = Text("The path that was called.", required=True, metadata={"format": "uri-reference"})
    code = Text("The kind of problem as a stable word.", required=True)
    reason = Text("The exact reason as a stable word, where it helps: always with `illegal_action`.")
    errors = Items(
        Part(Fault()),
        "With `invalid_request`: what is wrong, at most the first 50; `detail` says in how many places.",
    )
    legal_actions = Items(
        Part(LegalAction()),
        "What you may do instead, where it helps: always when an action is illegal.",
    )
    version = Integer("The present version of the game, where it helps: always with `stale_version`.")
    limit = Text("With `rate_limited`: the name of the limit that is reached.")
    retry_after = Integer("With `rate_limited` and `reveal_in_progress`: the seconds of `Retry-After`.", least=1)
