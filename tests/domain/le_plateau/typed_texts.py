"""Games of Le Plateau as a player types them, and their faults."""

from domain.laws.texts import fault_of, offset
from domain.le_plateau.deck import shape_for
from tests.support.server import ROOT

RULES = (ROOT / "domain" / "le_plateau" / "rules.md").read_text()
DEAL_RULE = "(rule 3. Decks and deals)"
BID_RULE = "(rule 4. Bidding)"
EXCHANGE_RULE = "(rule 5. Exchange)"
PARTNER_RULE = "(rule 6. Partner, objective, abdication)"
PLAY_RULE = "(rule 7. Play)"
BOARD_RULE = "(rule 2. The board)"


def header(seats, options=""):
    """Write the shortest header; an empty line stands for the options, so that the deal is in line 5."""
    return f"notation: 1\nruleset: le-plateau 1\nseats: {seats}\n{f'options: {options}' if options else ''}\n"


def hands(seats, deck="standard"):
    """Deal the unshuffled deck card by card, seat 0 first, the last cards to the talon; no piles."""
    form = shape_for(seats, deck)
    dealt = form.hand * seats
    words = [f"{seat}: {' '.join(form.deck[seat:dealt:seats])}" for seat in range(seats)]
    return " ".join([*words, "talon:", *form.deck[dealt:]])


TWO = (
    "0: VS/10S DS/CS 10H/RS CH/VH RH/DH T1 T2 T3 T4 T5 T6 "
    "1: VD/10D DD/CD 10C/RD CC/VC RC/DC T7 T16 T17 T18 T19 T20 talon: T21 EX"
)


def after_the_deal(seats, words, options=""):
    """Write a first deal by the last seat, and words in the line after it, line 6."""
    cards = TWO if seats == 2 else hands(seats, "full" if "deck=full" in options else "standard")
    return f"{header(seats, options)}1. d{seats - 1} {cards}\n{words}"


def wrong(text):
    """Return the fault of a text."""
    fault = fault_of(text)
    assert fault is None or not fault.rule or f"\n## {fault.rule}\n" in RULES
    return str(fault)


def wrong_at_the_mark(marked, message):
    """Return whether the fault of a text lies just where a ^ marks it, with this message."""
    text = marked.replace("^", "")
    fault = fault_of(text)
    assert fault is not None
    assert wrong(text) == f"{fault.line}:{fault.column}: {message}"
    return offset(text, fault.line, fault.column) == marked.index("^")
