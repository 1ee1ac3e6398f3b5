"""The seal of a player: the same for an id everywhere, another for another, seen in both themes and without colours."""

import json
import subprocess
from collections import Counter
from pathlib import Path

import pytest

WEB = Path(__file__).parents[3] / "web"
SCRIPT = """
globalThis.document = { createTreeWalker: () => ({}), createComment: () => ({}) };
const { EMBLEM, shape } = await import("./look/seal.js");
const of = (cut) => Array.from({ length: 2000 }, (_, n) => shape(`p${(n * 2654435761).toString(16)}`, cut));
console.log(JSON.stringify({ people: of(false), programs: of(true), emblem: EMBLEM }));
"""
GROUNDS = ["#f7f2e8", "#ece5d8", "#34272f", "#1c1319"]
"""Of panels and pages, light and dark: see look/sheet.js."""


def drawn():
    run = subprocess.run(
        ["node", "--input-type=module", "-e", SCRIPT], cwd=WEB, capture_output=True, text=True, check=True
    )
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def seals():
    return drawn()


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_each_player_has_a_seal_and_hardly_two_the_same(seals):
    assert drawn() == seals, "it depends on the id alone"
    assert len({json.dumps(seal) for seal in seals["people"]}) > 1990
    edges = {seal["edge"] for seal in seals["people"]}
    assert not edges & {seal["edge"] for seal in seals["programs"]}, "a program's is told by its edge"


@pytest.mark.parametrize(("part", "many"), [("emblem", 16), ("wax", 8), ("rim", 3)])
def test_no_emblem_wax_or_rim_is_rare(seals, part, many):
    counted = Counter(seal[part] for seal in seals["people"])
    assert len(counted) == many
    assert min(counted.values()) > 2000 / many / 1.5


def test_wax_stands_out_from_every_ground_and_the_emblem_from_the_wax(seals):
    for wax in {seal["wax"] for seal in seals["people"]}:
        assert min(contrast(wax, ground) for ground in GROUNDS) >= 3, wax
        assert contrast(wax, seals["emblem"]) >= 4, wax
