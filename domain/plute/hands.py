"""The beginning and the end of a hand: the deal, the count, and what comes next."""

from collections.abc import Iterator

from domain.chance import Chance
from domain.draws import Draw, DrawnNumbers, DrawnOrder, Packet
from domain.log.record import Shown
from domain.plute import events as ev
from domain.plute import scoring
from domain.plute.deck import PACK, PACKET, PLAYERS, in_pack_order
from domain.plute.options import Options
from domain.plute.state import State, contract_of, of_team, other_team
from domain.table import Seat


def deal(state: State, chance: Chance) -> list[ev.Event]:
    """Shuffle and deal the next hand, in packets, clockwise from the dealer's left (rules.md, table and deal)."""
    number = state.hand.number + 1
    dealer = _dealer(state, chance)
    cards = chance.permutation("deal", number, PACK)
    packets = [cards[i : i + PACKET] for i in range(0, len(cards), PACKET)]
    dealt: list[ev.DealtHand] = []
    for seat in range(PLAYERS):
        place = (seat - dealer - 1) % PLAYERS
        hand = in_pack_order(card for packet in packets[place::PLAYERS] for card in packet)
        dealt.append(ev.DealtHand(seat, len(hand), hand))
    return [ev.HandDealt(number, dealer, tuple(dealt)), ev.PhaseBegan("bid")]


def draws(_options: Options, _seats: int, event: Shown) -> Iterator[Draw]:
    """State what is drawn for a hand: the first dealer, and the deal."""
    if event["type"] != "hand_dealt":
        return
    number, dealer = event["data"]["hand_number"], event["data"]["dealer"]
    if number == 1:
        yield DrawnNumbers("first_dealer", 1, PLAYERS, "/dealer")
    turns = range(len(PACK) // PACKET)
    packets = (Packet(f"/hands/{(dealer + 1 + turn) % PLAYERS}/cards", PACKET) for turn in turns)
    yield DrawnOrder("deal", number, PACK, tuple(packets))


def finish(state: State) -> list[ev.Event]:
    """Count a hand that is over, then begin what comes next."""
    if state.results and state.results[-1].hand_number == state.hand.number:
        return [ev.PhaseBegan("deal" if scoring.outcome(state) is None else "over")]
    return _counted(state)


def _counted(state: State) -> list[ev.Event]:
    contract, standing = contract_of(state), scoring.standings(state)
    shown = (contract.team, *((other_team(contract.team),) if state.options.show_points else ()))
    pluting = scoring.pluting(standing)
    return [
        *(ev.PointsCounted(team, of_team(standing, team).points, of_team(standing, team).game_value) for team in shown),
        *((ev.PluteMade(pluting),) if pluting else ()),
        _tallied(state, contract, standing),
    ]


def _tallied(state: State, contract: ev.ContractWon, standing: scoring.Standings) -> ev.BidMadeGood | ev.TeamSet:
    """Return whether the bidding team made its bid; only its own tally moves."""
    team, bid, points = contract.team, contract.points, len(of_team(standing, contract.team).points)
    tally = of_team(state.tallies, team)
    if scoring.is_made(bid, points):
        return ev.BidMadeGood(team, bid, points, tally.made + 1)
    return ev.TeamSet(team, bid, points, tally.set + 1)


def _dealer(state: State, chance: Chance) -> Seat:
    if state.hand.number:
        return (state.hand.dealer + 1) % PLAYERS
    return chance.below("first_dealer", 1, PLAYERS)
