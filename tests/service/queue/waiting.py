"""Players who wait in the queue, for tests."""

from service import Service
from service.queue.queue import Asked
from tests.service.at_table import Guest, guest

DUEL = {"edition": "standard", "seats": [2]}


def ask(service: Service, player: Guest, idempotency_key: str | None = None, **body) -> dict:
    """Returns the ticket that a player gets who wishes for a duel, or for something else."""
    return asked(service, player, idempotency_key, **body).ticket


def asked(service: Service, player: Guest, idempotency_key: str | None = None, **body) -> Asked:
    """Returns what a player gets who asks for a ticket."""
    return service.queue.ask(player.token, {**DUEL, **body}, idempotency_key)


def two(service: Service) -> dict[Guest, str]:
    """Returns two players who wait for a duel, with their tickets."""
    players = [guest(service, name) for name in ("Ann", "Bob")]
    return {player: ask(service, player)["id"] for player in players}


def waves(service: Service) -> None:
    """Runs the waves that are due, as workers do."""
    for task in service.waves.tasks():
        service.waves.run(task.game)


def look(service: Service, player: Guest, ticket: str) -> dict:
    """Returns a player's ticket as it is now."""
    return service.queue.read(player.token, ticket)


def unable(*_: object) -> None:
    """Stands in place of what opens the game of a pairing, and fails."""
    raise KeyError("there is no such edition any more")
