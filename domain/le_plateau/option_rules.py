"""Which options of Le Plateau go together, and their defaults; everything else is rejected (rules.md, options).

``choices`` is both what clients see and what rejections follow, so the two cannot differ.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import get_args

from domain.cardplay.cards import TAROT_PACK
from domain.errors import OptionProblem
from domain.le_plateau.board import standard_tokens
from domain.le_plateau.deck import decks_for, shape_for
from domain.le_plateau.options import MOST_HANDS, BoardLayout, Edition, Options, Scoring
from domain.options import Choice, Chosen, OptionRules


def choices(seats: int) -> Mapping[str, Choice]:
    """Return what each option can be with a number of seats."""
    return {
        "edition": Choice(get_args(Edition), "2023"),
        "deck": Choice(decks_for(seats), "standard", "the full deck is for 3, 4 or 5 players", "no-full-deck"),
        "excuse": _excuse(seats),
        "board": Choice(
            get_args(BoardLayout),
            "standard",
            "a custom board comes with board_tokens",
            comes_with={"custom": ("board_tokens",)},
        ),
        "board_tokens": Choice(
            None, None, "with a custom board, and only there: the tokens of the standard board for the deck, rearranged"
        ),
        "scoring": Choice(get_args(Scoring), "zero_sum"),
        "abdication": Choice(
            ("on", "off") if seats == 5 else (None,),
            "on" if seats == 5 else None,
            "abdication is for 5 players, and off by default with positive scoring",
            "five-players-only",
        ),
        "void_hands": Choice(("count", "redeal"), "count"),
        "hands": Choice(
            tuple(range(seats, MOST_HANDS + 1, seats)),
            seats,
            f"all players deal equally often: a multiple of the number of players, up to {MOST_HANDS}",
            "not-a-multiple",
        ),
        "first_dealer": Choice(
            (None, *range(seats)), None, f"the seats are 0 to {seats - 1}; drawn if left out", "no-such-seat"
        ),
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
        "the French excuse needs all 78 cards in play: 6 players, or the full deck with 4 or 5",
        "needs-all-cards",
        {"french": {"deck": whole}} if whole and whole != decks else {},
    )


def _token_problems(chosen: Chosen, seats: int) -> list[OptionProblem]:
    """Check that a custom board has its tokens, the right ones, and that no other board has any."""
    tokens, board, deck = chosen["board_tokens"], chosen["board"], chosen["deck"]
    code, fault = "", ""
    if board != "custom" and tokens is not None:
        code = "custom-board-only"
        fault = f"for board 'custom' only, not {board!r}; leave them out, or choose a custom board"
    elif board == "custom" and tokens is None:
        code, fault = "tokens-missing", f"a custom board for {seats} players needs them: list all 37, in ring order"
    elif board == "custom" and deck in decks_for(seats):
        differences = _differences(tokens, standard_tokens(seats, deck))
        code = "not-the-token-set" if differences else ""
        fault = f"must be the 37 of the {deck} deck with {seats} players, each once; {differences}"
    return [OptionProblem("board_tokens", code, f"board_tokens: {fault}")] if code else []


def _differences(given: Sequence[str], wanted: Sequence[str]) -> str:
    """List the tokens that are missing, unknown or repeated."""
    times = Counter(given)
    differing = {
        "missing": [token for token in wanted if token not in times],
        "unknown": [token for token in times if token not in wanted],
        "repeated": [token for token, count in times.items() if count > 1],
    }
    return "; ".join(f"{what}: {' '.join(tokens)}" for what, tokens in differing.items() if tokens)


OPTION_RULES = OptionRules(Options, range(2, 7), choices, _without_abdication, _token_problems)
