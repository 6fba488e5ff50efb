"""Lua scripts, each in a file beside the module that runs it."""

from importlib.resources import files

import redis
from redis.commands.core import Script


def script(client: redis.Redis, module: str, name: str) -> Script:
    """Return the script ``name.lua`` beside a module (its ``__name__``), to be run by a client."""
    return client.register_script(script_text(module, name))


def script_text(module: str, name: str) -> str:
    """Return the text of the script ``name.lua`` beside a module."""
    return files(module.rpartition(".")[0]).joinpath(f"{name}.lua").read_text()
