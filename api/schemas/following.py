"""Requests and responses for following a game live; the events are in `events`."""

from api.schemas.fields.base import ClosedObject, OpenObject, Text, UtcTime


class TicketClaim(ClosedObject):
    """What shows that one may watch the game."""

    join_code = Text("The code of an unlisted game one does not sit at.", most=64)


class Ticket(OpenObject):
    """Stands for the caller's token in one call for a stream of one game."""

    ticket = Text("Send it as `?ticket=`; the first stream that it opens uses it up.")
    expires_at = UtcTime("Until when it is good.")
