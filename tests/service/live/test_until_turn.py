"""Waits that last until the caller must act, whatever happens before."""

import hashlib
import random

import pytest

from tests.service.at_table import EN, LONG, Game, guest, read

BOT_PLAYS = {"seconds": 10, "on_timeout": "bot_plays"}
NONCE = "a nonce that somebody keeps to themselves"


def frames(service, token, game, **more):
    return read(service.frames.page(token, game, words=EN, **more))["frames"]


def events(service, token, game, **more):
    return read(service.games.events(token, game, **more))["events"]


@pytest.fixture(params=[frames, events], ids=["frames", "events"])
def wait(request, service):
    """Waits for somebody's turn after the newest version; `meanwhile` is what each wait brings."""

    def wait(game, token, meanwhile, **more):
        waits = []

        def waiter(of, after, seconds):
            waits.append((of, after, seconds))
            assert len(waits) < 1000, "it waits for ever"
            meanwhile()

        after = game.view(creator=True)["version"]
        options = {"wait": 30, "until_turn": True, "after": after, "waiter": waiter, **more}
        return request.param(service, token, game.id, **options), waits

    return wait


def step_of(game, seed=3):
    rng = random.Random(seed)
    return lambda: game.step(rng)


def test_it_answers_when_the_turn_has_come_with_all_that_happened_before(service, wait):
    game = Game.begin(service, 4)
    last = (game.to_act() - 1) % 4
    before = game.view()["version"]
    found, waits = wait(game, game.token(last), step_of(game))
    assert game.to_act() == last
    assert len(waits) >= 3, "three others have acted"
    assert [of for of, *_ in waits] == [game.id] * len(waits)
    assert waits[0][1] == before
    assert found[-1]["version"] == game.view()["version"]


def test_whose_turn_it_is_already_gets_an_answer_at_once(service, wait):
    game = Game.begin(service, 2)
    assert wait(game, game.token(game.to_act()), lambda: pytest.fail("it waits")) == ([], [])


def test_it_answers_when_the_game_has_ended(service, wait):
    game = Game.begin(service, 3)
    seat = game.to_act()

    def give_up():
        for other in range(3):
            if other != seat:
                service.tables.leave(game.token(other), game.id, words=EN)

    found, waits = wait(game, game.token((seat + 1) % 3), give_up)
    assert len(waits) == 1
    assert game.view()["status"] == "finished"
    assert found[-1]["version"] == game.view()["version"]


@pytest.mark.parametrize("seated", [False, True], ids=["who watches", "who has left"])
def test_whose_turn_never_comes_waits_for_the_end(service, wait, seated):
    game = Game.begin(service, 3) if seated else Game.begin(service, 2)
    token = game.token((game.to_act() + 1) % 3) if seated else guest(service).token
    if seated:
        service.tables.leave(token, game.id, words=EN)
    _, waits = wait(game, token, step_of(game))
    assert game.view()["status"] == "finished"
    assert len(waits) > 3


def test_a_wait_that_brings_nothing_was_cut_short(service, wait):
    game = Game.begin(service, 2)
    found, waits = wait(game, game.token(1 - game.to_act()), lambda: None)
    assert (found, len(waits)) == ([], 1)


def test_a_clock_that_runs_out_goes_on_with_the_wait(service, wait, clock):
    game = Game.begin(service, 3, clock=BOT_PLAYS)
    last = (game.to_act() - 1) % 3
    found, waits = wait(game, game.token(last), lambda: clock.advance(10))
    assert game.to_act() == last
    assert max(seconds for *_, seconds in waits) <= 10, "nobody waits longer than the clock"
    assert found


def test_a_nonce_to_reveal_is_waited_for_like_a_turn(service, wait):
    hashed = hashlib.sha256(NONCE.encode()).hexdigest()
    game = Game.open(service, "creator", "open", "open", nonce_hash=hashed)
    _, waits = wait(
        game, game.creator.token, lambda: service.tables.take_seat(guest(service).token, game.id, {}, words=EN)
    )
    assert len(waits) == 2
    assert game.view()["reveal"]["seats"] == [0]


def test_of_several_own_seats_it_waits_for_the_one_that_looks(service, wait):
    game = Game.open(service, "creator", "creator", sandbox=LONG)
    game.guests[1] = game.creator
    assert game.to_act() == 0
    assert wait(game, game.creator.token, lambda: pytest.fail("it waits"))[1] == []
    _, waits = wait(game, game.creator.token, step_of(game), as_=1)
    assert len(waits) == 1
    assert game.to_act() == 1


def test_without_a_wait_it_changes_nothing(service, wait):
    game = Game.begin(service, 2)
    found, waits = wait(game, game.token(1 - game.to_act()), lambda: pytest.fail("it waits"), wait=0, after=0)
    assert waits == []
    assert found
