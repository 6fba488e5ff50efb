"""The seven points of a hand, whether a bid is made, and how a game ends (rules.md, points; tally)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import get_args

from domain.plute.deck import PLAYERS, TRICKS, Card, TrumpSuit, game_value, off_jack
from domain.plute.events import Point, Team
from domain.plute.naming import named_jokers
from domain.plute.state import TEAMS, State, of_team, other_team, team_of
from domain.table import Outcome

RULE = "6. The seven points"
ENDING = "7. Tally and the end of the game"

POINTS: tuple[Point, ...] = get_args(Point)
TO_WIN_GAME = 41
HALF = 40
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(frozen=True)
class Standing:
    """What a team has for certain: its tricks and their points (Game is one from 41 on), and their value for Game."""

    tricks: int
    points: tuple[Point, ...]
    game_value: int


@dataclass(frozen=True)
class Standings:
    """The standings by team."""

    even: Standing
    odd: Standing


_NOTHING = Standing(0, (), 0)


def points_won(
    cards: Mapping[Team, Collection[Card]], trump: TrumpSuit, jokers: tuple[Card, ...], low: Team | None
) -> dict[Point, Team | None]:
    """Return which team has each of the seven points by the cards it has taken, None where no team has it (yet)."""
    wanted: dict[Point, Card] = {"high": f"A{trump}", "jack": f"J{trump}", "off_jack": off_jack(trump)}
    wanted |= dict(zip(("high_joker", "low_joker"), jokers, strict=False))
    won: dict[Point, Team | None] = dict.fromkeys(POINTS)
    for point, card in wanted.items():
        won[point] = next((team for team in TEAMS if card in cards[team]), None)
    won["low"] = low
    won["game"] = next((team for team in TEAMS if sum(map(game_value, cards[team])) >= TO_WIN_GAME), None)
    return won


def standings(state: State) -> Standings:
    """Return what each team has for certain by the tricks taken so far, which every player has seen."""
    tricks, trump = state.table.tricks, state.table.trump
    if trump is None:
        return Standings(_NOTHING, _NOTHING)
    cards = {
        team: tuple(played.card for trick in tricks if trick.team == team for played in trick.cards) for team in TEAMS
    }
    won = points_won(cards, trump, named_jokers(state), _team_of_low(state))
    standing = (
        Standing(
            tricks=sum(trick.team == team for trick in tricks),
            points=tuple(point for point in POINTS if won[point] == team),
            game_value=sum(map(game_value, cards[team])),
        )
        for team in TEAMS
    )
    return Standings(*standing)


def is_made(bid: int, points: int) -> bool:
    """Return whether a number of points is enough for a bid; the margin does not matter."""
    return points >= bid


def verdict(bid: int, bidding: Standing, other: Standing) -> bool | None:
    """Return whether the bid is certainly made (True) or certainly lost (False); None while it is open."""
    if is_made(bid, len(bidding.points)):
        return True
    lost = len({*other.points, *(("game",) if other.game_value >= HALF else ())})
    return None if is_made(bid, len(POINTS) - lost) else False


def pluting(standing: Standings) -> Team | None:
    """Return the team that took all nine tricks, if one did."""
    return next((team for team in TEAMS if of_team(standing, team).tricks == TRICKS), None)


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, None before its end: a Plute comes before any tally."""
    if state.table.pluted is not None:
        return _ended(state, "plute", state.table.pluted)
    options = state.options
    for team in TEAMS:
        tally = of_team(state.tallies, team)
        if tally.made >= options.win_at:
            return _ended(state, f"{_NUMBERS[options.win_at - 1]}_made", team)
        if tally.set >= options.lose_at:
            return _ended(state, f"{_NUMBERS[options.lose_at - 1]}_set", other_team(team))
    return None


def deal_scores(state: State) -> tuple[tuple[int, ...], ...]:
    """Return for each finished hand 100 for the seats of the team that a game of it alone would have won, else 0."""
    winners = (
        result.plute or (result.contract.team if result.made else other_team(result.contract.team))
        for result in state.results
    )
    return tuple(tuple(100 * (team_of(seat) == team) for seat in range(PLAYERS)) for team in winners)


def _team_of_low(state: State) -> Team | None:
    """Return the team that has Low: whose player held the deuce, or by the option whose trick it fell in."""
    for trick in state.table.tricks:
        for played in trick.cards:
            if played.card == f"2{state.table.trump}":
                return trick.team if state.options.low == "taker" else team_of(played.seat)
    return None


def _ended(state: State, reason: str, winner: Team) -> Outcome:
    seats = range(len(state.table.held))
    winners = tuple(seat for seat in seats if team_of(seat) == winner)
    return Outcome(reason, winners, tuple(of_team(state.tallies, team_of(seat)).made for seat in seats))
