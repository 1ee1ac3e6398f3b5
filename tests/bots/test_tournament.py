"""The tournament: its figures are those of the matches that it plays, and what cannot be played is refused at once."""

import json

import pytest

from games.ids import own_bot
from games.matches.standings import shares, standings
from tools.tournament.__main__ import main, match
from tools.tournament.playing import play


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
