"""Hearts for the Plateau server: take no hearts and not the queen of spades, or take all of them."""

from domain.ruleset import Presentation, Ruleset
from hearts import nouns as ev
from hearts import rules, scoring
from hearts.dealing import draws
from hearts.notation import NOTATION
from hearts.picture import scene, svg, text
from hearts.sampling import hidden_parts, sample
from hearts.sentences import ACTION_TELLERS, TELLERS
from hearts.state import State, evolve, setup
from hearts.view import View, project

RULESET: Ruleset[ev.Options, State, ev.Action, ev.Event, View] = Ruleset(
    id="hearts",
    name="Hearts",
    summary="Pass three cards, follow suit, and take no hearts and not the queen of spades, or else take them all.",
    version=1,
    seats=ev.OPTION_RULES.seats,
    package=__name__,
    options=ev.OPTION_RULES,
    actions=ev.ACTIONS,
    events=ev.EVENTS,
    open_events=frozenset({ev.CardsChosen}),
    view=View,
    setup=setup,
    to_act=rules.PHASES.to_act,
    waiting_for=rules.PHASES.to_act,
    legal_actions=rules.PHASES.legal_actions,
    decide=rules.PHASES.decide,
    settle=rules.settle,
    evolve=evolve,
    outcome=scoring.outcome,
    project=project,
    sample=sample,
    hidden_parts=hidden_parts,
    deals=frozenset({"hand_dealt"}),
    draws=draws,
    presentation=Presentation(scene, svg, text),
    crib={
        "goal": "",
        "points": ".H|10H|QS",
        "follow": ".+",
        "passing": "",
    },
    tellers=TELLERS,
    action_tellers=ACTION_TELLERS,
    notation=NOTATION,
    can_talk=lambda _options, _view: True,
    ending=scoring.ENDING,
)
