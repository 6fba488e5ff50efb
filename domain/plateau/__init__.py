"""Plateau, a game by Jim Albea: stacks of two-sided pieces on a board of 16 squares, for 2 players."""

from domain.notation.notation import Notation
from domain.plateau import endings, rules
from domain.plateau import events as ev
from domain.plateau.actions import ACTIONS, Action
from domain.plateau.agreements import agree, lost_on_time, offers, resigned
from domain.plateau.events import EVENTS, Event
from domain.plateau.notation.reader import read
from domain.plateau.notation.writer import write
from domain.plateau.option_rules import OPTION_RULES
from domain.plateau.options import Options
from domain.plateau.picture.drawing import scene, svg, text
from domain.plateau.sampling import hidden_parts, sample
from domain.plateau.sentences import ACTION_TELLERS, TELLERS
from domain.plateau.state import State, evolve, initial
from domain.plateau.view import View, project
from domain.ruleset import Agreements, Presentation, Ruleset

RULESET: Ruleset[Options, State, Action, Event, View] = Ruleset(
    id="plateau",
    name="Plateau",
    summary="Stacks of two-sided pieces on sixteen squares: build a unit of six, or take six prisoners.",
    version=2,
    seats=OPTION_RULES.seats,
    package=__name__,
    options=OPTION_RULES,
    actions=ACTIONS,
    events=EVENTS,
    open_events=frozenset(
        {
            ev.UnitMoved,
            ev.PrisonersTendered,
            ev.PrisonersExchanged,
            ev.TenderRefused,
            ev.TurnBegan,
            ev.TurnResumed,
        }
    ),
    view=View,
    setup=initial,
    to_act=rules.PHASES.to_act,
    waiting_for=rules.PHASES.to_act,
    legal_actions=rules.PHASES.legal_actions,
    decide=rules.PHASES.decide,
    settle=rules.settle,
    evolve=evolve,
    outcome=endings.outcome,
    project=project,
    sample=sample,
    hidden_parts=hidden_parts,
    presentation=Presentation(scene, svg, text),
    crib={
        "goal": "",
        "pieces": "[A-Z]+",
        "turn": "",
        "onboard": "[A-Z]+|[a-d][1-4]",
        "moving": "[a-d][1-4]",
        "capture": "[a-d][1-4]",
        "pinned": "[a-d][1-4]",
        "stomp": "[a-d][1-4]",
        "tender": "",
        "hidden": "",
        "draw": "",
    },
    tellers=TELLERS,
    action_tellers=ACTION_TELLERS,
    notation=Notation(write, read),
    agreements=Agreements({"draw": "End the game now, as a draw."}, offers, agree),
    can_talk=lambda _options, _view: True,
    resigned=resigned,
    lost_on_time=lost_on_time,
    ending=endings.RULE,
)
