"""The request and response for a ticket, which opens a stream."""

from api.schemas.fields.base import ClosedObject, OpenObject, Text, UtcTime


class TicketClaim(ClosedObject):
    """What lets you watch the game."""

    join_code = Text("The join code of an unlisted game where you have no seat.", most=64)


class Ticket(OpenObject):
    """Replaces your token in one call for a stream."""

    ticket = Text("Send it as `?ticket=`; the first stream that it opens uses it up.")
    expires_at = UtcTime("When it expires.")
