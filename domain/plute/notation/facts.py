"""Plute in text: the facts that a text can state, by the word that begins them (docs/notation.md)."""

from collections.abc import Mapping

from domain.notation.facts import Fact, happened, trick_number
from domain.plute import events as ev
from domain.plute import play, scoring, stopping
from domain.plute.notation.writer import MADE, PLUTE, SET, STOP, WON
from domain.plute.state import State

FACTS: Mapping[str, Fact[State]] = {
    "#": trick_number(play.RULE),
    STOP: happened(ev.HandStopped, stopping.RULE),
    WON: happened(
        ev.PointsCounted,
        scoring.RULE,
        in_order=lambda won: (won.team, won.game_value),
        in_any_order=lambda won: won.points,
    ),
    PLUTE: happened(ev.PluteMade, scoring.ENDING, in_order=lambda plute: (plute.team,)),
    MADE: happened(ev.BidMadeGood, scoring.ENDING, in_order=lambda bid: (bid.team, bid.made)),
    SET: happened(ev.TeamSet, scoring.ENDING, in_order=lambda bid: (bid.team, bid.set_)),
}
