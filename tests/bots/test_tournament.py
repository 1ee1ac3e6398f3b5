"""The command line of the tournament: what cannot be played is refused, before hours go by or nothing is played."""

import pytest

from tools.tournament.__main__ import main


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
