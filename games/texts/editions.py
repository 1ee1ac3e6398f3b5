"""Names and describes editions, options, tokens and faces."""

from games.texts.cards import told_as
from games.texts.catalogue import Catalogue


def edition_title(words: Catalogue, edition: str) -> str:
    """Returns an edition's name for people."""
    return words.text(f"edition.{edition}.title")


def edition_text(words: Catalogue, edition: str) -> str:
    """Returns how a round and a game of an edition go, for somebody who does not know the rules."""
    return words.text(f"edition.{told_as(edition)}.text")


def token_name(words: Catalogue, kind: str) -> str:
    """Returns what a kind of token is called: `favor`, `sane` or `insane`."""
    return words.text(f"token.{kind}.name")


def token_object(words: Catalogue, kind: str) -> str:
    """Returns one such token as the object of a sentence."""
    return words.text(f"token.{kind}.object")


def face_name(words: Catalogue, face: str) -> str:
    """Returns what a face is called: `sane` or `insane`."""
    return words.text(f"face.{face}.name")


def face_text(words: Catalogue, face: str) -> str:
    """Returns what it means to be sane or insane, and which of two effects one uses then."""
    return words.text(f"face.{face}.text")


def option_name(words: Catalogue, option: str) -> str:
    """Returns an option's name."""
    return words.text(f"option.{option}.name")


def option_text(words: Catalogue, option: str) -> str:
    """Returns in words what an option decides."""
    return words.text(f"option.{option}.text")


def value_name(words: Catalogue, option: str, value: str) -> str:
    """Returns the name of an option's value."""
    return words.text(f"option.{option}.{value}.name")


def value_text(words: Catalogue, option: str, value: str) -> str:
    """Returns in words what a value of an option means for the game."""
    return words.text(f"option.{option}.{value}.text")
