"""Plateau, a game by Jim Albea: stacks of two-sided pieces on a board of 16 squares, for 2 players."""

from domain.notation.notation import Notation
from domain.plateau import endings, turns
from domain.plateau.actions import ACTIONS
from domain.plateau.agreements import agree, offers, resigned
from domain.plateau.events import EVENTS
from domain.plateau.notation.game_text import read, write
from domain.plateau.option_rules import OPTION_RULES
from domain.plateau.picture.drawing import svg, text
from domain.plateau.sampling import sample
from domain.plateau.state import evolve, initial
from domain.plateau.view import View, project
from domain.ruleset import Agreements, Presentation, Ruleset

RULESET = Ruleset(
    id="plateau",
    name="Plateau",
    summary="Stacks of two-sided pieces on sixteen squares: build a unit of six, or take six prisoners.",
    version=1,
    seats=OPTION_RULES.seats,
    package=__name__,
    options=OPTION_RULES,
    actions=ACTIONS,
    events=EVENTS,
    view=View,
    setup=initial,
    to_act=turns.to_act,
    waiting_for=turns.to_act,
    legal_actions=turns.legal_actions,
    decide=turns.decide,
    settle=turns.settle,
    evolve=evolve,
    outcome=endings.outcome,
    project=project,
    sample=sample,
    presentation=Presentation(svg, text),
    notation=Notation(write, read),
    agreements=Agreements({"draw": "End the game now, as a draw."}, offers, agree),
    resigned=resigned,
    ending=endings.RULE,
)
