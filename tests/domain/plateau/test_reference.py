"""The ruleset against the rules worked out by hand (``reference_rules``), over random games and all small actions."""

import random
from dataclasses import astuple
from itertools import product

import pytest

from domain.plateau import RULESET as plateau
from domain.plateau.actions import Move, Onboard, Open, Pass, Placed, Respond, Stomp, Stop, Tender
from domain.plateau.board import SQUARES
from domain.plateau.pieces import SIDES
from tests.domain.plateau import builders, reference_rules
from tests.support.random_games import played
from tests.support.sampling import seeds

every_seed = pytest.mark.parametrize("seed", seeds(8))
every_switch = pytest.mark.parametrize("options", ["", "pin=weapons merged_strength=true"])


def positions(seed, options):
    """Return the states of a random game at which a player is to act."""
    return [step.game.state for step in played("plateau", 2, seed, options) if step.game.status == "active"]


def player_of(state):
    return "BW"[state.to_move]


def plain(action):
    """Write an action as the reference does."""
    writers = {
        Open: lambda: (action.square, *((piece.piece, piece.up) for piece in action.pieces)),
        Onboard: lambda: (action.square, action.height, action.piece, action.up),
        Move: lambda: (action.from_, action.flip, action.lift, tuple(map(astuple, action.stops)), action.to),
        Stomp: lambda: (action.square, action.flip),
        Tender: lambda: tuple(sorted(action.pieces)),
        Respond: lambda: tuple(sorted(action.pieces)),
        Pass: tuple,
    }
    return type(action).__name__.lower(), writers[type(action)]()


def expected(state):
    """Return what the reference finds legal."""
    board, player, me = builders.board(state), player_of(state), state.to_move
    mine, theirs = state.prisoners[me], state.prisoners[1 - me]
    if state.phase == "opening":
        return {("open", found) for found in reference_rules.openings(board, state.reserves[me])}
    if state.phase == "response":
        return {("respond", found) for found in reference_rules.responses(mine, state.tender.pieces)}
    found = {("onboard", each) for each in reference_rules.onboardings(board, player, state.reserves[me])}
    found |= {("move", each) for each in reference_rules.moves(board, player, state.options.pin)}
    found |= {("stomp", each) for each in reference_rules.stomps(board, player)}
    found |= {("tender", each) for each in reference_rules.tenders(mine, theirs, state.min_tender[me])}
    return found or {("pass", ())}


@pytest.mark.rule(
    "plateau", "1", "files `a`–`d`, ranks `1`–`4`", "the same twelve discs", "`A` / Ace", "`TW` / Twister",
    "`RM` / Red Mask", "`BM` / Blue Mask", "`R` / Red", "`B` / Blue", "`M` / Mute",
)  # fmt: skip
@pytest.mark.rule("plateau", "2", "In a turn, a player onboards a piece")
@every_switch
@every_seed
def test_the_legal_actions_of_every_position_are_those_found_by_hand(seed, options):
    for state in positions(seed, options):
        listed = [plain(action) for action in builders.legal(state)]
        assert len(set(listed)) == len(listed)
        assert set(listed) == expected(state)


@pytest.mark.rule("plateau", "6", "Unused strength is lost")
@every_switch
@every_seed
def test_moves_and_stomps_have_the_results_worked_out_by_hand(seed, options):
    rng = random.Random(seed)
    tried = 0
    for state in positions(seed, options):
        acting = [action for action in builders.legal(state) if isinstance(action, Move | Stomp)]
        for action in rng.sample(acting, min(4, len(acting))):
            kind, what = plain(action)
            by_hand = reference_rules.moved if kind == "move" else reference_rules.stomped
            board, taken = by_hand(builders.board(state), player_of(state), what, state.options.merged_strength)
            _, after = builders.act(state, action)
            assert builders.board(after) == board
            captured = after.history[-1].public.captured
            assert [(piece.top, piece.bottom) for piece in captured] == [(p[1], p[2]) for p in taken]
            assert len(after.prisoners[state.to_move]) == len(state.prisoners[state.to_move]) + len(taken)
            check_win(after, board, state.to_move)
            tried += 1
    assert tried


def check_win(after, board, mover):
    wins = [
        "prisoners" if len(after.prisoners[seat]) >= 6 else "unit"
        for seat in (mover, 1 - mover)
        if len(after.prisoners[seat]) >= 6
        or any(reference_rules.longest(stack, "BW"[seat]) >= 6 for stack in board.values())
    ]
    if wins:
        assert plateau.outcome(after).reason == wins[0]
    else:
        assert plateau.outcome(after) is None or len(plateau.outcome(after).winners) == 2


def test_the_random_games_show_every_kind_of_position():
    kinds = {type(step.action) for seed in seeds(12) for step in played("plateau", 2, seed) if step.action is not None}
    assert kinds == {Open, Onboard, Move, Stomp, Tender, Respond}
    refusals = [step for seed in seeds(12) for step in played("plateau", 2, seed) if step.action == builders.REFUSE]
    assert refusals


@pytest.mark.rule("plateau", "3", "Place any two pieces of the reserve")
def test_the_numbers_of_openings_are_as_counted():
    state = builders.state(phase="opening", to_move="B")
    assert len(builders.legal(state)) == 1260
    _, state = builders.act(state, builders.opening("a1", "xx", "rr"))
    assert len(builders.legal(state)) == 1155
    assert plateau.to_act(state) == {1}


SMALL = [
    "a1 Wxx Wrr, b1 Bxx Bbb, c1 Wbb",
    "b1 Wrr Wox, b2 Bxx Wbb, c3 Bbb",
    "a1 Bxx Wrr Wxb, b1 Wxx, c1 Brr Wxx Bxx",
    "b2 Wxx Wbr Wxx, c3 Bbb Wxx, d4 Wrx",
]


def every_small_action(starts):
    """Every onboarding, stomp and move with at most one stop that can be written down, mostly nonsense."""
    for square, height, piece, up in product(SQUARES, range(5), SIDES, "rbox"):
        yield Onboard(square, height, piece, up)
    for square, flip in product(SQUARES, (False, True)):
        yield Stomp(square=square, flip=flip)
    stops = [(), *((Stop(square, carry),) for square, carry in product(SQUARES, range(1, 5)))]
    for start, flip, lift, stop, to in product(starts, (False, True), (1, 2, 3), stops, SQUARES):
        yield Move(from_=start, flip=flip, lift=lift, stops=stop, to=to)


@pytest.mark.rule("plateau", "2", "never a turn of its own")
@pytest.mark.parametrize("board", [SMALL[0], *(pytest.param(board, marks=pytest.mark.long) for board in SMALL[1:])])
def test_of_all_small_actions_only_the_listed_ones_are_accepted(board):
    state = builders.state(board)
    listed = set(builders.legal(state))
    starts = [*builders.board(state), "d1"]
    accepted = {action for action in every_small_action(starts) if is_accepted(state, action)}
    assert accepted == {action for action in listed if not (isinstance(action, Move) and len(action.stops) > 1)}
    assert {type(action) for action in listed} >= {Onboard, Move}


def is_accepted(state, action):
    return builders.refusal(state, action) is None


def test_of_all_pairs_of_stops_only_the_listed_ones_are_accepted():
    state = builders.state("a1 Wxx Wbb Wrr, b1 Wxx, c1 Bbb")
    listed = {action for action in builders.legal(state) if isinstance(action, Move) and len(action.stops) == 2}
    row = ("a1", "b1", "c1", "d1", "b2")
    stops = [Stop(square, carry) for square, carry in product(row, range(1, 6))]
    accepted = {
        action
        for lift, one, two, to in product((1, 2, 3), stops, stops, row)
        if is_accepted(state, action := Move(from_="a1", lift=lift, stops=(one, two), to=to))
    }
    assert listed
    assert accepted == {action for action in listed if (action.from_, action.flip, action.to) == ("a1", False, "d1")}


@pytest.mark.rule("plateau", "3", "Place any two pieces of the reserve")
def test_of_all_openings_only_the_listed_ones_are_accepted():
    state = builders.state(phase="opening", to_move="B")
    pieces = [Placed(kind, up) for kind, up in product(SIDES, "rbox")]
    accepted = {
        action
        for square, *unit in product(SQUARES, pieces, pieces)
        if is_accepted(state, action := Open(square, tuple(unit)))
    }
    assert accepted == set(builders.legal(state))
