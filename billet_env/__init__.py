"""The games as PettingZoo environments for research: programs play on the engine in one process, without a service.

An observation comes from the seat's view, so it holds no more than the seat may know. The package needs the extra
`env`, and imports only the engine.
"""

from billet_env.environment import Environment, env

__all__ = ["Environment", "env"]
