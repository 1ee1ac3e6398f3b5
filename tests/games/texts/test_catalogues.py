"""Every language has every entry that is needed and no other, with the same places, in a valid file."""

import re
from importlib.resources import files
from string import Formatter

import pytest
from babel.messages.pofile import read_po

from games.texts.catalogue import DOMAINS, LANGUAGES, catalogue
from tests.games.texts.needed import PATTERNS, keys_in_code, needed_keys

FIRST, *OTHERS = LANGUAGES

PROPER_NAMES = {
    "Baron",
    "Cthulhu",
    "Liber Ivonis",
    "Mi-Go",
    "Necronomicon",
    "Nyarlathotep",
    "Professor Henry Armitage",
    "Randolph Carter",
}
"""Texts that may be the same in two languages."""


def entries(language, domain):
    path = files("games.texts") / "locale" / language / f"{domain}.po"
    with path.open("rb") as file:
        return list(read_po(file, abort_invalid=True))[1:], path.read_text(encoding="utf-8")


def places(text):
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_entry_is_missing_and_none_is_unused(language):
    needed = needed_keys()
    assert len(needed) > 300
    have = set(catalogue(language).texts)
    assert sorted(needed - have) == [], "missing"
    assert sorted(have - needed) == [], "unused"


def test_every_pattern_is_asked_for():
    assert set(PATTERNS) <= set(keys_in_code())


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_are_valid(language, domain):
    found, written = entries(language, domain)
    assert f'"Language: {language}\\n"' in written
    ids = re.findall(r'^msgid "(.+)"$', written, re.MULTILINE)
    assert len(ids) == len(set(ids)) == len(found)
    for message in found:
        assert not message.fuzzy, message.id
        assert not list(message.check()), message.id
        assert re.fullmatch(r"[a-z0-9_]+(\.[a-z0-9_]+)+", message.id), message.id
        assert message.string == message.string.strip() != "", message.id
        assert "  " not in message.string, message.id


@pytest.mark.parametrize("domain", DOMAINS)
def test_entries_stand_in_the_same_order_everywhere(domain):
    first = [message.id for message in entries(FIRST, domain)[0]]
    for language in OTHERS:
        assert [message.id for message in entries(language, domain)[0]] == first


@pytest.mark.parametrize("language", OTHERS)
def test_the_places_are_the_same_in_all_languages(language):
    first, other = catalogue(FIRST).texts, catalogue(language).texts
    for key in sorted(needed_keys()):
        assert places(other[key]) == places(first[key]), key
        assert all(places(first[key])), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_its_key(language):
    for key, text in catalogue(language).texts.items():
        assert key not in text


@pytest.mark.parametrize("language", OTHERS)
def test_no_text_is_that_of_another_language(language):
    first, other = catalogue(FIRST).texts, catalogue(language).texts
    alike = {other[key] for key in needed_keys() if other[key] == first[key]}
    # What is nothing but places and signs may be ordered alike.
    worded = {text for text in alike if re.search(r"\w", re.sub(r"{\w+}", "", text))}
    assert worded <= PROPER_NAMES
