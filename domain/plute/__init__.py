"""Plute, a Pitch game for two teams of three: bid for the seven points of a hand, or take all nine tricks."""

from domain.notation.notation import Notation
from domain.plute import events as ev
from domain.plute import hands, rules, scoring
from domain.plute.actions import ACTIONS, Action
from domain.plute.events import EVENTS, Event
from domain.plute.notation.reader import GRAMMAR
from domain.plute.notation.writer import write
from domain.plute.option_rules import OPTION_RULES
from domain.plute.options import Options
from domain.plute.picture.drawing import scene, svg, text
from domain.plute.sampling import hidden_parts, sample
from domain.plute.sentences import ACTION_TELLERS, TELLERS
from domain.plute.state import State, evolve, initial
from domain.plute.symmetries import SYMMETRIES
from domain.plute.view import View, project
from domain.ruleset import Presentation, Ruleset

RULESET: Ruleset[Options, State, Action, Event, View] = Ruleset(
    id="plute",
    name="Plute",
    summary="Pitch for two teams of three: bid for seven points, name trump by your lead, or take every trick.",
    version=1,
    seats=OPTION_RULES.seats,
    package=__name__,
    options=OPTION_RULES,
    actions=ACTIONS,
    events=EVENTS,
    open_events=frozenset({ev.BidMade, ev.Passed, ev.ContractWon, ev.PhaseBegan}),
    view=View,
    setup=initial,
    to_act=rules.PHASES.to_act,
    waiting_for=rules.waiting_for,
    legal_actions=rules.PHASES.legal_actions,
    decide=rules.PHASES.decide,
    settle=rules.settle,
    evolve=evolve,
    outcome=rules.outcome,
    project=project,
    sample=sample,
    hidden_parts=hidden_parts,
    deals=frozenset({"hand_dealt"}),
    deal_scores=scoring.deal_scores,
    one_deal={"win_at": 1, "lose_at": 1},
    draws=hands.draws,
    symmetries=SYMMETRIES,
    presentation=Presentation(scene, svg, text),
    crib={
        "goal": "",
        "bid": "",
        "points": ".+",
        "game": "(10|[AKQJ])[SHDC]",
        "trumps": ".+",
        "off_jack": "J[SHDC]",
        "jokers": "X[12]",
        "lead": ".+",
        "follow": ".+",
        "stop": "",
    },
    tellers=TELLERS,
    action_tellers=ACTION_TELLERS,
    notation=Notation(write, GRAMMAR.read),
    can_talk=lambda options, _view: options.chat_in_hand,
    ending=scoring.ENDING,
)
