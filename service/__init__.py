"""The game service on Redis: event log, players, tables, play, clocks, live feeds."""

from typing import TYPE_CHECKING

from service.settings import Settings

if TYPE_CHECKING:
    from service.assembly import Service, build
else:
    # Every command imports a module of this package, and few need the service, which imports ten times as much.
    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from service import assembly

        return getattr(assembly, name)


__all__ = ["Service", "Settings", "build"]
