"""Options of a game of Le Plateau (rules.md, options): the defaults, and what is refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from domain.plain import Bounds, Plain, doc, from_plain
from domain.ruleset import InvalidOptions, OptionProblem

MOST_HANDS = 120


@dataclass(frozen=True, slots=True)
class Options:
    """The agreed options, all of them written out. None stands for "does not apply" or "drawn"."""

    edition: Literal["2023", "2022"] = doc("Edition of the rules.", default="2023")
    deck: Literal["standard", "full"] = doc(
        "The standard deck for the number of players, or the full one.", default="standard"
    )
    excuse: Literal["trump", "french"] = doc(
        "The excuse is the highest trump, or plays as in French Tarot.", default="trump"
    )
    board: Literal["standard", "random_game", "random_deal", "custom"] = doc(
        "How the tokens are laid out.", default="standard"
    )
    board_tokens: tuple[str, ...] | None = doc("The 37 tokens in ring order, for a custom board.", default=None)
    scoring: Literal["zero_sum", "positive"] = doc("Points change hands, or only winners score.", default="zero_sum")
    abdication: Literal["on", "off"] | None = doc("Whether a declarer may abdicate; 5 players only.", default=None)
    void_hands: Literal["count", "redeal"] = doc(
        "Whether a hand that all pass counts as one of the agreed hands.", default="count"
    )
    hands: Annotated[int, Bounds(1, MOST_HANDS)] = doc(
        "Hands to play: a multiple of the number of players, which is the default.", default=None
    )
    first_dealer: Annotated[int, Bounds(0, 5)] | None = doc(
        "The seat that deals first; drawn if not given.", default=None
    )


def complete(given: Mapping[str, Plain], seats: int) -> Options:
    """Complete the options given with the defaults for a number of seats; raises ``InvalidOptions``."""
    options = dict(given)
    problems = [
        OptionProblem(name, "unsupported", f"{name}: {options[name]!r} is not supported yet; leave it out")
        for name, only in _ONLY.items()
        if options.get(name, only) not in (only, None)
    ]
    if seats == 5 and options.get("abdication") is None:
        options["abdication"] = "on"
    problems += _abdication_problems(options, seats)
    if options.get("hands") is None:
        options["hands"] = seats
    elif options["hands"] < 1 or options["hands"] % seats:
        message = f"hands: {options['hands']} is no multiple of the {seats} players, who must deal equally often"
        problems.append(OptionProblem("hands", "not-a-multiple", message))
    if (options.get("first_dealer") or 0) not in range(seats):
        message = f"first_dealer: there is no seat {options['first_dealer']} with {seats} players"
        problems.append(OptionProblem("first_dealer", "no-such-seat", message))
    if problems:
        raise InvalidOptions(problems)
    return from_plain(Options, options)


_ONLY = {
    "edition": "2023",
    "deck": "standard",
    "excuse": "trump",
    "board": "standard",
    "board_tokens": None,
    "scoring": "zero_sum",
}


def _abdication_problems(options: Mapping[str, Plain], seats: int) -> list[OptionProblem]:
    value = options.get("abdication")
    if seats != 5 and value is not None:
        return [
            OptionProblem(
                "abdication",
                "five-players-only",
                f"abdication: {value!r} makes sense with 5 players only, not {seats}",
            )
        ]
    if value == "off":
        return [OptionProblem("abdication", "unsupported", "abdication: 'off' is not supported yet; leave it out")]
    return []
