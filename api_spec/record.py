"""Record an example of every operation: a request and its response, from a service that runs.

The example of an operation is what a function of its name returns in a module of ``api_spec/scenarios``.
"""

from collections.abc import Callable, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from inspect import getmembers, isfunction
from pkgutil import iter_modules
from typing import Any

from api_spec import scenarios
from api_spec.world import Exchange, World

Scenario = Callable[[World], Exchange]


class Unrecorded(Exception):
    """An operation has no scenario, or a scenario shows another operation; the message says what to do."""


def recorded(document: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Play the scenario of every operation on a service of its own; return the examples. Raise ``Unrecorded``."""
    operations = {each["operationId"] for methods in document["paths"].values() for each in methods.values()}
    played = found()
    check(operations, played)
    worlds = {name: World() for name in sorted(operations)}
    try:
        return {name: _example(name, played[name], world) for name, world in worlds.items()}
    finally:
        with ThreadPoolExecutor(len(worlds)) as closing:
            list(closing.map(World.close, worlds.values()))


def found() -> dict[str, Scenario]:
    """Return the scenarios by the operation that they show: the public functions of all modules of scenarios."""
    by_name: dict[str, Scenario] = {}
    for each in iter_modules(scenarios.__path__, f"{scenarios.__name__}."):
        module = import_module(each.name)
        own = [(name, fn) for name, fn in getmembers(module, isfunction) if fn.__module__ == each.name]
        by_name |= {name: fn for name, fn in own if not name.startswith("_")}
    return by_name


def check(operations: Set[str], played: Mapping[str, Scenario]) -> None:
    """Check that every operation has a scenario, and every scenario an operation; raise ``Unrecorded``."""
    for name in sorted(operations - played.keys()):
        raise Unrecorded(
            f"the operation {name} has no example: write a function {name}(world: World) -> Exchange in a module of "
            "api_spec/scenarios/, which sends such a request and returns the exchange; then run 'make spec'"
        )
    for name in sorted(played.keys() - operations):
        raise Unrecorded(
            f"there is no operation {name}: rename or remove that function in {played[name].__module__}; the name of "
            "one that only helps begins with an underscore"
        )


def _example(name: str, scenario: Scenario, world: World) -> dict[str, Any]:
    exchange = scenario(world)
    if exchange.operation != name:
        raise Unrecorded(f"the scenario {name} must return a request to {name}, not to {exchange.operation}")
    return {"request": exchange.request, "response": exchange.response}
