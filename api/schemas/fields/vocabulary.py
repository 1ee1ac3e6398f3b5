"""The enumerations of the document; cards, editions and bots come from the engine so that they cannot drift."""

from api.schemas.fields.base import Vocabulary
from engine.actions import ACTIONS
from engine.bots import BOTS
from engine.editions import EDITIONS
from games.aids.reviews import MARKS
from games.matches.setup import DEALS as DEALS_OF_MATCHES
from games.matches.setup import PAUSED, RUNNING
from games.matches.setup import STATES as STATES_OF_MATCHES
from games.notices import TYPES
from games.player import HIDEABLE as HIDDEN_PARTS
from games.queue.tickets import BOTS as QUEUE_BOTS
from games.queue.tickets import STATES
from games.ratings.pools import KINDS, PACES, SIZES
from games.ratings.records import OUTCOMES
from games.tables.reactions import REACTIONS
from games.tables.seats import DECLINE_REASONS
from games.texts.catalogue import LANGUAGES

CARD = Vocabulary(
    "CardId",
    "A kind of card. What it does and its value depend on the edition; see the cards of an edition.",
    tuple(
        dict.fromkeys(
            card.key for edition in EDITIONS.values() for seats in edition.seats for card in edition.cards_for(seats)
        )
    ),
)
EDITION = Vocabulary("EditionId", "A rule set and its deck.", tuple(EDITIONS))
BOT = Vocabulary("BotId", "One of the service's own bots.", tuple(BOTS))
LANGUAGE = Vocabulary("LanguageCode", "A language that the service speaks.", LANGUAGES)
PLAYER_KIND = Vocabulary("PlayerKind", "A person, or a program that says so.", ("human", "bot"))
STATUS = Vocabulary(
    "GameStatus",
    "Where a game stands: waiting for players, being played, over, or ended without a result.",
    ("open", "active", "finished", "aborted"),
)
VISIBILITY = Vocabulary(
    "Visibility",
    "`public`: in the lobby, anyone may watch. `unlisted`: only with its join code.",
    ("public", "unlisted"),
)
CLOCK = Vocabulary(
    "ClockKind",
    "What a clock limits. `decision`: each decision by itself. `bank`: all decisions of a seat in the whole game "
    "together.",
    ("decision", "bank"),
)
ON_TIMEOUT = Vocabulary(
    "TimeoutRule",
    "What happens when a seat does not act in time: a bot stands in for it until its player is back, or it leaves the "
    "game.",
    ("bot_plays", "forfeit"),
)
DECLINE = Vocabulary("DeclineReason", "Why an invitation is declined.", DECLINE_REASONS)
REACTION = Vocabulary("ReactionWord", "What a seated player may tell the others beside the game.", REACTIONS)
NOTICE = Vocabulary("NoticeType", "What a notice is about.", (*TYPES, "other"))
MARK = Vocabulary("ChoiceMark", "How much a choice cost: `slip`, something; `mistake`, much.", MARKS)
QUEUE_STATE = Vocabulary(
    "QueueState",
    "What a queue ticket is: `waiting`, `matched` with a game, `expired` as nobody asked for it, or `cancelled`.",
    STATES,
)
QUEUE_BOT_RULE = Vocabulary(
    "QueueBotRule",
    "Whether bots may take the seats for which nobody is found: `never`, or `fill` after 20 seconds.",
    QUEUE_BOTS,
)
LOBBY_CHANGE = Vocabulary("LobbyChangeType", "What has happened to a game of the lobby.", ("opened", "changed", "gone"))
HIDEABLE = Vocabulary(
    "HideablePart",
    "A part of a player's page: whether they are `online`, their `history` of games with the record, their `ratings`.",
    HIDDEN_PARTS,
)
POOL_SIZE = Vocabulary("PoolSize", "How many seats the games of a pool have.", SIZES)
MATCH_STATE = Vocabulary(
    "MatchState",
    "Where a match stands: waiting until its programs accept, being played, stopped for a while, or over: no further "
    "game is opened.",
    STATES_OF_MATCHES,
)
MATCH_STEP = Vocabulary("MatchStep", "What becomes of a match: it stops for a while, or goes on.", (PAUSED, RUNNING))
DEALS = Vocabulary(
    "MatchDeals",
    "Which games of a match are dealt the same cards. `fresh`: none. `rotated`: each group of them in which everybody "
    "sits on every seat once. `reference`: those in which each entrant plays the same deal, from the same seat, "
    "against the same bots, which have the same chance.",
    DEALS_OF_MATCHES,
)
PACE = Vocabulary(
    "Pace",
    "`live`: at most ten minutes for a decision, or a bank of two hours. `days`: longer, or without a clock.",
    PACES,
)
POOL_KIND = Vocabulary("PoolKind", "Who is compared in a pool.", KINDS)
OUTCOME = Vocabulary("GameOutcome", "What came of a game for a player.", OUTCOMES)
UNTIL = Vocabulary("WaitUntil", "What a wait lasts for: `turn`, until the caller must act.", ("turn",))
FACE = Vocabulary("Face", "Which of a card's two effects is used.", ("sane", "insane"))
TOKEN = Vocabulary(
    "TokenId",
    "A kind of token: `favor` where there is one kind, else `sane` or `insane`.",
    ("favor", "sane", "insane"),
)
GUESS = Vocabulary(
    "GuessKind", "What a card names: a card (`guess`) or a number of cards (`guess_value`).", ("card", "value")
)
DECISION = Vocabulary(
    "DecisionKind",
    "What a seat is asked: the type of the action that answers it.",
    tuple(ACTIONS),
)


def option_values(name: str) -> tuple[str, ...]:
    """Returns the values of a house rule in all editions that have it."""
    found = (edition.options.get(name, ()) for edition in EDITIONS.values())
    return tuple(dict.fromkeys(value for values in found for value in values))


OPTIONS = {
    name: Vocabulary(
        "".join(part.capitalize() for part in name.split("_")) + "Choice",
        f"A value of the house rule `{name}`; what it means is said with the edition.",
        option_values(name),
    )
    for name in dict.fromkeys(name for edition in EDITIONS.values() for name in edition.options)
}
"""By the name of a house rule: what may be chosen."""
