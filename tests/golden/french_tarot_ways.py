"""What a golden game is kept for: each way a deal of French Tarot can end, contracts, and the values of its options.

A slam that is made is not among them: in random play none ever was. The tests of scoring have them.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from domain.french_tarot import events as ev
from domain.french_tarot.calculation import Calculation
from tests.golden.catalogue import Wanted

PLAYED: dict[str, Any] = {}
WITH_VIEWS = ("3-excuse-any-slam", "4-poignees-first", "5-imprenable", "5-poignees-10-20-40")

_SHOWN: Mapping[type, str] = {
    ev.PetitSecShown: "petit-sec",
    ev.PetitImprenableDeclared: "imprenable",
    ev.ChienTurned: "chien-turned",
    ev.TrumpsShown: "trumps-shown",
    ev.SlamAnnounced: "slam-announced",
    ev.PetitChelemAnnounced: "petit-chelem-announced",
    ev.PoigneeShown: "poignee",
    ev.PoigneeDeclined: "poignee-declined",
    ev.MisereAnnounced: "misere",
    ev.ExcuseSettled: "excuse-in-the-last-trick",
}


def shown(events: Sequence[Any]) -> set[str]:
    """Return how the deals of a game went, and which rules they touched."""
    return {word for deal in _deals_of(events) for word in _words(deal)}


def _deals_of(events: Sequence[Any]) -> list[Sequence[Any]]:
    begins = [index for index, event in enumerate(events) if isinstance(event, ev.CardsDealt)]
    return [events[begin:end] for begin, end in pairwise([*begins, len(events)])]


def _words(deal: Sequence[Any]) -> Iterator[str]:
    bids = [event for event in deal if isinstance(event, ev.BidMade)]
    if len({bid.seat for bid in bids}) < len(bids):
        yield "bid-again"
    for event in deal:
        yield from [_SHOWN[type(event)]] if type(event) in _SHOWN else []
        match event:
            case ev.DealThrownIn("all_passed"):
                yield "all-passed"
            case ev.ContractWon(_, contract, _):
                yield contract
            case ev.PartnerRevealed(_, partner):
                yield "alone" if partner is None else "partner"
            case ev.DealScored(worked_out, _):
                yield from _results(worked_out)


def _results(worked_out: Calculation) -> Iterator[str]:
    yield {"attack": "made", "defence": "lost", None: "just-missed"}[worked_out.contract.won_by]
    if worked_out.petit_au_bout.side:
        yield f"petit-au-bout-{worked_out.petit_au_bout.side}"
    if worked_out.contract.paid_difference != abs(worked_out.contract.difference):
        yield "rounded"
    if any(share.role == "sits_out" for share in worked_out.shares):
        yield "sits-out"


def _endings(seats: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for way in ("made", "lost", "all-passed"):
        yield f"ends-{way}", way, {}
    yield {3: ("petite", "petite", {}), 4: ("garde", "garde", {}), 5: ("garde-sans", "garde_sans", {})}[seats]
    if seats == 4:
        yield "garde-contre", "garde_contre", {}
        yield "petit-au-bout", "petit-au-bout-defence", {}
        yield "slam", "slam-announced", {}
        yield "poignee", "poignee", {}
        yield "three-deals", "chien-turned", {"deals": 3, "first_dealer": 2}
    if seats == 5:
        yield "alone", "alone", {}
        yield "partner", "partner", {}
        yield "ends-petit-sec", "petit-sec", {}


def _options(seats: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Return every value of every option but the defaults, with something that shows it where that is not rare."""
    if seats == 3:
        yield "packets-of-three", "made", {"deal_packet_3p": 3, "half_point_short": "won"}
        yield "half-point-zero", "just-missed", {"half_point_short": "zero"}
        yield "excuse-any-slam", "excuse-in-the-last-trick", {"excuse_wins_last_trick": "any_slam"}
    if seats == 4:
        yield "bidding-open", "bid-again", {"bidding": "open", "minimum_contract": "garde"}
        yield "petit-sec-play-on", "made", {"petit_sec": "play_on", "chien_excluded": "first3_last3"}
        yield "excuse-to-the-winner", "excuse-in-the-last-trick", {"excuse_last_trick": "goes_to_trick_winner"}
        yield "excuse-never", "excuse-in-the-last-trick", {"excuse_wins_last_trick": "never"}
        yield "poignees-20-40-60", "poignee", {"poignee_scale": "20_40_60", "score_rounding": "5"}
        yield "poignees-first", "poignee-declined", {"poignee_timing": "before_first_lead"}
        yield "petit-chelem", "petit-chelem-announced", {"petit_chelem": "300/-150", "score_rounding": "10"}
        yield "clockwise", "rounded", {"direction": "clockwise", "score_rounding": "10"}
    if seats == 5:
        yield "imprenable", "imprenable", {"petit_sec": "imprenable"}
        yield "misere", "misere", {"misere": "on"}
        yield "poignees-10-20-40", "poignee", {"poignee_scale": "10_20_40", "poignee_5p_triple": 15}
        yield "calls", "partner", {"call_self": False, "called_suit_lead": "free", "five_player_split": "equal"}
        yield "excuse-announcing-side", "excuse-in-the-last-trick", {"excuse_wins_last_trick": "announcing_side"}
        yield "ban-after-excuse", "partner", {"called_suit_ban_after_excuse": True}
        yield "dead-dealer", "sits-out", {"five_player_mode": "dead_dealer", "deals": 5}


def wanted(seats: int) -> list[Wanted]:
    """List the golden games of French Tarot for a number of players."""
    return [
        Wanted("french-tarot", f"{seats}-{name}", seats, happens, {"deals": 1} | options)
        for name, happens, options in (*_endings(seats), *_options(seats))
    ]
