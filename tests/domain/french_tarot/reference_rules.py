"""A second opinion on a whole deal: it reads the log alone, and was written from the rules, not from the code.

Cards are (suit, rank) here: trumps ("T", 1 … 21), the Excuse ("X", 0), suit cards ("S", 1 … 14). Points are whole ones
with halves as floats, exact for what occurs.
"""

from dataclasses import dataclass, field
from math import ceil, floor

from domain.french_tarot import events as ev

MULTIPLIERS = {"petite": 1, "garde": 2, "garde_sans": 4, "garde_contre": 6}
FACES = {"V": 11, "C": 12, "D": 13, "R": 14}
VALUES = {14: 4.5, 13: 3.5, 12: 2.5, 11: 1.5}
SCALES = {"fft_20_30_40": (20, 30, 40), "20_40_60": (20, 40, 60), "10_20_40": (10, 20, 40)}


def card(code):
    if code == "EX":
        return "X", 0
    if code[0] == "T":
        return "T", int(code[1:])
    return code[-1], int(FACES.get(code[:-1], code[:-1]))


def value(code):
    suit, rank = card(code)
    if suit == "X" or (suit == "T" and rank in (1, 21)):
        return 4.5
    return 0.5 if suit == "T" else VALUES.get(rank, 0.5)


@dataclass
class Judged:
    """What the log has shown of a deal so far; ``dealt`` never changes, ``hands`` do."""

    players: tuple
    dealt: dict
    chien: list
    hands: dict
    taker: int | None = None
    contract: str | None = None
    called: str | None = None
    ecart: list = field(default_factory=list)
    slam: str | None = None
    shown: list = field(default_factory=list)
    miseres: list = field(default_factory=list)
    imprenable: bool = False
    tricks: list = field(default_factory=list)
    winners: list = field(default_factory=list)
    bids: list = field(default_factory=list)


def judge(options, events):
    """Follow a deal that was played to its end; fail where it broke a rule, or was settled wrongly."""
    first, *rest = events
    dealt = {hand.seat: {*hand.cards} for hand in first.hands}
    hands = {hand.seat: [*hand.cards] for hand in first.hands}
    deal = Judged(first.players, dealt, list(first.chien.cards), hands)
    for event in rest:
        follow = FOLLOWING.get(type(event))
        if follow:
            follow(options, deal, event)
    return deal


def follow_imprenable(_options, deal, event):
    assert [c for c in deal.dealt[event.holder] if card(c)[0] in "TX"] == ["T1"]
    deal.imprenable = True


def follow_bid(_options, deal, event):
    assert not deal.bids or MULTIPLIERS[event.contract] > MULTIPLIERS[deal.bids[-1]]
    deal.bids.append(event.contract)


def follow_contract(_options, deal, event):
    assert (event.contract, event.multiplier) == (deal.bids[-1], MULTIPLIERS[deal.bids[-1]])
    deal.taker, deal.contract = event.taker, event.contract


def follow_call(options, deal, event):
    check_call(options, deal, event.card)
    deal.called = event.card


def follow_chien(_options, deal, event):
    assert (event.taker, sorted(event.cards)) == (deal.taker, sorted(deal.chien))
    deal.hands[event.taker] += deal.chien


def follow_slam(_options, deal, event):
    deal.slam = "slam" if isinstance(event, ev.SlamAnnounced) else "petit"


def follow_misere(_options, deal, event):
    hand = deal.hands[event.seat]
    forbidden = [c for c in hand if (c[0] in "RDCV" if event.kind == "no_courts" else card(c)[0] in "TX")]
    assert not forbidden
    deal.miseres.append(event.seat)


def follow_play(options, deal, event):
    check_play(options, deal, event.seat, event.card)
    if not deal.tricks or len(deal.tricks[-1]) == len(deal.players):
        deal.tricks.append([])
    deal.tricks[-1].append((event.seat, event.card))
    deal.hands[event.seat].remove(event.card)


def follow_trick(options, deal, event):
    assert [(each.seat, each.card) for each in event.cards] == deal.tricks[-1]
    deal.winners.append(winner_of(options, deal))
    assert (event.number, event.winner) == (len(deal.tricks), deal.winners[-1])


def follow_partner(_options, deal, event):
    assert (event.card, event.partner) == (deal.called, partner_of(deal))


def check_call(options, deal, called):
    hand = deal.hands[deal.taker]
    for rank in "RDCV":
        if called[0] == rank:
            break
        assert all(rank + suit in hand for suit in "SHDC")
    assert options.call_self or called not in hand


def check_ecart(_options, deal, event):
    seat, cards = event.seat, event.cards
    hand = deal.hands[seat]
    assert len(set(cards)) == len(cards) == len(deal.chien)
    assert {*cards} <= {*hand}
    assert not [c for c in cards if value(c) == 4.5]
    plain = [c for c in hand if card(c)[0] in "SHDC" and card(c)[1] != 14]
    trumps = [c for c in cards if card(c)[0] == "T"]
    assert len(trumps) == max(0, len(deal.chien) - len(plain))
    deal.ecart = list(cards)
    deal.hands[seat] = [c for c in hand if c not in cards]


def check_poignee(options, deal, shown):
    sizes = {3: [13, 15, 18], 4: [10, 13, 15], 5: [8, 10, options.poignee_5p_triple]}[len(deal.players)]
    assert len(shown.cards) == sizes[("simple", "double", "triple").index(shown.level)]
    mine = deal.hands[shown.seat] + (deal.ecart if shown.seat == deal.taker else [])
    trumps = {c for c in mine if card(c)[0] == "T"}
    if "EX" in shown.cards:
        assert "EX" in mine
        assert {c for c in deal.hands[shown.seat] if card(c)[0] in "TX"} <= {*shown.cards} <= trumps | {"EX"}
    else:
        assert {*shown.cards} <= trumps
    deal.shown.append((shown.seat, shown.level))


def suit_of(deal, code):
    return "X" if deal.imprenable and code == "T1" else card(code)[0]


def check_play(options, deal, seat, played):
    hand = deal.hands[seat]
    table = deal.tricks[-1] if deal.tricks and len(deal.tricks[-1]) < len(deal.players) else []
    assert played in hand
    mine = suit_of(deal, played)
    lead = next((suit_of(deal, c) for _, c in table if suit_of(deal, c) != "X"), None)
    if lead is None:
        first = len(deal.tricks) - bool(table) == 0
        banned = deal.called and first and options.called_suit_lead == "only_called_card"
        if banned and (not table or options.called_suit_ban_after_excuse):
            called_suit = deal.called[-1]
            if any(suit_of(deal, c) != called_suit for c in hand):
                assert mine != called_suit or played == deal.called
        return
    if mine == "X":
        return
    held = {suit_of(deal, c) for c in hand}
    wanted = lead if lead in held else "T" if "T" in held else mine
    assert mine == wanted
    if mine == "T":
        highest = max([card(c)[1] for _, c in table if suit_of(deal, c) == "T"], default=0)
        if any(suit_of(deal, c) == "T" and card(c)[1] > highest for c in hand):
            assert card(played)[1] > highest


def partner_of(deal):
    holders = [seat for seat, cards in deal.dealt.items() if deal.called in cards and seat != deal.taker]
    return holders[0] if holders else None


def attacks(deal, seat):
    return seat == deal.taker or (deal.called is not None and seat == partner_of(deal))


def winner_of(options, deal):
    table = deal.tricks[-1]
    lead = next(suit_of(deal, c) for _, c in table if suit_of(deal, c) != "X")
    best = None
    for seat, code in table:
        suit, rank = suit_of(deal, code), card(code)[1]
        if suit in (lead, "T") and (best is None or (suit == "T", rank) > best[1:]):
            best = (seat, suit == "T", rank)
    usual = best[0]
    if any(deal.hands[seat] for seat in deal.players):
        return usual
    for seat, code in table:
        if suit_of(deal, code) == "X" and powerful(options, deal, seat):
            other_side = attacks(deal, usual) != attacks(deal, seat)
            if seat == table[0][0] or other_side:
                return seat
    return usual


def powerful(options, deal, seat):
    mine = attacks(deal, seat)
    if options.excuse_wins_last_trick == "never":
        return False
    if options.excuse_wins_last_trick == "announced_only" and not (seat == deal.taker and deal.slam == "slam"):
        return False
    if options.excuse_wins_last_trick == "announcing_side" and not (mine and deal.slam == "slam"):
        return False
    return all(attacks(deal, winner) == mine for winner in deal.winners[: len(deal.tricks) - 1])


def check_score(options, deal, scored):
    attack = [attacks(deal, winner) for winner in deal.winners]
    aside = {"petite": deal.ecart, "garde": deal.ecart, "garde_sans": deal.chien, "garde_contre": []}
    pile, given = list(aside[deal.contract]), 0.0
    for number, (table, won) in enumerate(zip(deal.tricks, attack, strict=True), start=1):
        pile += [code for _, code in table if won and suit_of(deal, code) != "X"]
        for seat, code in [each for each in table if suit_of(deal, each[1]) == "X"]:
            owned = owns(options, deal, seat, won, last=number == len(deal.tricks))
            pile += [code] if owned else []
            given += 0.5 * (won - owned)
    points = sum(map(value, pile)) + given
    oudlers = {*pile} & {"T1", "T21", "EX"}
    calculation = scored.calculation
    assert calculation.count.half_points / 2 == points
    assert calculation.count.card_points == f"{points:g}"
    assert {*calculation.count.oudlers} == oudlers
    assert calculation.unit == unit(options, deal, points, len(oudlers), attack)
    assert list(scored.scores) == shares(options, deal, calculation.unit, len(deal.dealt))
    assert sum(scored.scores) == 0


def owns(options, deal, seat, won, *, last):
    """Return whether the attack has an Excuse that a seat played to a trick that the attack ``won`` or not."""
    mine = attacks(deal, seat)
    if not last or powerful(options, deal, seat):
        return mine
    return won if options.excuse_last_trick == "goes_to_trick_winner" else not mine


def unit(options, deal, points, oudlers, attack):
    target = (56, 51, 41, 36)[oudlers]
    sign = 1 if points >= target else -1
    difference = ceil(points) - target if sign > 0 else target - floor(points)
    if target - points == 0.5 and options.half_point_short in ("zero", "won"):
        sign, difference = (0, 0) if options.half_point_short == "zero" else (1, 0)
    if options.score_rounding != "none":
        step = int(options.score_rounding)
        difference = floor(difference / step + 0.5) * step
    multiplier = MULTIPLIERS[deal.contract]
    petit = 0
    by_excuse = next(c for seat, c in deal.tricks[-1] if seat == deal.winners[-1])
    looked_at = deal.tricks[-1] + (deal.tricks[-2] if suit_of(deal, by_excuse) == "X" else [])
    if "T1" in [c for _, c in looked_at]:
        petit = 10 if attack[-1] else -10
    scale = dict(zip(("simple", "double", "triple"), SCALES[options.poignee_scale], strict=True))
    poignees = sum(scale[level] for _, level in deal.shown)
    if deal.slam == "slam":
        slam = 400 if all(attack) else -200
    elif deal.slam == "petit":
        slam = 300 if attack.count(False) <= 1 else -150
    else:
        slam = 200 if all(attack) else 0
    slam -= 0 if any(attack) else 200
    return sign * (25 + difference) * multiplier + petit * multiplier + sign * poignees + slam


def shares(options, deal, amount, seats):
    partner = partner_of(deal) if deal.called else None
    scores = [0] * seats
    for seat in deal.players:
        if seat not in (deal.taker, partner):
            scores[seat] -= amount
            scores[deal.taker] += amount
    if partner is not None:
        given = amount
        if options.five_player_split == "equal":
            given = int(amount * 1.5)
        scores[partner] += given
        scores[deal.taker] -= given
    for announcer in deal.miseres:
        for seat in deal.players:
            scores[seat] += 10 * (len(deal.players) - 1) if seat == announcer else -10
    return scores


FOLLOWING = {
    ev.PetitImprenableDeclared: follow_imprenable,
    ev.BidMade: follow_bid,
    ev.ContractWon: follow_contract,
    ev.CardCalled: follow_call,
    ev.ChienTurned: follow_chien,
    ev.CardsDiscarded: check_ecart,
    ev.SlamAnnounced: follow_slam,
    ev.PetitChelemAnnounced: follow_slam,
    ev.PoigneeShown: check_poignee,
    ev.MisereAnnounced: follow_misere,
    ev.CardPlayed: follow_play,
    ev.TrickWon: follow_trick,
    ev.PartnerRevealed: follow_partner,
    ev.DealScored: check_score,
}
