"""The options of French Tarot, all of them written out (rules.md, options); ``option_rules`` has what is allowed."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from domain.field_types import Bounds, Omittable, doc

PoigneeScale: TypeAlias = Literal["fft_20_30_40", "20_40_60", "10_20_40"]

MOST_DEALS = 120


@dataclass(frozen=True, slots=True)
class Options:
    """The agreed options, all of them written out. null stands for "does not apply" or "drawn"."""

    bidding: Literal["one_round", "open"] = doc(
        "One turn each, or rounds until all but one have passed.", default="one_round"
    )
    minimum_contract: Literal["petite", "garde"] = doc("The lowest contract that can be bid.", default="petite")
    petit_sec: Literal["cancel", "imprenable", "play_on"] = doc(
        "A hand whose only trump is the petit, without the Excuse: the deal is cancelled, or the petit is played as a "
        "second Excuse, or nothing special happens.",
        default="cancel",
    )
    deal_packet_3p: Literal[4, 3] | None = doc("Cards dealt at a time; 3 players only.", default=None)
    chien_excluded: Literal["first_last", "first3_last3"] = doc(
        "Which cards of the pack cannot go to the chien: the first and the last, or three at each end.",
        default="first_last",
    )
    excuse_last_trick: Literal["changes_side", "goes_to_trick_winner"] = doc(
        "An Excuse played in the last trick goes to the opponents of its player, or to the winners of the trick.",
        default="changes_side",
    )
    excuse_wins_last_trick: Literal["announced_only", "announcing_side", "any_slam", "never"] = doc(
        "Whether the Excuse wins the last trick for a side that won all others: for the player who announced the slam "
        "only, with 5 players for a partner too, after any slam, or never.",
        default="announced_only",
    )
    call_self: bool | None = doc("Whether a taker can call a card of their own hand; 5 players only.", default=None)
    called_suit_lead: Literal["only_called_card", "free"] | None = doc(
        "Whether the first lead can be of the called suit, other than the called card itself; 5 players only.",
        default=None,
    )
    called_suit_ban_after_excuse: bool | None = doc(
        "Whether that ban holds for the second player too when the Excuse was led; 5 players only.", default=None
    )
    five_player_split: Literal["two_thirds_one_third", "equal"] | None = doc(
        "How taker and partner share: two thirds and one third, or equally; 5 players only.", default=None
    )
    five_player_mode: Literal["call_king", "dead_dealer"] | None = doc(
        "Five play and the taker calls a partner, or the dealer sits out a deal for four; 5 players only.",
        default=None,
    )
    half_point_short: Literal["lost", "zero", "won"] | None = doc(
        "A contract short by half a point is lost by 1, is worth nothing (no poignée is paid then), or is just made; "
        "where half points arise, with 3 or 5 players.",
        default=None,
    )
    poignee_scale: PoigneeScale = doc("Bonus of a simple, double and triple poignée.", default="fft_20_30_40")
    poignee_5p_triple: Literal[13, 15] | None = doc("Trumps of a triple poignée; 5 players only.", default=None)
    poignee_timing: Literal["before_own_first_card", "before_first_lead"] = doc(
        "Poignées are shown by each seat before its own first card, or by all seats in turn before the first lead.",
        default="before_own_first_card",
    )
    misere: Literal["off", "on"] = doc(
        "Whether a hand without trumps, or without court cards, can be announced: 10 points from each other player.",
        default="off",
    )
    petit_chelem: Literal["off", "300/-150"] = doc(
        "Whether the taker can announce all tricks but one: 300 points if made, -150 if not.", default="off"
    )
    score_rounding: Literal["none", "5", "10"] = doc(
        "Round the points that a contract is made or lost by to the nearest 5 or 10.", default="none"
    )
    thrown_in: Annotated[Literal["count"] | None, Omittable()] = doc(
        "Whether a deal that is thrown in counts as one of the agreed deals, for nothing.", default=None
    )
    direction: Literal["counter_clockwise", "clockwise"] = doc(
        "The direction of dealing, bidding and play; seats are numbered counter-clockwise.",
        default="counter_clockwise",
    )
    deals: Annotated[int, Bounds(1, MOST_DEALS)] = doc(
        "Deals to play, those thrown in not counted: by default 12, or 15 with 5 players; a multiple of 5 if the "
        "dealer sits out.",
        default=None,
    )
    first_dealer: Annotated[int, Bounds(0, 4)] | None = doc(
        "The seat that deals first; drawn if not given.", default=None
    )
