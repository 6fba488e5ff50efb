"""Which options of Le Plateau go together, and their defaults; everything else is rejected (rules.md, options).

``choices`` is both what clients see and what rejections follow, so the two cannot differ.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import get_args

from domain.cardplay.cards import TAROT_PACK
from domain.errors import OptionProblem
from domain.le_plateau.board import standard_tokens
from domain.le_plateau.deck import decks_for, shape_for
from domain.le_plateau.options import MOST_HANDS, BoardLayout, Edition, Options, Scoring
from domain.options import Choice, Chosen, OptionRules, as_given, first_dealer
from domain.sentences.message import Message, Number, Parameter, Text, message


def choices(seats: int) -> Mapping[str, Choice]:
    """Return what each option can be with a number of seats."""
    return {
        "edition": Choice(get_args(Edition), "2023"),
        "deck": Choice(decks_for(seats), "standard", message("note.deck"), "no-full-deck"),
        "excuse": _excuse(seats),
        "board": Choice(
            get_args(BoardLayout),
            "standard",
            message("note.board"),
            comes_with={"custom": ("board_tokens",)},
        ),
        "board_tokens": Choice(None, None, message("note.board_tokens")),
        "scoring": Choice(get_args(Scoring), "zero_sum"),
        "abdication": Choice(
            ("on", "off") if seats == 5 else (None,),
            "on" if seats == 5 else None,
            message("note.abdication"),
            "five-players-only",
        ),
        "void_hands": Choice(("count", "redeal"), "count"),
        "hands": Choice(
            (1, *range(seats, MOST_HANDS + 1, seats)),
            seats,
            message("note.hands", most=Number(MOST_HANDS)),
            "not-a-multiple",
        ),
        "first_dealer": first_dealer(seats),
    }


def _without_abdication(asked: Chosen, chosen: Chosen, seats: int) -> Chosen:
    """Turn abdication off with positive scoring, unless it was requested."""
    is_off = seats == 5 and chosen["scoring"] == "positive" and "abdication" not in asked
    return {"abdication": "off"} if is_off else {}


def _excuse(seats: int) -> Choice:
    """Return what the excuse can be: the French one needs all cards in play."""
    decks = decks_for(seats)
    whole = tuple(deck for deck in decks if len(shape_for(seats, deck).deck) == len(TAROT_PACK))
    return Choice(
        ("trump", "french") if whole else ("trump",),
        "trump",
        message("note.excuse"),
        "needs-all-cards",
        {"french": {"deck": whole}} if whole and whole != decks else {},
    )


def _token_problems(chosen: Chosen, seats: int) -> list[OptionProblem]:
    """Check that a custom board has its tokens, the right ones, and that no other board has any."""
    tokens, board, deck = chosen["board_tokens"], chosen["board"], chosen["deck"]
    if board != "custom" and tokens is not None:
        return [_problem("custom-board-only", board=as_given(board))]
    if board == "custom" and tokens is None:
        return [_problem("tokens-missing", seats=Number(seats))]
    if board == "custom" and deck in decks_for(seats):
        differences = _differences(tokens, standard_tokens(seats, deck))
        if differences:
            listed = reduce(lambda first, then: message("tokens.and", first=first, next=then), differences)
            return [_problem("not-the-token-set", deck=Text(deck), seats=Number(seats), differences=listed)]
    return []


def _problem(code: str, **parameters: Parameter) -> OptionProblem:
    return OptionProblem("board_tokens", code, Message(f"fault.{code}", parameters), __package__)


def _differences(given: Sequence[str], wanted: Sequence[str]) -> list[Message]:
    """List the tokens that are missing, unknown or repeated."""
    times = Counter(given)
    differing = {
        "missing": [token for token in wanted if token not in times],
        "unknown": [token for token in times if token not in wanted],
        "repeated": [token for token, count in times.items() if count > 1],
    }
    return [message(f"tokens.{what}", tokens=Text(" ".join(tokens))) for what, tokens in differing.items() if tokens]


OPTION_RULES = OptionRules(Options, range(2, 7), choices, _without_abdication, _token_problems, __package__)
