"""The beginning and the end of a deal: the cards that each seat gets, what is made public, and what comes next."""

from collections.abc import Iterator, Sequence

from domain.cardplay.cards import TAROT_PACK, Card, in_deck_order
from domain.chance import Chance
from domain.draws import Apart, Draw, DrawnNumbers, DrawnOrder, Packet
from domain.french_tarot import counting, scoring
from domain.french_tarot import events as ev
from domain.french_tarot.deck import SHAPES, is_petit_sec
from domain.french_tarot.options import Options
from domain.french_tarot.partners import partner_of
from domain.french_tarot.state import State, contract_of
from domain.log.record import Shown
from domain.table import Seat

PETIT_SEC_RULE = "3. Petit sec"
_EXCLUDED = {"first_last": 1, "first3_last3": 3}


def deal(state: State, chance: Chance) -> list[ev.Event]:
    """Shuffle and deal, then begin the bidding or throw the deal in (rules.md, deal)."""
    number = state.deal.number + 1
    dealer = _dealer(state, chance)
    players = _players(state, dealer)
    hands, chien = _dealt(state, number, players, chance)
    dealt = ev.CardsDealt(
        deal_number=number,
        dealer=dealer,
        players=players,
        hands=tuple(ev.DealtHand(seat, len(cards), cards) for seat, cards in enumerate(hands)),
        chien=ev.DealtChien(len(chien), chien),
    )
    return [dealt, *begin_bidding(state, hands)]


def draws(options: Options, seats: int, event: Shown) -> Iterator[Draw]:
    """State what is drawn for a deal: the first dealer, the pack, and the places of the chien in it."""
    if event["type"] != "cards_dealt":
        return
    number, players = event["data"]["deal_number"], event["data"]["players"]
    if number == 1 and options.first_dealer is None:
        yield DrawnNumbers("first_dealer", 1, seats, "/dealer")
    size = SHAPES[len(players)].chien
    chien = Apart("chien", number, tuple(_places(options)), size, "/chien/cards")
    others, packet = len(TAROT_PACK) - size, options.deal_packet_3p or 3
    packets = (
        Packet(_hand_of(players[turn % len(players)]), min(packet, others - start))
        for turn, start in enumerate(range(0, others, packet))
    )
    resting = (Packet(_hand_of(seat), 0) for seat in range(seats) if seat not in players)
    yield DrawnOrder("deal", number, TAROT_PACK, (*packets, *resting), chien)


def _hand_of(seat: Seat) -> str:
    return f"/hands/{seat}/cards"


def begin_bidding(state: State, hands: Sequence[tuple[Card, ...]]) -> list[ev.Event]:
    """Begin the bidding with the hands dealt, by seat, unless a petit sec cancels the deal."""
    holder = next((seat for seat, hand in enumerate(hands) if is_petit_sec(hand)), None)
    if holder is None or state.options.petit_sec == "play_on":
        return [ev.PhaseBegan("bid")]
    if state.options.petit_sec == "imprenable":
        return [ev.PetitImprenableDeclared(holder), ev.PhaseBegan("bid")]
    return [ev.PetitSecShown(holder, hands[holder]), *thrown_in(state, "petit_sec", state.deal.number + 1)]


def thrown_in(state: State, reason: ev.ThrownInReason, number: int) -> list[ev.Event]:
    """Throw in the deal of a number, and begin what comes next; where such deals count, all deals of a match do."""
    over = state.options.thrown_in == "count" and number == state.options.deals
    return [ev.DealThrownIn(reason), ev.PhaseBegan("over" if over else "deal")]


def finish(state: State) -> list[ev.Event]:
    """Reveal and score a deal whose tricks are all played, and begin what comes next."""
    scored = _scored(state)
    counted = state.deal.number if state.options.thrown_in == "count" else len(state.results) + 1
    more = counted < state.options.deals
    return [_revealed(state), scored, ev.PhaseBegan("deal" if more else "over")]


def _dealer(state: State, chance: Chance) -> Seat:
    """Return who deals: the next player, but the same dealer again if the dealer sat out and nobody took."""
    if state.deal.number:
        again = state.options.five_player_mode == "dead_dealer" and state.deal.contract is None
        return state.deal.dealer if again else (state.deal.dealer + _step(state)) % state.seats
    if state.options.first_dealer is not None:
        return state.options.first_dealer
    return chance.below("first_dealer", 1, state.seats)


def _players(state: State, dealer: Seat) -> tuple[Seat, ...]:
    """Return the players of a deal in turn, the dealer last, or left out where the dealer sits out."""
    in_turn = tuple((dealer + _step(state) * turn) % state.seats for turn in range(1, state.seats + 1))
    return in_turn[:-1] if state.options.five_player_mode == "dead_dealer" else in_turn


def _step(state: State) -> int:
    """Return the step to the next player's seat: seats are numbered counter-clockwise."""
    return 1 if state.options.direction == "counter_clockwise" else -1


def _dealt(
    state: State, number: int, players: tuple[Seat, ...], chance: Chance
) -> tuple[list[tuple[Card, ...]], tuple[Card, ...]]:
    """Return the hands by seat, and the chien: drawn single cards of the pack; the others are dealt in packets."""
    pack = chance.permutation("deal", number, TAROT_PACK)
    size = SHAPES[len(players)].chien
    places = chance.permutation("chien", number, _places(state.options))[:size]
    others = [card for place, card in enumerate(pack) if place not in places]
    packet = state.options.deal_packet_3p or 3
    hands: list[list[Card]] = [[] for _ in range(state.seats)]
    for start in range(0, len(others), packet):
        hands[players[start // packet % len(players)]] += others[start : start + packet]
    return [in_deck_order(hand) for hand in hands], in_deck_order(pack[place] for place in places)


def _places(options: Options) -> range:
    """Return the places of the pack from which the chien is drawn."""
    edge = _EXCLUDED[options.chien_excluded]
    return range(edge, len(TAROT_PACK) - edge)


def _revealed(state: State) -> ev.DealRevealed:
    dealt = tuple(ev.ShownHand(seat, cards) for seat, cards in enumerate(state.deal.dealt))
    return ev.DealRevealed(partner_of(state), dealt, state.deal.chien, state.deal.ecart)


def _scored(state: State) -> ev.DealScored:
    deal, contract = state.deal, contract_of(state)
    played = scoring.PlayedDeal(
        contract=contract.contract,
        taker=contract.taker,
        partner=partner_of(state),
        players=deal.players,
        count=counting.count(state),
        petit_au_bout=counting.petit_au_bout(state),
        poignees=tuple((poignee.seat, poignee.level) for poignee in deal.poignees),
        slam=None if deal.slam == "none" else deal.slam,
        made_by=counting.slam_made_by(state),
        defence_tricks=counting.tricks_of_defence(state),
        miseres=tuple(misere.seat for misere in deal.miseres),
    )
    calculation = scoring.calculate(state.options, state.seats, played)
    return ev.DealScored(calculation, tuple(share.score for share in calculation.shares))
