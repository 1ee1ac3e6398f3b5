"""The golden files: today's engine makes them again."""

import json
from collections import Counter

import pytest

from engine.editions import EDITIONS
from engine.shuffle import PLAIN, Dealer, commitment, nonce_digest, revealed_digest
from tests.engine.written.golden_files import ADVICE
from tests.golden import perft, playthrough, shuffle_vectors
from tests.golden.generate import FOLDER
from tests.golden.tables import TABLES, decisions_of

PERFT = sorted((FOLDER / "perft").glob("*.perft"))


def text_of(name):
    path = FOLDER / name
    assert path.exists(), f"{name} is missing: {ADVICE}"
    return path.read_text(encoding="utf-8")


class TestPerft:
    def test_every_edition_has_files_for_its_smallest_and_largest_table(self):
        deals = [perft.read(path.read_text())[0] for path in PERFT]

        of_table = Counter((deal.edition, deal.seats) for deal in deals)
        assert of_table.keys() == set(TABLES), ADVICE
        assert min(of_table.values()) >= 2

    @pytest.mark.many
    @pytest.mark.parametrize("path", PERFT, ids=lambda path: path.stem)
    def test_the_counts_are_right(self, path):
        deal, found = perft.read(path.read_text())

        for depth, expected in enumerate(found, start=1):
            counted = perft.count(deal.state(), deal.chance(), depth)
            assert counted == expected, f"under each first action: {perft.divide(deal, depth)}"

    @pytest.mark.many
    @pytest.mark.parametrize("edition", EDITIONS)
    def test_the_sequences_hold_every_decision_of_the_edition(self, edition):
        found, wanted = set(), decisions_of(edition, EDITIONS[edition].seats[-1])
        for path in (path for path in PERFT if path.stem.startswith(edition)):
            deal, counts = perft.read(path.read_text())
            for decision in perft.answered(deal.state(), deal.chance(), len(counts)):
                found.add(decision)
                if found == wanted:
                    return
        assert found == wanted, ADVICE


class TestPlaythroughs:
    @pytest.mark.many
    @pytest.mark.parametrize(("edition", "seats"), TABLES)
    def test_are_played_again_to_the_letter(self, edition, seats):
        text = text_of(f"playthroughs/{edition}-{seats}.txt")
        assert playthrough.playthrough(edition, seats, playthrough.seed_of(text)) == text, ADVICE

    @pytest.mark.parametrize(("edition", "seats"), TABLES)
    def test_hold_every_decision_of_their_table(self, edition, seats):
        text = text_of(f"playthroughs/{edition}-{seats}.txt")
        assert playthrough.decisions_in(text) == decisions_of(edition, seats), ADVICE

    def test_there_are_no_others(self):
        names = {f"{edition}-{seats}.txt" for edition, seats in TABLES}
        assert {path.name for path in (FOLDER / "playthroughs").iterdir()} == names


class TestShuffleVectors:
    VECTORS = json.loads(text_of("shuffle.json"))

    def test_are_made_again_to_the_letter(self):
        assert shuffle_vectors.files()["shuffle.json"] == text_of("shuffle.json"), ADVICE

    @pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["game"])
    def test_say_what_the_engine_does(self, vector):
        secret = bytes.fromhex(vector["secret"])
        assert commitment(secret) == vector["commitment"]
        digest = nonce_digest if vector["mode"] == PLAIN else revealed_digest
        assert [digest(text) if text else "" for text in vector["nonce_texts"]] == vector["nonces"]
        dealer = Dealer(secret, vector["game"], vector["nonces"], vector["mode"])
        for dealt in vector["rounds"]:
            assert dealer.order(vector["cards"], dealt["number"]) == dealt["order"]
            assert dealer.starter(range(len(vector["nonces"])), dealt["number"]) == dealt["starter"]
        for answer in vector["answers"]:
            assert dealer.answer(answer["count"], answer["version"]) == answer["index"]
