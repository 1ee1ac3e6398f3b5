"""The games as PettingZoo environments, for research: the engine played by programs in one process, without a service.

Nothing here asks for more than a seat may know: an observation is made of the seat's view. It needs the extra `env`,
and imports the engine alone.
"""

from billet_env.environment import Environment, env

__all__ = ["Environment", "env"]
