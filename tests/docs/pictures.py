"""The pictures in the docs: ``python -m tests.docs.pictures`` draws them from positions, and a test compares them."""

from functools import reduce

from domain.french_tarot import RULESET as french_tarot
from domain.french_tarot import state as tarot_state
from domain.le_plateau import RULESET as le_plateau
from domain.le_plateau.actions import Play
from domain.le_plateau.state import State
from domain.plateau import RULESET as plateau
from domain.plateau.state import State as PlateauState
from domain.plute import RULESET as plute
from domain.plute import state as plute_state
from domain.texts import document
from tests.domain.le_plateau import builders
from tests.support.server import ROOT


def documents() -> dict[str, str]:
    """Return each picture by its file below docs/."""
    return {
        "le-plateau.svg": le_plateau.presentation.svg(le_plateau.project(_made_hand(), 2)),
        "french-tarot.svg": french_tarot.presentation.svg(french_tarot.project(_called_card_on_the_table(), 0)),
        "plateau.svg": plateau.presentation.svg(plateau.project(_open_tender(), 0)),
        "plute.svg": plute.presentation.svg(plute.project(_fifth_hand(), 0)),
    }


def _made_hand() -> State:
    """Let seats 0 and 2 make a Y in the tenth trick."""
    before = builders.state(
        4,
        "play",
        contract=builders.contract(4, 0, "y", "duo", exchange=True, partners=[2]),
        announced=(builders.Announced("RC", 2, answered=True),),
        held=["8H T14 T15", "10C 9D 7S T3", "T8 10S 10H", "7D 8D T13"],
        tricks=9,
        trick="2:RC 3:9C 0:DC",
        mine="#1 #4 #6 #9 VS RD T21 CD VC DS CH T5",
        theirs="#2 #3 #5 #7 #8 T2 T4 EX RS VD VH DD",
    )
    _, after = builders.act(before, 1, Play("10C"))
    return after


def _called_card_on_the_table() -> tarot_state.State:
    """Play a golden game of five up to its eighth trick, in which the called card has just fallen."""
    text = (ROOT / "tests/golden/french-tarot/5-poignees-10-20-40.txt").read_text()
    reading = document.read(text[: text.index(" T10 5S 10S=0")])
    start = french_tarot.setup(reading.header.options, reading.header.seats)
    return reduce(french_tarot.evolve, reading.events, start)


def _open_tender() -> PlateauState:
    """Read a golden game up to a tender of White's."""
    text = (ROOT / "tests/golden/plateau/ends-prisoners.txt").read_text()
    upto, _, _ = text.partition("W: $ A+BM")
    reading = document.read(f"{upto}W: $ A+BM")
    return reduce(plateau.evolve, reading.events, plateau.setup(reading.header.options, reading.header.seats))


def _fifth_hand() -> plute_state.State:
    """Play a golden game of Plute up to the fourth card of the sixth trick of its fifth hand."""
    reading = document.read((ROOT / "tests/golden/plute/ends-three-made.txt").read_text())
    return reduce(plute.evolve, reading.events[:275], plute.setup(reading.header.options, reading.header.seats))


if __name__ == "__main__":
    for name, drawn in documents().items():
        (ROOT / "docs" / name).write_text(drawn)
