"""Choosing at the terminal: by number, by groups where there is much to choose from, by a text to look for."""

import itertools

import pytest

from billet.demo import choice
from engine import options
from engine.editions import EDITIONS
from engine.logs import codec
from games.texts.actions import action_texts
from tests.billet.tables import names, seat, view
from tests.engine.given import given

PLAYERS = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"]


def at_table(language, edition, seats):
    return names(language, edition, view(*(seat(number, name) for number, name in enumerate(PLAYERS[:seats]))))


def legal(named, state):
    """The legal actions of a state, as the interface gives them."""
    actions = options.legal_actions(state)
    texts = action_texts(named.words, actions, state.to_act, PLAYERS[: len(state.seats)], state.book)
    return [{"action": codec.action_data(action), "text": text} for action, text in zip(actions, texts, strict=True)]


@pytest.fixture
def many():
    """The seat with a Guard and the Bishop at the largest table, and what it may do."""
    table = given("premium", hands=["guard bishop", *["priest"] * 7], deck="prince prince")
    named = at_table("en", "premium", 8)
    return legal(named, table.state), named


def typed(monkeypatch, capsys, offered, *lines):
    """What `ask` returns and prints when somebody types these lines."""
    said = iter(lines)
    monkeypatch.setattr("builtins.input", lambda prompt: print(prompt) or next(said))
    chosen = choice.ask(*offered)
    assert next(said, None) is None, "it stopped listening"
    return chosen, capsys.readouterr().out


SHORT = [{"text": "Play the Guard", "action": {"type": "new"}}, {"text": "Play the Priest", "action": {"type": "new"}}]


@pytest.fixture
def few():
    return SHORT, at_table("en", "standard", 2)


def test_few_actions_are_listed(monkeypatch, capsys, few):
    chosen, out = typed(monkeypatch, capsys, few, " 2 ")
    assert chosen == SHORT[1]
    assert out.startswith("   1. Play the Guard\n   2. Play the Priest\nYour choice, 1 to 2 (")


def test_one_choice_is_no_range(monkeypatch, capsys, few):
    chosen, out = typed(monkeypatch, capsys, (SHORT[:1], few[1]), "q", "y")
    assert chosen is None
    assert "Your choice, 1 (" in out


def test_what_is_no_choice_is_said(monkeypatch, capsys, few):
    chosen, out = typed(monkeypatch, capsys, few, "0", "3", "\N{SUPERSCRIPT TWO}", "", "1")
    assert chosen == SHORT[0]
    assert "'0' is none of them." in out
    assert "'3' is none of them." in out
    assert "None of them says '\N{SUPERSCRIPT TWO}'." in out
    assert "Say which one by its number." in out
    assert "Return shows everything" not in out


def test_part_of_the_text_finds_it(monkeypatch, capsys, few):
    chosen, out = typed(monkeypatch, capsys, few, "PRIEST", "1")
    assert chosen == SHORT[1]
    assert "   1. Play the Priest\n      (Return shows everything again.)\n" in out


def test_a_search_goes_on_in_all_of_them(monkeypatch, capsys, few):
    chosen, _ = typed(monkeypatch, capsys, few, "priest", "guard", "1")
    assert chosen == SHORT[0]


def test_many_are_chosen_card_by_card_and_seat_by_seat(monkeypatch, capsys, many):
    assert len(many[0]) == 126
    chosen, out = typed(monkeypatch, capsys, many, "2", "7", "9")
    assert chosen["action"] == {
        "type": "play_card",
        "card": "bishop",
        "targets": [7],
        "guess_value": 9,
    }
    assert "   1. Guard (1) ... (63 ways)\n   2. Bishop (9) ... (63 ways)\n" in out
    assert "   7. Bishop (9) on Hal ... (9 ways)\n" in out
    assert "   9. Play the Bishop on Hal and guess 9 (Bishop)\n" in out


def test_return_shows_all_groups_again(monkeypatch, capsys, many):
    chosen, out = typed(monkeypatch, capsys, many, "1", "", "q", "y")
    assert chosen is None
    assert out.count("1. Guard (1) ... (63 ways)") == 2


def test_several_words_narrow_many_down(monkeypatch, capsys, many):
    chosen, out = typed(monkeypatch, capsys, many, "guard cleo handmaid", "1")
    assert chosen["action"]["guess_value"] == 4
    assert chosen["action"]["targets"] == [2]
    assert "   1. Play the Guard on Cleo and guess 4 (Handmaid or Sycophant)\n      (Return" in out


@pytest.mark.parametrize("language", ["en", "de"])
def test_hands_are_given_one_after_another(language, monkeypatch, capsys):
    cards = ["guard", "priest", "baron", "prince", "king"]
    named = at_table(language, "premium", 6)
    everything = [
        {"action": {"type": "give_hands", "hands": hands}, "text": str(number)}
        for number, order in enumerate(itertools.permutations(cards))
        for hands in [[{"seat": seat, "card": card} for seat, card in enumerate(order, 1)]]
    ]
    chosen, out = typed(monkeypatch, capsys, (everything, named), "3", "1", "6")
    given_to = [hand["card"] for hand in chosen["action"]["hands"]]
    assert given_to == ["baron", "guard", "king", "prince", "priest"]
    first = {"en": "   3. Baron (3) for Ben ... (24 ways)\n", "de": "   3. Baron (3) für Ben ... (24 Möglichkeiten)\n"}
    then = {
        "en": "   1. Baron (3) for Ben; Guard (1) for Cleo ... (6 ways)\n",
        "de": "   1. Baron (3) für Ben; Wächterin (1) für Cleo ... (6 Möglichkeiten)\n",
    }
    assert first[language] in out
    assert then[language] in out


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_list_is_long_and_every_action_can_be_reached(language, edition):
    seats = EDITIONS[edition].seats[-1]
    named = at_table(language, edition, seats)
    cards = [card.key for card in EDITIONS[edition].cards_for(seats) if card.copies]
    mad = next((card.key for card in EDITIONS[edition].cards_for(seats) if card.insane is not None), None)
    for one, other in itertools.combinations(cards, 2):
        hands = [f"{one} {other}", *[cards[0]] * (seats - 1)]
        table = given(edition, hands=hands, discards={0: mad} if mad is not None else {})
        actions = legal(named, table.state)
        assert sorted(reached(actions, named)) == sorted(choice["text"] for choice in actions)


def reached(some, named):
    offered = choice.offers(some, named)
    assert len(offered) <= choice.LONG
    for offer in offered:
        yield from [offer.actions[0]["text"]] if len(offer.actions) == 1 else reached(offer.actions, named)


def test_the_reference_card_and_single_cards_are_explained(monkeypatch, capsys, many):
    _, out = typed(monkeypatch, capsys, many, "?", "? QUEEN", "?no such card", "q", "y")
    assert out.count("  Premium (2018, 16 or 32 cards)\n") == 2
    assert "  Dowager Queen (7). Choose another player and compare hands in secret." in out


@pytest.mark.parametrize("answer", ["", "n", "q"])
def test_leaving_is_asked_for_once_more(monkeypatch, capsys, many, answer):
    chosen, out = typed(monkeypatch, capsys, many, "q", answer, "q", "yes")
    assert chosen is None
    assert out.count("Leave and resign the game? (y/N)") == 2
