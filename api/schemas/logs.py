"""Whole logs and the verdict on one; the JSON Schema of the log describes its content."""

from typing import Any

import marshmallow as ma

from api.schemas.fields.base import Flag, Integer, Items, OpenObject, Part, Text, Words


def free(description: str, **options: Any) -> "ma.fields.Field[Any]":
    """Returns a field for an object whose members are described elsewhere."""
    return ma.fields.Dict(metadata={"description": description, "additionalProperties": True}, **options)


class LogEvent(OpenObject):
    """An event as it is stored, with what caused it."""

    version = Integer("The event's number in the log, from 1 without gaps.", least=1)
    v = Integer("The version of the form in which the data is written.", least=1)
    type = Text("What happened.")
    at = Text("When it happened: RFC 3339 in UTC, with milliseconds.")
    data = free("Its data, with all cards.")
    cause = free("What caused this event and those up to the next cause; null where no step begins.", allow_none=True)
    rules = Integer("The version of the rules by which the step follows from its cause.", least=1, allow_none=True)


class GameLog(OpenObject):
    """A whole game that has ended, for anybody to keep, to verify and to study."""

    format = Text("What this is: `billet-log`.")
    format_version = Integer("Increases when readers of the previous version would misread this one.", least=1)
    package_version = Text("The version of Billet that wrote the log.")
    rules_version = Integer("The version of the rules when the table was opened.", least=1)
    game = Text("The game's id.")
    edition = Text("The rule set and deck.")
    options = Words("The house rules in force.")
    seats = Integer("How many seats the table has.", least=1)
    players = Items(Text("A player's id.", allow_none=True), "The ids of the players by seat; null where nobody sat.")
    nonces = Items(
        Text("SHA-256 in hex, or empty."), "The contributions to the shuffle by seat; empty where there is none."
    )
    commitment = Text("SHA-256 commitment to the secret, in hex.")
    secret = Text("The secret that all chance of the game comes from, in hex.")
    digest = Text("SHA-256 in hex over the head without this member and all events, each as canonical JSON.")
    events = Items(Part(LogEvent()), "All events, in order.")


class LogToVerify(ma.Schema):
    """A whole portable log; the answer says what is wrong with anything else."""

    class Meta:
        """Takes whatever there is."""

        unknown = ma.INCLUDE


class LogDivergence(OpenObject):
    """The first place where a log is not what it must be."""

    check = Text("What does not hold: `schema`, `head`, `versions`, `times`, `commitment`, `steps` or `digest`.")
    version = Integer("The version of the event; null where it is the head.", least=1, allow_none=True)
    expected = free(
        "What must be there, such as the `type` and `data` of an event; null where it is nothing or unknown.",
        allow_none=True,
    )
    found = free("What is there; null where there is nothing.", allow_none=True)
    text = Text("Why, in words.")


class LogGap(OpenObject):
    """A check that could not be made."""

    check = Text("Which check, named as in a divergence.")
    version = Integer("The version from which it could not be made.", least=1)
    text = Text("Why, in words.")


class LogVerdict(OpenObject):
    """The result of verifying a log."""

    valid = Flag("Whether everything was checked and is right.")
    divergence = Part(LogDivergence(), "The first place where the log is wrong, or null.", allow_none=True)
    unchecked = Items(
        Part(LogGap()),
        "What could not be checked, as in a log that was made by other rules: such a log is never called valid.",
    )
    unproven = Items(
        Text("The name of a member."),
        "What a valid log says and nothing else in it depends on, such as `package_version` and the `thought` of bots: "
        "you can only trust its author. Empty if the log is not valid.",
    )
    text = Text("The result in a sentence.")
