"""Le Plateau, a game by Raymond Gallardo: tarot tricks on a hexagonal board, for 2 to 6 players."""

from domain.le_plateau import agreements, hands, rules
from domain.le_plateau import events as ev
from domain.le_plateau.actions import ACTIONS, Action
from domain.le_plateau.events import EVENTS, Event
from domain.le_plateau.notation.reader import GRAMMAR
from domain.le_plateau.notation.writer import write
from domain.le_plateau.option_rules import OPTION_RULES
from domain.le_plateau.options import Options
from domain.le_plateau.picture.drawing import scene, svg, text
from domain.le_plateau.sampling import hidden_parts, sample
from domain.le_plateau.sentences import ACTION_TELLERS, TELLERS
from domain.le_plateau.state import State, evolve, initial
from domain.le_plateau.symmetries import SYMMETRIES
from domain.le_plateau.view import View, project
from domain.notation.notation import Notation
from domain.ruleset import Agreements, Presentation, Ruleset

RULESET: Ruleset[Options, State, Action, Event, View] = Ruleset(
    id="le-plateau",
    name="Le Plateau",
    summary="Tarot tricks on a hexagonal board: bid for a formation, find your partner, connect the sides.",
    version=1,
    seats=OPTION_RULES.seats,
    package=__name__,
    options=OPTION_RULES,
    actions=ACTIONS,
    events=EVENTS,
    open_events=frozenset(
        {
            ev.PhaseBegan,
            ev.BidMade,
            ev.Passed,
            ev.ContractWon,
            ev.CardsDiscarded,
            ev.ObjectiveRaised,
            ev.ObjectiveKept,
            ev.DeclarerAbdicated,
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
    outcome=rules.outcome,
    project=project,
    sample=sample,
    hidden_parts=hidden_parts,
    deals=frozenset({"hand_dealt"}),
    deal_scores=lambda state: tuple(result.scores for result in state.results),
    one_deal={"hands": 1},
    draws=hands.draws,
    symmetries=SYMMETRIES,
    presentation=Presentation(scene, svg, text),
    crib={
        "goal": "",
        "objectives": "",
        "claim": ".+",
        "spaces": "[RDCV][SHDC]|T21|EX|T[1-6]",
        "order": "(?!#).+",
        "follow": "(?!#).+",
        "value": "",
        "talon": "",
        "partner": "",
        "raise": "",
        "score": "",
    },
    tellers=TELLERS,
    action_tellers=ACTION_TELLERS,
    notation=Notation(write, GRAMMAR.read),
    agreements=Agreements(
        {"stop_after_hand": "Stop the game after the current hand; the ranking is then final."},
        agreements.offers,
        agreements.agree,
    ),
    can_talk=lambda _options, view: len(view.hands) == 2,
    ending=agreements.RULE,
)
