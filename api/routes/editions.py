"""Describes the editions you can play."""

from api.document.operations import Reply
from api.request.current import words
from api.responses import CompleteResponse, plain
from api.routes.blueprint import Blueprint
from api.schemas.editions import EditionDetail, EditionList
from games.views import editions as catalogue

editions = Blueprint("Editions", __name__, description="What you can play: rule sets, decks and cards.")

UNCHANGING = "public, max-age=300"


@editions.operation(
    "GET",
    "/v1/editions",
    "listEditions",
    Reply(200, EditionList(), "The editions.", ("ContentLanguage",)),
    token="none",
)
def listing() -> CompleteResponse:
    """List the editions

    Each with its numbers of seats and the house rules you can choose.
    """
    return plain({"items": catalogue.listing(words()), "next_cursor": None}, 200, UNCHANGING, words().language)


@editions.operation(
    "GET",
    "/v1/editions/<id:edition_id>",
    "getEdition",
    Reply(200, EditionDetail(), "The edition.", ("ContentLanguage",)),
    token="none",
    refusals=("not_found",),
)
def detail(edition_id: str) -> CompleteResponse:
    """Get an edition

    Everything a reference card shows, and what a play of each card takes. By number of seats: the deck, the tokens that
    win, and what may be named. By card: its number, copies and texts, whom it chooses and what it asks. In `classic`
    the cards have the numbers of `standard` too, so no card has a 0 or a 6.
    """
    return plain(catalogue.detail(edition_id, words()), 200, UNCHANGING, words().language)
