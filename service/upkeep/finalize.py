"""Sets the form in which an installation stores events (decision 047)."""

from service.settings import Settings
from service.store import keys
from service.store.exchange.connection import away_is_unavailable
from service.store.forms.form import SHORT
from service.upkeep.rebuild import opened

PROBES = keys.probe(0).partition("0")[0]


def begin(settings: Settings) -> None:
    """Lets an operator's installation whose Redis is empty store the newest form from the start.

    Call it before this process writes anything. An older version has left something in any Redis that it has used.

    Raises:
        Unavailable: Redis cannot be reached, or takes no writes.
    """
    with away_is_unavailable():
        client = opened(settings)[0]
        if client.get(keys.FORM) is None and all(name.startswith(PROBES.encode()) for name in client.scan_iter()):
            client.set(keys.FORM, SHORT)


def finalize(settings: Settings) -> int:
    """Lets an operator's installation store the newest form, which older versions cannot read; returns the form.

    Raises:
        Unavailable: Redis cannot be reached, or takes no writes.
    """
    with away_is_unavailable():
        opened(settings)[0].set(keys.FORM, SHORT)
    return SHORT
