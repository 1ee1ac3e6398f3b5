"""Makes the golden files: `python -m tests.golden.generate`. Look at the difference before you commit it.

Adding an edition needs nothing here: the tables are listed from the editions.
"""

from pathlib import Path

from tests.golden import perft, playthrough, shuffle_vectors, whole_games

FOLDER = Path(__file__).parent


def made_again():
    """Returns the text of all files that must equal what is made today, by name."""
    return perft.files() | playthrough.files() | shuffle_vectors.files()


def write():
    """Writes all files anew; logs and their ends only where there are none."""
    made = made_again()
    for path in (*FOLDER.glob("perft/*"), *FOLDER.glob("playthroughs/*")):
        path.unlink()
    for name, text in made.items():
        (FOLDER / name).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / name).write_text(text, encoding="utf-8")
    whole_games.write()


if __name__ == "__main__":
    write()
