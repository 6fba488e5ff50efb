"""What every refusal has: a code, words in every language, and a section of the rules that exists."""

import re
from functools import cache
from importlib.resources import files

from domain.errors import IllegalAction
from domain.ruleset import AnyRuleset
from domain.sentences.catalogue import languages

_HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
_LONGEST = 10_000


def check_refusal(ruleset: AnyRuleset, refusal: IllegalAction) -> None:
    """Fail unless the code is in kebab case, the words are there, and the rule is a heading as the page has it."""
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", refusal.code), f"a code in kebab case, not {refusal.code!r}"
    assert refusal.message == str(refusal)
    assert all(0 < len(refusal.in_words(language)) < _LONGEST for language in languages()), refusal.code
    check_rule(ruleset, refusal.rule, f"the refusal {refusal.code}")


def check_rule(ruleset: AnyRuleset, rule: str, citing: str) -> None:
    """Fail unless a cited rule is a heading of the page."""
    assert rule in _headings(ruleset.package), f"{citing} cites {rule!r}, which is no heading of rules.md"


@cache
def _headings(package: str) -> frozenset[str]:
    """Return the headings of the rules, without what marks them as such."""
    return frozenset(_HEADING.findall((files(package) / "rules.md").read_text("utf-8")))
