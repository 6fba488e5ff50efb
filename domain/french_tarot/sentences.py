"""The events and actions of French Tarot, as messages; their words stand in ``sentences.<language>.json``."""

from domain.sentences.message import Message, Number
from domain.sentences.telling import Tellers, Told, actor, card, cards, if_shown, number, says, scores, seat, term


def _scored(event: Told) -> Message:
    """Tell who won the contract and by how much, and what each seat won or lost."""
    contract = event.data["calculation"]["contract"]
    if contract["won_by"] is None:
        return Message("deal_scored.neither", {"scores": scores(event)})
    by = Number(abs(contract["difference"]))
    return Message(f"deal_scored.{contract['won_by']}", {"by": by, "scores": scores(event)})


TELLERS: Tellers = {
    "cards_dealt": says("cards_dealt", deal=number("deal_number"), dealer=seat("dealer")),
    "phase_began": says("phase_began.{phase}"),
    "petit_sec_shown": says("petit_sec_shown", holder=seat("holder")),
    "petit_imprenable_declared": says("petit_imprenable_declared", holder=seat("holder")),
    "deal_thrown_in": says("deal_thrown_in.{reason}"),
    "bid_made": says("bid_made", player=actor, contract=term("contract", "contract")),
    "passed": says("passed", player=actor),
    "contract_won": says(
        "contract_won", taker=seat("taker"), contract=term("contract", "contract"), multiplier=number("multiplier")
    ),
    "card_called": says("card_called", player=actor, card=card("card")),
    "partner_revealed": if_shown(
        "partner",
        says("partner_revealed", partner=seat("partner"), card=card("card")),
        says("partner_revealed.nobody", card=card("card")),
    ),
    "chien_turned": says("chien_turned", taker=seat("taker"), cards=cards("cards")),
    "cards_discarded": if_shown(
        "cards",
        says("cards_discarded", player=actor, cards=cards("cards")),
        says("cards_discarded.unseen", player=actor, count=number("count")),
    ),
    "trumps_shown": says("trumps_shown", taker=seat("taker"), cards=cards("cards")),
    "slam_announced": says("slam_announced", player=actor),
    "petit_chelem_announced": says("petit_chelem_announced", player=actor),
    "slam_declined": says("slam_declined", player=actor),
    "poignee_shown": says("poignee_shown.{level}", player=actor, cards=cards("cards")),
    "poignee_declined": says("poignee_declined", player=actor),
    "misere_announced": says("misere_announced.{kind}", player=actor),
    "card_played": says("card_played", player=actor, card=card("card")),
    "trick_won": says("trick_won", number=number("number"), winner=seat("winner")),
    "excuse_kept": says("excuse_kept", card=card("card"), player=seat("player")),
    "excuse_settled": says("excuse_settled.{owner}", card=card("card")),
    "deal_revealed": says("deal_revealed"),
    "deal_scored": _scored,
}

ACTION_TELLERS: Tellers = {
    "bid": says("action.bid", contract=term("contract", "contract")),
    "pass": says("action.pass"),
    "call": says("action.call", card=card("card")),
    "discard": says("action.discard", cards=cards("cards")),
    "announce_slam": says("action.announce_slam"),
    "announce_petit_chelem": says("action.announce_petit_chelem"),
    "no_slam": says("action.no_slam"),
    "show_poignee": says("action.show_poignee", cards=cards("cards")),
    "announce_misere": says("action.announce_misere.{kind}"),
    "play": says("action.play", card=card("card")),
}
