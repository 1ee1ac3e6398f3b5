"""How the example bots begin: what they say of themselves, and of what is wrong with their address or token."""

import signal
import time

import httpx
import pytest

from tools.players.example_bots import MAKERS
from tools.testbed.installation import deaf_port
from tools.testbed.installed import imported


@pytest.fixture(params=MAKERS)
def start(request, project, tmp_path):
    """Starts one of the bots at an address, with the token that it has kept if there is one."""
    bots = []

    def start(base, token=None, **environment):
        bot = MAKERS[request.param](project.built / "programs" / "bot.mjs", base, tmp_path, **environment)
        if token is not None:
            bot.token_file.write_text(token)
        bot.start()
        bots.append(bot)
        return bot

    yield start
    for bot in bots:
        bot.kill()


@pytest.fixture
def nobody():
    """An address where nobody listens."""
    with deaf_port() as port:
        yield f"http://127.0.0.1:{port}"


def test_it_says_that_it_looks_for_the_service_and_ends_without_a_word(start, nobody):
    bot = start(nobody)
    bot.says(f"^Looking for the service at {nobody}$")
    time.sleep(0.5)  # in the middle of its attempts
    bot.process.send_signal(signal.SIGINT)
    assert bot.ends() == (-signal.SIGINT, f"Looking for the service at {nobody}\n")
    assert not bot.token_file.exists()


def test_an_address_that_is_none_ends_it_with_a_sentence(start):
    address = "localhost:8000"
    status, said = start(address).ends()
    assert status == 1
    looking, sentence = said.splitlines()
    assert looking == f"Looking for the service at {address}"
    assert "is no address of a service: those begin with http:// or https://" in sentence


@pytest.mark.parametrize("token", ["", "no-player-has-this"])
def test_a_token_that_is_none_ends_it_with_a_sentence_that_names_the_file(start, served, token):
    bot = start(served.base, token)
    status, said = bot.ends()
    assert status == 1
    assert "Traceback" not in said
    sentence = said.splitlines()[1]  # after it Python may warn of a connection that the end of the process closes
    assert f"kept in {bot.token_file}; delete that file" in sentence
    assert not token.strip() or token.strip() not in said


def test_a_token_may_end_its_line_and_what_is_too_much_is_declined(start, served):
    with imported().Billet(served.base) as player, imported().Billet(served.base) as host:
        player.register("Ada", kind="bot")
        bot = start(served.base, f"{player.token}\n", MOST_GAMES="0")
        assert bot.me() == player.me().id
        host.register("Ben")
        # Before there is anything to tell: whoever has never asked is told nothing of what came before.
        url, asked = f"{served.base}/v1/players/me/events", {"Authorization": f"Bearer {host.token}"}
        begin = httpx.get(url, headers=asked, timeout=60).json()["cursor"]
        seats = ["creator", imported().models.InvitedSeat("invited", bot.me())]
        game = host.create("classic", seats).id
        for notice in host.notices(after=begin):
            if notice.type_ == "invitation_declined":
                break
        assert (notice.game, notice.reason) == (game, "later")
    bot.check()
