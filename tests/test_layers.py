"""The import contracts name every module, so that a new one cannot be forgotten."""

import tomllib
from collections.abc import Set
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HTTP = "HTTP and marshmallow stop at service.api"
REDIS = "Redis stops at the store"
FREE = {
    HTTP: {"service.api", "service.web_process", "service.wiring"},
    REDIS: {
        "service.connections", "service.counters", "service.deadlines", "service.engine", "service.feed",
        "service.limiter", "service.line", "service.players", "service.pulse", "service.queue", "service.redis_server",
        "service.redis_settings", "service.store", "service.store_check", "service.wiring",
        "workers.in_process", "workers.running",
    },
}  # fmt: skip
"""The modules that a contract leaves out: they use what it forbids to all others."""


def bound(contract: str) -> list[str]:
    """List the modules that a contract binds."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (found,) = (each for each in contracts if each["name"].startswith(contract))
    return found["source_modules"]


def modules(package: str) -> Set[str]:
    """List the modules and packages in a package."""
    found = [path for path in (ROOT / package).iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    return {f"{package}.{path.stem}" for path in found} - {f"{package}.__init__"}


@pytest.mark.parametrize("contract", FREE)
def test_a_contract_names_each_module_or_leaves_it_out_for_a_reason(contract: str) -> None:
    named = bound(contract)
    assert len(named) == len(set(named))
    for package in ("service", "workers"):
        if package not in named:
            of_package = {name for name in named if name.startswith(f"{package}.")}
            free = {name for name in FREE[contract] if name.startswith(f"{package}.")}
            assert of_package.isdisjoint(free)
            assert of_package | free == modules(package)
