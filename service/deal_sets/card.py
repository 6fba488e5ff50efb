"""A player's day to share, without spoilers: for each deal, only whether they did better or worse than the bots."""

from collections.abc import Iterator
from itertools import zip_longest

from domain.deal_sets.deal_set import DealSet
from domain.pictures.svg import WIDTH, Block, page, words
from domain.registry import RULESETS
from service.deal_sets.resources import CardResource, MyDeals

_BETTER, _EQUAL, _WORSE, _OPEN = "▲", "=", "▼", "·"
_IN_LINE = 20


def card(one: DealSet, mine: MyDeals) -> CardResource:
    """Return the card of a player who has opened a deal."""
    title = f"{RULESETS[one.created.ruleset].name} · {one.created.date}"
    differences = [*_differences(mine)]
    marks = "".join(mark for mark, _ in zip_longest(map(_mark, differences), one.numbers, fillvalue=_OPEN))
    total = sum(each for each in differences if each is not None)
    reached = f"{total:+d} against the bots · {mine['finished']} of {len(one.numbers)} deals"
    lines = [marks[start : start + _IN_LINE] for start in range(0, len(marks), _IN_LINE)]
    blocks = [
        Block(28, words(title, WIDTH / 2, 20, "ink title", "middle")),
        *(Block(26, words(line, WIDTH / 2, 18, "ink token", "middle")) for line in lines),
        Block(28, words(reached, WIDTH / 2, 18, "muted", "middle")),
    ]
    return {"text": "\n".join((title, *lines, reached)), "svg": page(title, reached, blocks)}


def _differences(mine: MyDeals) -> Iterator[int | None]:
    for own, par in zip(mine["scores"], mine["par"], strict=True):
        yield None if own is None or par is None else own - par


def _mark(difference: int | None) -> str:
    if difference is None:
        return _OPEN
    return _EQUAL if difference == 0 else _BETTER if difference > 0 else _WORSE
