"""How a turn ends, and the game: wins and draws (rules.md, winning; draws and resignation)."""

import hashlib

from domain.log.chain import canonical
from domain.plateau import events as ev
from domain.plateau.stacks import longest_unit, occupied
from domain.plateau.state import BLACK, WHITE, Deed, State
from domain.table import Outcome, Seat

RULE = "9. Draws and resignation"
ENOUGH = 6
"""How many prisoners, or pieces in one unit, win."""

_PROGRESS = (ev.UnitOpened, ev.PieceOnboarded, ev.PrisonersExchanged)


def turn_end(state: State, deed: Deed) -> list[ev.Event]:
    """Return the events that end a turn whose captures are made: a player has won, or the next turn begins."""
    event = deed.event
    if isinstance(event, ev.TenderRefused):
        least = _min_tender_after(state, event)
        if state.options.refused_tender_keeps_turn:
            return [ev.TurnResumed(event.initiator, least)]
        return [_turn(state, event.seat, least, has_progress=False)]
    has_progress = deed.has_captured or isinstance(event, _PROGRESS)
    clears = deed.has_captured or isinstance(event, ev.PrisonersExchanged)
    least = (0, 0) if clears else state.min_tender
    for seat in (event.seat, 1 - event.seat):
        reason = _win(state, seat)
        if reason:
            quiet_plies = _quiet_plies(state, has_progress=has_progress)
            return [ev.GameWon(seat, reason, state.plies + 1, quiet_plies, least), revealed(state)]
    player = event.seat if isinstance(event, ev.PrisonersExchanged) else 1 - event.seat
    return [_turn(state, player, least, has_progress=has_progress)]


def drawn(state: State) -> ev.Draw | None:
    """Return why the game is drawn at the start of this turn; None if it continues."""
    options = state.options
    if state.forfeits >= 2:
        return "mutual_pass"
    if state.repetition >= options.repetition:
        return "repetition"
    if state.quiet_plies >= options.no_progress_plies:
        return "no_progress"
    return "max_plies" if state.plies >= options.max_plies else None


def position(state: State, player: Seat) -> str:
    """Return a digest of what is public when a player's turn begins; equal digests mean equal positions."""
    lying = [
        [square, [f"{piece.token}{'~' if piece.turned else ''}" for piece in stack]]
        for square, stack in occupied(state.board)
    ]
    seen = [lying, [len(reserve) for reserve in state.reserves], state.prisoners, player]
    return hashlib.sha256(canonical(seen)).hexdigest()[:32]


def outcome(state: State) -> Outcome | None:
    """Return how the game ended: a win scores 1 and -1, a draw 0 each. None while the game is running."""
    if state.end is None:
        return None
    if state.end.winner is None:
        return Outcome(state.end.reason, (0, 1), (0, 0))
    scores = (1, -1) if state.end.winner == BLACK else (-1, 1)
    return Outcome(state.end.reason, (state.end.winner,), scores)


def revealed(state: State) -> ev.EverythingRevealed:
    """Return the event that reveals everything that was hidden."""
    stacks = tuple(
        ev.RevealedStack(
            square, tuple(ev.RevealedPiece(p.owner, p.token, p.kind, p.top, p.bottom, p.turned) for p in stack)
        )
        for square, stack in occupied(state.board)
    )
    reserves = tuple(ev.RevealedReserve(seat, reserve) for seat, reserve in enumerate(state.reserves))
    return ev.EverythingRevealed(stacks, reserves)


def _win(state: State, seat: Seat) -> ev.Win | None:
    if len(state.prisoners[seat]) >= ENOUGH:
        return "prisoners"
    if any(len(stack) >= ENOUGH and longest_unit(stack, seat) >= ENOUGH for stack in state.board):
        return "unit"
    return None


def _quiet_plies(state: State, *, has_progress: bool) -> int:
    return 0 if has_progress else state.quiet_plies + 1


def _min_tender_after(state: State, refused: ev.TenderRefused) -> tuple[int, ...]:
    return tuple(refused.total if seat == refused.initiator else least for seat, least in enumerate(state.min_tender))


def _turn(state: State, player: Seat, min_tender: tuple[int, ...], *, has_progress: bool) -> ev.TurnBegan:
    is_opening = state.phase == "opening" and player == WHITE
    is_forfeit = state.deed is not None and isinstance(state.deed.event, ev.TurnForfeited)
    where = None if is_opening else position(state, player)
    return ev.TurnBegan(
        player=player,
        phase="opening" if is_opening else "play",
        ply=state.plies + 1,
        quiet_plies=_quiet_plies(state, has_progress=has_progress),
        forfeits=state.forfeits + 1 if is_forfeit else 0,
        min_tender=min_tender,
        position=where,
        occurrence=0 if where is None else 1 + state.seen.count(where),
    )
