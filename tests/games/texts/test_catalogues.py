"""Every language has every entry that is needed and no other, with the same places, in a valid file."""

import re
from importlib.resources import files
from string import Formatter

import pytest
from babel.messages.pofile import read_po

from engine.bots import BOTS
from games.texts.catalogue import DOMAINS, LANGUAGES, catalogue
from tests.games.texts.needed import PATTERNS, keys_in_code, needed_keys

FIRST, *OTHERS = LANGUAGES

PROPER_NAMES = {
    *(catalogue(FIRST).texts[f"bot.{bot}.names"] for bot in BOTS),
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

TECHNICAL = re.compile(
    r"`|(?<!\w)/\w|\b(HTTP|JSON|UTF-8|ASCII|GET|POST|PUT|PATCH|DELETE|Idempotency|Authorization|Bearer|ETag|If-Match"
    r"|Retry-After|Last-Event-ID|Registration-Key|Content-\w+)\b|\b(?i:headers?|kopfzeilen?|body|query|nonces?|cursors?)\b"
)
"""What a player does not understand: code, paths, parts of a request."""

FOR_PROGRAMS = {
    # 400 and 413: what cannot be read or is too long.
    "detail.body_too_long",
    "detail.byte_order_mark",
    "detail.constant",
    "detail.header_too_long",
    "detail.long_number",
    "detail.member_twice",
    "detail.not_json",
    "detail.not_understood",
    "detail.not_utf_8",
    "detail.too_deep",
    "detail.too_many_parameters",
    # 415.
    "detail.body_encoded",
    "detail.log_encoded",
    "detail.not_declared_json",
    # 409: keys used twice.
    "detail.key_of_an_old_player",
    "detail.key_of_an_old_table",
    "detail.key_of_another_request",
    # 422: what no player has typed.
    "detail.body_invalid_as_a_whole",
    "detail.idempotency_key",
    "detail.last_cursor",
    "detail.last_event_id",
    "detail.stream_needs_http_1_1",
    # 400 and 422: the form of a log, which programs write and nobody types.
    "log.begins_otherwise",
    "log.not_as_schema",
    "log.not_json",
    "log.line_not_json",
    "log.not_the_same",
    "log.not_utf_8",
}
"""Details that only the author of a program can cause."""


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_player_can_cause_is_fit_to_be_shown_to_that_player(language):
    texts = catalogue(language).texts
    shown = {key for key in texts if key.startswith(("detail.", "reason.", "log."))} - FOR_PROGRAMS
    assert len(shown) > 100
    assert {key: texts[key] for key in sorted(shown) if TECHNICAL.search(texts[key])} == {}


def test_only_technical_details_are_left_to_programs():
    texts = [catalogue(language).texts for language in LANGUAGES]
    assert {key for key in FOR_PROGRAMS if not any(TECHNICAL.search(words[key]) for words in texts)} == set()
