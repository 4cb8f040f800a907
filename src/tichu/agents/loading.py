"""Bots from a Python file: ``path/file.py:Class``, or ``path/file.py:function`` for a policy.

The file is imported once, under a name of its own; what it imports may lie beside it.  Whatever goes wrong is told
with the file and the line, for it is the bot's author who reads it.
"""

import hashlib
import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType

from tichu.agents.base import Agent
from tichu.agents.tracebacks import describe_error
from tichu.core.errors import GameError

__all__ = ["load_agent"]


def load_agent(path: str, name: str, seed: int = 0) -> Agent:
    """Make the bot ``name`` of a Python file: a class, or the function of a :class:`~tichu.agents.policy.PolicyAgent`.

    :raises GameError: there is nothing of this name, it is not an :class:`Agent`, or its own code fails
    """
    file = Path(path)
    if not file.is_file():
        raise GameError(f"no file {path!r}")
    module = _module_of(file)
    bot = getattr(module, name, None)
    if bot is None:
        raise GameError(f"{path} has no class or function {name!r}; {_candidates(module)}")
    if callable(bot) and not isinstance(bot, type | Agent):
        # Not everybody who writes a bot needs numpy.
        from tichu.agents.policy import PolicyAgent

        return PolicyAgent(bot, seed)
    if not (isinstance(bot, type) and issubclass(bot, Agent)):
        raise GameError(f"{path}:{name} is not a subclass of tichu.agents.Agent; {_candidates(module)}")
    if inspect.isabstract(bot):
        missing = ", ".join(sorted(bot.__abstractmethods__))
        raise GameError(f"{path}:{name} does not define {missing}")
    try:
        return bot(seed)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise GameError(f"{path}:{name}(seed={seed}) failed: {describe_error(error, file)}") from error


def _module_of(file: Path) -> ModuleType:
    file = file.resolve()
    # A dot would make it look like a part of a package; the digest keeps two files called bot.py apart.
    name = f"tichu_bot_{file.stem.replace('.', '_')}_{hashlib.sha256(bytes(file)).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise GameError(f"{file} is not a Python file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pickles look their module up by name.
    sys.modules[name] = module
    # At the end, so that a neighbour of the bot hides nothing of the library.
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        del sys.modules[name]
        raise
    except BaseException as error:
        del sys.modules[name]
        raise GameError(f"{file} cannot be imported: {describe_error(error, file)}") from error
    return module


def _candidates(module: ModuleType) -> str:
    bots = [
        name
        for name, value in vars(module).items()
        if (isinstance(value, type) and issubclass(value, Agent)) or (inspect.isfunction(value) and name[0] != "_")
        if value.__module__ == module.__name__
    ]
    return f"it has {', '.join(bots)}" if bots else "it has no subclass of tichu.agents.Agent at all"
