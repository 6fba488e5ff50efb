"""Plute as text: what is read, which word is wrong, and by which section of the rules."""

import pytest

from domain.laws.texts import fault_of, seen
from domain.plute import events as ev
from domain.plute.deck import CODES
from domain.texts import document
from tests.support.random_games import played

HEADER = "notation: 1\nruleset: plute 1\nseats: 6\noptions: win_at=1\n\n"
DEAL = """1. d2
0: 2S 10S 2H 5D QD 3C 4C 5C JC
1: 3S 8S 9S AS 8H 10H KH AC X2
2: 4S 5S 6H 6D 7D 6C 7C QC KC
3: KS JH QH AH 2D KD AD 9C X1
4: 7S 3H 4H 7H 4D 8D 9D 10D JD
5: 6S JS QS 5H 9H 3D 2C 8C 10C
"""
BIDS = "3:6 4:pass 5:pass 0:pass 1:pass 2:pass\n"
TRICKS = """#1 3:X1.H 7H 5H 2H 10H 6H=1
#2 1:AS 4S QH JD JS 2S=3
#3 3:2D 9D 9H QD 3S 6D=5
#4 5:6S 10S 9S 5S KS 3H=4
#5 4:4H 8C 5C KH QC AH=3
#6 3:9C 4D 10C 4C X2 KC=1
#7 1:AC 6C AD 8D 2C JC=1
#8 1:8H 7C JH 10D QS 3C=3
"""
LAST = "#9 3:KD 9D 8C\n"
COUNT = "won odd 64 high jack off_jack high_joker low_joker game\n"
STOPPED = "5:claim stop\n" + COUNT + "made odd 1\nresult: one_made won 1 3 5 scores 0 1 0 1 0 1\n"
GAME = HEADER + DEAL + BIDS + TRICKS + STOPPED
CARDS_ARE = f"the cards are {CODES} (rule 2. Cards)"
BID_RULE, PLAY_RULE, STOP_RULE = "(rule 3. Bidding)", "(rule 5. Play)", "(rule 8. Early stop)"
DEAL_RULE, LEAD_RULE = "(rule 1. Table and deal)", "(rule 4. Trump and the first lead)"
OWN_SUIT = "the king of spades names its own suit; it cannot declare hearts"
POINTS_RULE, TALLY_RULE = "(rule 6. The seven points)", "(rule 7. Tally and the end of the game)"


def test_a_game_is_read_and_played_with_only_what_was_dealt_and_done():
    bare = " ".join(word.partition("=")[0] for word in TRICKS.split() if not word.startswith("#"))
    for label in ("0:", "1:", "2:", "3:", "4:", "5:"):
        bare = bare.replace(label, "")
    told = []
    reading = document.read(HEADER + DEAL + "6 pass PASS pass pass pass " + bare + " 5:CLAIM", told.append)
    assert reading.events == document.read(GAME).events
    assert (reading.outcome.reason, reading.outcome.winners) == ("one_made", (1, 3, 5))
    assert told == ["hand 1: seat 3 bids 6 for odd, which wins 6 and makes it (made 1, set 0)"]


@pytest.mark.parametrize(
    ("old", "new", "answer"),
    [
        ("seats: 6", "seats: 4", "3:8: Plute has 6 seats"),
        ("1. d2", "2. d2", f"6:1: deal 1 is next, not 2. {DEAL_RULE}"),
        ("1. d2", "1. 2", f"6:4: the dealer is missing, such as d0: found 2 {DEAL_RULE}"),
        ("1. d2", "1. d6", f"6:4: there is no seat 6 with 6 players {DEAL_RULE}"),
        ("1. d2", "1. d3", f"13:1: seat 4 must bid (4 to 7) or pass, not seat 3 {BID_RULE}"),
        ("1: 3S", "0: 3S", "8:1: 1: or 2: or 3: or 4: or 5: and its cards must come next, not 0: "
                           + DEAL_RULE),
        ("1: 3S", "1: 2S", f"8:4: 2S is dealt twice: it already goes to seat 0's hand {DEAL_RULE}"),
        ("1: 3S", "1: T1", f"8:4: T1 is not a card; {CARDS_ARE}"),
        ("1: 3S", "1:", f"9:1: card 9 of 9 of seat 1 is missing: found 2: {DEAL_RULE}"),
        ("3:6", "3:3", f"13:3: seat 3: a bid is 4 to 7 points, not 3 {BID_RULE}"),
        ("3:6", "6:6", "13:1: 6: is not a seat: seats are 0: to 5:"),
        ("3:6", "4:6", f"13:1: seat 3 must bid (4 to 7) or pass, not seat 4 {BID_RULE}"),
        ("3:6", "3:KS", f"13:3: KS does not fit: seat 3 must bid (4 to 7) or pass {BID_RULE}"),
        ("3:6", "3:claim", f"13:3: no seat can claim during the bidding: seat 3 must bid (4 to 7) or pass {BID_RULE}"),
        ("3:6", "3:stop", f"13:3: stop does not fit: nothing of that kind has just happened {STOP_RULE}"),
        ("3:6", "1. d3", f"13:1: the hand is not over: seat 3 must bid (4 to 7) or pass {BID_RULE}"),
        ("3:6", "#1", f"13:1: no trick begins here: #1 does not fit {PLAY_RULE}"),
        ("4:pass", "4:6", f"13:7: seat 4: 6 is too low: bid at least 7, or pass {BID_RULE}"),
        ("#1 3:", "#2 3:", f"14:1: trick #1 begins here, not #2 {PLAY_RULE}"),
        ("X1.H", "X1", "14:6: seat 3: the first joker leads the first trick: name the suit that it makes trump "
                       + LEAD_RULE),
        ("X1.H 7H", "X1.H 1H", f"14:11: 1H does not fit: seat 4 must play a card, one of {CODES} (rule 2. Cards)"),
        ("X1.H", "X1.T", f"14:9: a suit must stand here: S H D C {LEAD_RULE}"),
        ("X1.H", "KS.H", f"14:6: seat 3: {OWN_SUIT} {LEAD_RULE}"),
        ("X1.H", "X2.H", f"14:6: seat 3: you do not hold the second joker {PLAY_RULE}"),
        ("X1.H 7H", "X1.H 7S", "14:11: seat 4: the first joker was led: play a trump, not the 7 of spades "
                               + PLAY_RULE),
        ("X1.H 7H", "X1.H 4:stop", f"14:13: stop does not fit: nothing of that kind has just happened {STOP_RULE}"),
        ("X1.H 7H", "X1.H 5:5H", f"14:11: seat 4 must play a card, not seat 5 {PLAY_RULE}"),
        ("X1.H 7H", "X1.H 7H=4", "14:14: nothing follows from this yet: leave out the = and what stands after it "
                                 + PLAY_RULE),
        ("6H=1", "6H=2", f"14:27: by the rules it is =1 {PLAY_RULE}"),
        ("#2 1:AS", "1:claim", "15:3: seat 1: a Plute is possible until both teams have taken a trick "
                               + STOP_RULE),
        ("#8 1:", "claim ", f"21:1: a claim must name its seat, such as 0:claim {STOP_RULE}"),
        ("#8 1:", "1:stop ", f"21:3: stop does not fit: nothing of that kind has just happened {STOP_RULE}"),
        ("#8 1:", "stop ", f"21:1: stop does not fit: nothing of that kind has just happened {STOP_RULE}"),
        ("#8 1:", "result:", "21:1: there is no result yet: by the rules the game continues"),
        ("won odd", "won even", f"23:5: by the rules it is odd, not even {POINTS_RULE}"),
        ("odd 64", "odd 63", f"23:9: by the rules it is 64, not 63 {POINTS_RULE}"),
        ("64 high", "64 low", f"23:12: low does not belong here; by the rules: high jack off_jack high_joker low_joker "
                              f"game {POINTS_RULE}"),
        ("game\n", "\n", "24:1: made does not belong here; by the rules: game " + POINTS_RULE),
        ("made", "set", f"24:1: set does not fit: nothing of that kind has just happened {TALLY_RULE}"),
        ("made odd 1", "made odd 2", f"24:10: by the rules it is 1, not 2 {TALLY_RULE}"),
        ("odd 1\n", "odd 1 made\n", f"24:12: made does not fit: nothing of that kind has just happened {TALLY_RULE}"),
        ("made odd 1", "plute odd", f"24:1: plute does not fit: nothing of that kind has just happened {TALLY_RULE}"),
        ("made odd 1", "2. d3", "24:1: the game is over: only its result can follow"),
        ("made odd 1", "3:KD", "24:1: the game is over: only its result can follow"),
    ],
)  # fmt: skip
def test_a_fault_is_found_at_its_place(old, new, answer):
    text = GAME if old in GAME else ""
    assert text, old
    assert str(fault_of(text.replace(old, new, 1))) == answer


def test_the_next_hand_is_dealt_by_the_next_seat():
    goes_on = (HEADER + DEAL + BIDS + TRICKS + "5:claim\n").replace("win_at=1", "win_at=2")
    reading = document.read(goes_on)
    assert (reading.outcome, reading.to_act) == (None, ())
    assert str(fault_of(goes_on + "3:6")).startswith(
        "23:1: the next deal must come here, beginning with 2. and the dealer"
    )
    assert str(fault_of(goes_on + "2. d4")) == f"23:4: seat 3 deals, not seat 4 {DEAL_RULE}"
    second = goes_on + DEAL.replace("1. d2", "2. d3")
    assert list(document.read(second).to_act) == [4]
    assert "nothing of that kind has just happened" in str(fault_of(f"{second}made odd 1"))


def test_a_jack_that_declares_the_off_jacks_suit_is_written_with_it():
    options = HEADER.replace("win_at=1", "declare_off_jack_lead=yes") + DEAL
    for said, trump in (("JH", "H"), ("JH.D", "D")):
        named = [event for event in document.read(f"{options}6 pass pass pass pass pass {said}").events
                 if isinstance(event, ev.TrumpNamed)]  # fmt: skip
        assert named == [ev.TrumpNamed(3, trump)]
    assert "cannot declare" in str(fault_of(f"{options}6 pass pass pass pass pass JH.C"))


def test_a_deal_that_the_seeds_do_not_give_is_refused():
    text = document.write(seen(played("plute", 6, 1)))
    first = text.index("0: ") + 3
    one, other = text[first:].split()[0], text[text.index(" 1: ") + 4 :].split()[0]
    swapped = text.replace(f" {one} ", " ? ", 1).replace(f" {other} ", f" {one} ", 1).replace(" ? ", f" {other} ", 1)
    assert f"by the seeds {other} goes to seat 1's hand, not to seat 0's hand" in str(fault_of(swapped))
    dealer = text[text.index("1. d") + 4]
    wrong = text.replace(f"1. d{dealer}", f"1. d{(int(dealer) + 1) % 6}")
    assert f"by the seeds seat {dealer} deals" in str(fault_of(wrong))


def test_a_hand_is_shown_if_its_seat_has_played_all_of_it():
    for variant, hidden in (
        ("early_stop=off low=taker dealer_may_steal=true show_points=true win_at=2 lose_at=2", False),
        ("", True),
    ):
        steps = played("plute", 6, 4, variant)
        log = seen(steps, None, everything=False)
        deals = [index for index, event in enumerate(log) if event["type"] == "hand_dealt"]
        assert ("?" in document.write(log[: deals[1]])) == hidden
