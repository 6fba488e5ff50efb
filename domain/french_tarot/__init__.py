"""French Tarot for 3, 4 and 5 players, after the rules of the Fédération Française de Tarot."""

from domain.french_tarot import events as ev
from domain.french_tarot import hands, rules, scoring
from domain.french_tarot.actions import ACTIONS, Action
from domain.french_tarot.events import EVENTS, Event
from domain.french_tarot.notation.reader import GRAMMAR
from domain.french_tarot.notation.writer import write
from domain.french_tarot.option_rules import OPTION_RULES
from domain.french_tarot.options import Options
from domain.french_tarot.picture.drawing import scene, svg, text
from domain.french_tarot.sampling import hidden_parts, sample
from domain.french_tarot.sentences import ACTION_TELLERS, TELLERS
from domain.french_tarot.state import State, evolve, initial
from domain.french_tarot.symmetries import SYMMETRIES
from domain.french_tarot.view import View, project
from domain.notation.notation import Notation
from domain.ruleset import Presentation, Ruleset

RULESET: Ruleset[Options, State, Action, Event, View] = Ruleset(
    id="french-tarot",
    name="French Tarot",
    summary="The French tricks-and-trumps classic: bid, take the chien, lay aside your écart, and bring the oudlers "
    "home.",
    version=2,
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
            ev.SlamAnnounced,
            ev.PetitChelemAnnounced,
            ev.SlamDeclined,
            ev.PoigneeDeclined,
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
    deals=frozenset({"cards_dealt"}),
    deal_scores=lambda state: tuple(result.scores for result in state.results),
    one_deal={"deals": 1, "thrown_in": "count"},
    is_auction=lambda state: state.phase == "bid",
    draws=hands.draws,
    symmetries=SYMMETRIES,
    presentation=Presentation(scene, svg, text),
    crib={
        "goal": "",
        "oudlers": "T1|T21|EX",
        "values": ".+",
        "order": "(?!EX).+",
        "follow": "(?!EX).+",
        "excuse": "EX",
        "petit": "T1",
        "contracts": "",
        "score": "",
        "chien": "",
        "announcements": "",
        "partner": "",
    },
    tellers=TELLERS,
    action_tellers=ACTION_TELLERS,
    notation=Notation(write, GRAMMAR.read),
    ending=scoring.ENDING,
)
