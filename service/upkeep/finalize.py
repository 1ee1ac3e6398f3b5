"""Sets the format in which an installation stores events (decision 047).

Both calls raise `Unavailable` if Redis cannot be reached, or takes no writes.
"""

from service.settings import Settings
from service.store.exchange.cluster import exchange_at
from service.store.formats.storage_format import SHORT, allow_short, is_format_set
from service.store.upkeep.inventory import is_empty


def finalize_if_empty(settings: Settings) -> None:
    """Lets an operator's installation whose Redis is empty store the newest format from the start.

    Call it before this process writes anything. An older version has left something in any Redis that it has used.
    """
    exchange = exchange_at(settings.redis_url, settings.redis_cluster)
    if not is_format_set(exchange) and is_empty(exchange):
        allow_short(exchange)


def finalize(settings: Settings) -> int:
    """Lets an operator's installation store the newest format, which older versions cannot read; returns it."""
    allow_short(exchange_at(settings.redis_url, settings.redis_cluster))
    return SHORT
