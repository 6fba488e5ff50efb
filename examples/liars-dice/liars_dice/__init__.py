"""Liar's Dice for the Plateau server: bid on the dice under all cups, and challenge the bids of others."""

from domain.ruleset import Presentation, Ruleset
from liars_dice import rules
from liars_dice.nouns import ACTIONS, EVENTS, OPTION_RULES, Action, BidMade, Event, Options, State, evolve, setup
from liars_dice.picture import scene, svg, text
from liars_dice.sentences import ACTION_TELLERS, TELLERS
from liars_dice.view import View, hidden_parts, project, sample

RULESET: Ruleset[Options, State, Action, Event, View] = Ruleset(
    id="liars-dice",
    name="Liar's Dice",
    summary="Bid on the dice under all cups, of which you see only your own, and challenge the bids of others.",
    version=1,
    seats=OPTION_RULES.seats,
    package=__name__,
    options=OPTION_RULES,
    actions=ACTIONS,
    events=EVENTS,
    open_events=frozenset({BidMade}),
    view=View,
    setup=setup,
    to_act=rules.to_act,
    waiting_for=rules.to_act,
    legal_actions=rules.legal_actions,
    decide=rules.decide,
    settle=rules.settle,
    evolve=evolve,
    outcome=rules.outcome,
    project=project,
    sample=sample,
    hidden_parts=hidden_parts,
    deals=frozenset({"dice_rolled"}),
    draws=rules.draws,
    presentation=Presentation(scene, svg, text),
    tellers=TELLERS,
    action_tellers=ACTION_TELLERS,
    ending=rules.ENDING,
)
