"""The tournament: its figures are those of the matches that it plays, and what cannot be played is refused at once."""

import json

import pytest

from games.ids import own_bot
from games.matches.setup import DEALS, REFERENCE, ROTATED
from games.matches.standings import pairs, shares, standings
from tools.tournament.__main__ import main, match
from tools.tournament.deals import main as compare_deals
from tools.tournament.deals import match as deals_match
from tools.tournament.playing import play
from tools.tournament.remembering import Remembering, plain


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--pairs", "lowest:random"], "'lowest:random' is not ONE:OTHERS with two of random, cautious, expert"),
        (["--pairs", "cautious"], "'cautious' is not ONE:OTHERS"),
        (["--pairs", "cautious:random:expert"], "'cautious:random:expert' is not ONE:OTHERS"),
        (["--tables", "standard-2", "standard-9"], "invalid choice: 'standard-9' (choose from "),
    ],
)
def test_what_cannot_be_played_is_refused(words, said, tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        main([*words, "--games", "0", "--results", str(tmp_path / "results.json")])
    assert said in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


def test_a_row_is_what_the_standings_of_its_match_say(tmp_path, capsys):
    results = tmp_path / "results.json"
    words = ["--pairs", "cautious:random", "--tables", "lovecraft-3", "--results", str(results), "--jobs", "1"]
    assert main([*words, "--games", "7"]) == 0
    assert main([*words, "--games", "20"]) == 0, "it goes on where it was"
    made = match("lovecraft", 3, "cautious", "random", 20)
    outcomes = play(made, range(20))
    [row] = json.loads(results.read_text())
    [stands] = standings(made, outcomes)
    assert (row["games"], round(row["won"] / 20, 4)) == (stands["games"], stands["share"]) == (20, stands["share"])
    seats = [[own_bot(one) for one in made.slot(number).players].index("cautious") for number in range(20)]
    assert seats == [number % 3 for number in range(20)]
    won = [shares(outcomes[number])[seat] for number, seat in enumerate(seats)]
    assert row["won"] == pytest.approx(sum(won))
    assert row["squares"] == pytest.approx(sum(one * one for one in won))
    assert f"| {row['games']} | {100 * stands['share']:.1f} ± " in capsys.readouterr().out


def test_games_in_memory_are_those_that_the_service_opens():
    made = match("standard", 2, "cautious", "random", 4)
    assert play(made, [2, 3]) == {number: outcome for number, outcome in play(made, range(4)).items() if number > 1}


def remembering_match(deals, games):
    """The standings and the pair of a program that remembers every deck, and of the same one without a memory."""
    made = deals_match(deals, 2, games, ("remembering", "plain"), "cautious")
    programs = {"remembering": Remembering(), "plain": plain}
    outcomes = play(made, range(games), 1, programs)
    return made, outcomes, pairs(made, outcomes)[0]


def test_a_program_that_remembers_every_deck_gains_nothing_by_reference():
    made, outcomes, pair = remembering_match(REFERENCE, 20)
    assert (pair["deals"], pair["difference"]) == (10, 0.0)
    by_deal = [[outcomes[number] for number in made.slots_of(deal)] for deal in range(10)]
    assert all(one == other for one, other in by_deal), "it plays each deal as if it had no memory"
    assert len({one for one, _ in by_deal}) > 1, "the deals differ"


def test_a_program_that_remembers_every_deck_gains_by_rotated_deals():
    _, _, pair = remembering_match(ROTATED, 20)
    assert pair["interval"][0] > 0


def test_the_kinds_of_deals_are_compared_in_a_table(capsys):
    words = ["--entrants", "cautious", "random", "--seats", "2", "--games", "8", "--jobs", "1"]
    assert compare_deals(words) == 0
    _, _, *rows = capsys.readouterr().out.splitlines()
    found = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    assert [row[:4] for row in found] == [[deals, "2", "8", dealt] for deals, dealt in zip(DEALS, "844", strict=True)]
    made = deals_match(REFERENCE, 2, 8, ("cautious", "random"), "cautious")
    difference = pairs(made, play(made, range(8)))[0]["difference"]
    assert found[2][6] == f"{100 * difference:.1f}"
