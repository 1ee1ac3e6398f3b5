"""All that a viewer can get to read of a game."""

import re

import orjson

from games.errors import Refused
from games.texts.catalogue import LANGUAGES, catalogue
from tests.service.at_table import EN, said


def hidden(text, game):
    """Returns an answer without what differs from game to game: ids, times, names of players, the commitment."""
    for word in (game.id, *[one.id for one in (game.creator, *game.guests.values())]):
        text = text.replace(word, "-")
    text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "-", text)
    return re.sub(r'"(commitment|nonces|join_code)":"[^"]*"', "-", text)


def everything_for(service, game, viewer):
    """Returns all that a viewer can get to read of a game, refusals too."""
    token = game.token(viewer)
    answers = [service.games.events(token, game.id)]
    for words in map(catalogue, LANGUAGES):
        answers += [service.games.view(token, game.id, words=words), service.games.events(token, game.id, words=words)]
    answers += [
        service.games.view(token, game.id, at=version, words=EN) for version in range(1, game.view()["version"] + 1)
    ]
    answers.append(service.games.rounds(token, game.id))
    found = [f"{answer.tag} {answer.body.decode()}" for answer in answers]
    for words in map(catalogue, LANGUAGES):
        for after, texts in ((None, False), (0, False), (0, True)) if words is EN else ((None, False), (0, True)):
            for frames in (False, True):
                begun = service.follow.begin(token, game.id, after=after, words=words, texts=texts, frames=frames)
                found.append(orjson.dumps([begun.view, *service.follow.rest(begun)]).decode())
        found.append(service.frames.page(token, game.id, words=words, texts=True).body.decode())
    found.append(orjson.dumps(service.lobby.public(None)["items"]).decode())
    for card in ("guard", "king", "princess", "prince", "elder_sign", "cthulhu"):
        try:
            game.act(
                0 if viewer is None else viewer, {"type": "play_card", "card": card, "targets": [9], "guess": "king"}
            )
        except Refused as refused:
            texts = [said(refused, catalogue(language)) for language in LANGUAGES]
            seen = (refused.code, refused.reason, texts, refused.legal_actions, refused.version)
            if viewer is not None:
                found.append(str(seen))
    return hidden("\n".join(found), game)
