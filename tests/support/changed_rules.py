"""Rules that misbehave for a while: what frozen rulesets do not allow, for tests of what surrounds them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from domain.ruleset import AnyRuleset


@contextmanager
def changed_rules(ruleset: AnyRuleset, **changes: Any) -> Iterator[None]:
    """Change parts of a ruleset in place, for every game that is played by it, and change them back."""
    usual = {name: getattr(ruleset, name) for name in changes}
    for name, value in changes.items():
        object.__setattr__(ruleset, name, value)
    try:
        yield
    finally:
        for name, value in usual.items():
            object.__setattr__(ruleset, name, value)
