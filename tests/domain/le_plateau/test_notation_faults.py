"""Le Plateau as text: which word is wrong, and by which section of the rules."""

import re

import pytest

from domain.cardplay.cards import CODES
from domain.laws.texts import fault_of, seen
from domain.texts import document
from tests.domain.le_plateau.typed_texts import (
    BID_RULE,
    BOARD_RULE,
    DEAL_RULE,
    EXCHANGE_RULE,
    PARTNER_RULE,
    PLAY_RULE,
    TWO,
    after_the_deal,
    hands,
    header,
    wrong,
    wrong_at_the_mark,
)
from tests.support.random_games import played
from tests.support.sampling import VARIANTS

HIDDEN = "a ? stands for what was hidden from the viewer of this text: from here on it cannot be checked"
_BID = "y.x.solo pass pass "
_PLAY = "y.solo pass pass keep "
_SIX = "pass y.x.trio pass pass pass pass "


@pytest.mark.parametrize(
    ("seats", "words", "message"),
    [
        (3, "1:pass", f"6:1: seat 0 must bid (such as y.x.duo) or pass, not seat 1 {BID_RULE}"),
        (3, "3:pass", "6:1: 3: is not a seat: seats are 0: to 2:"),
        (3, "talon: pass", "6:1: talon: is not a seat: seats are 0: to 2:"),
        (3, "RS", f"6:1: RS does not fit: seat 0 must bid (such as y.x.duo) or pass {BID_RULE}"),
        (3, "0:", f"6:3: the end of the text does not fit: seat 0 must bid (such as y.x.duo) or pass {BID_RULE}"),
        (3, "y.x.duo", f"6:1: seat 0: 3 players cannot play as a duo; they can play alone {BID_RULE}"),
        (3, "y.x.solo=4", f"6:10: by the rules it is =3 {BID_RULE}"),
        (3, "y.x.solo=", f"6:10: by the rules it is =3 {BID_RULE}"),
        (3, "0:y.x.solo 1:bridge.solo", f"6:14: seat 1: the bid is worth 2; it must exceed 3 {BID_RULE}"),
        (3, "1. d2", f"6:1: the hand is not over: seat 0 must bid (such as y.x.duo) or pass {BID_RULE}"),
        (3, "0: 1. d2", f"6:1: a deal begins with its number alone {DEAL_RULE}"),
        (3, "take", f"6:1: take does not fit: nothing of that kind has just happened {EXCHANGE_RULE}"),
        (3, "score 0 0 0", "6:1: score does not fit: nothing of that kind has just happened (rule 8. Score)"),
        (3, "void", f"6:1: void does not fit: nothing of that kind has just happened {BID_RULE}"),
        (3, "#1", f"6:1: no trick begins here: #1 does not fit {PLAY_RULE}"),
        (3, _BID + "take T20 T19 EX", f"6:29: T19 does not belong here; by the rules: T21 EX {EXCHANGE_RULE}"),
        (3, _BID + "take T20 T20 EX", f"6:29: T20 does not belong here; by the rules: T21 EX {EXCHANGE_RULE}"),
        (3, _BID + "1:take T20 T21 EX", "6:20: this belongs to seat 0"),
        (3, _BID + "take T20 T21 EX take", "6:36: take does not fit: nothing of that kind has just happened "
                                           + EXCHANGE_RULE),
        (3, _BID + "10S", "6:20: 10S does not fit: seat 0 must lay aside as many cards as it took "
                          f"(such as lay 1S 2S 3S) {EXCHANGE_RULE}"),
        (3, _BID + "lay 10S T20", f"6:31: lay aside 3 cards, not 2 {EXCHANGE_RULE}"),
        (3, _BID + "lay 10S T20 T21 RS", f"6:36: lay aside 3 cards, not 4 {EXCHANGE_RULE}"),
        (3, _BID + "lay 10S T20 keep", f"6:32: lay aside 3 cards, not 2 {EXCHANGE_RULE}"),
        (3, _BID + "lay 10S KS", f"6:28: KS is not a card; the cards are {CODES} (rule 1. Names)"),
        (3, _BID + "lay 10S ?", f"6:28: {HIDDEN}"),
        (3, _BID + "lay 10S VS EX", f"6:28: seat 0: you do not hold the jack of spades {EXCHANGE_RULE}"),
        (3, _BID + "lay 10S T20 10S",
         f"6:32: seat 0: the same card is named twice: the 10 of spades, "
         f"trump 20 and the 10 of spades {EXCHANGE_RULE}"),
        (3, _BID + "lay 10S T20 T21 raise bridge", f"6:42: seat 0: a bridge is not higher than a Y {PARTNER_RULE}"),
        (3, _BID + "lay 10S T20 T21 raise forks", "6:42: forks is not an objective: objectives are bridge y fork "
                                                  f"five_sides six_sides {PARTNER_RULE}"),
        (3, _BID + "lay 10S T20 T21 raise fork=4", f"6:47: by the rules it is =5 {PARTNER_RULE}"),
        (3, _BID + "lay 10S T20 T21 abdicate", "6:36: seat 0: only a declarer of 5 players whose partner raised "
                                               f"can abdicate {PARTNER_RULE}"),
        (3, _PLAY + "#2", f"6:23: trick #1 begins here, not #2 {PLAY_RULE}"),
        (3, _PLAY + "XX", f"6:23: XX does not fit: seat 0 must play a card, one of {CODES} (rule 1. Names)"),
        (3, _PLAY + "VS", f"6:23: seat 0: you do not hold the jack of spades {PLAY_RULE}"),
        (3, _PLAY + "10S=0", "6:27: nothing follows from this yet: leave out the = and what stands after it "
                             + PLAY_RULE),
        (3, _PLAY + "10S CH",
         f"6:27: seat 1: the 10 of spades was led: "
         f"follow suit, not the knight of hearts {PLAY_RULE}"),
        (3, _PLAY + "10S RS CS=2", f"6:33: by the rules it is =1 {PLAY_RULE}"),
        (3, _PLAY + "10S RS 1:CS", f"6:30: seat 2 must play a card, not seat 1 {PLAY_RULE}"),
        (3, _PLAY + "10S RS #2", f"6:30: no trick begins here: #2 does not fit {PLAY_RULE}"),
        (3, _PLAY + "10S RS CS /T3", f"6:33: by the rules these cards turn up here: no cards {PLAY_RULE}"),
        (3, _PLAY + "10S RS CS won", f"6:33: won does not fit: nothing of that kind has just happened {PLAY_RULE}"),
        (3, _PLAY + "10S RS CS result: hands_played", "6:33: there is no result yet: by the rules the game continues"),
        (3, "pass pass pass 0:void", "6:16: this belongs to no seat: leave the seat out"),
        (3, "pass pass pass score 0 0 +1", "6:26: by the rules it is 0, not +1 (rule 8. Score)"),
        (3, "pass pass pass pass", f"6:16: the next deal must come here, beginning with 2. and the dealer {DEAL_RULE}"),
        (3, "pass pass pass 3. d0", f"6:16: deal 2 is next, not 3. {DEAL_RULE}"),
        (3, "pass pass pass 2. d1", f"6:19: seat 0 deals, not seat 1 {DEAL_RULE}"),
        (3, "pass pass pass 2. d3", f"6:19: there is no seat 3 with 3 players {DEAL_RULE}"),
        (3, "pass pass pass 2. 0:", f"6:19: the dealer is missing, such as d0: found 0: {DEAL_RULE}"),
        (2, "y.solo pass keep VS T7=1 1:/10S", "6:26: this belongs to seat 0"),
        (2, "y.solo pass keep VS T7=1 0:/CS", f"6:28: by the rules these cards turn up here: /10S {PLAY_RULE}"),
        (2, "y.solo pass keep VS T7=1 /10S /10S", f"6:31: by the rules these cards turn up here: no cards {PLAY_RULE}"),
        (6, _SIX + "give 2S T1", f"6:40: two cards must go to two other players, such as RS>1 2D>4 {EXCHANGE_RULE}"),
        (6, _SIX + "give 2S>1 8S>2", "6:43: two cards must go to two other players, such as RS>1 2D>4 "
                                     + EXCHANGE_RULE),
        (6, _SIX + "give 2S>0", f"6:44: give 2 cards, not 1 {EXCHANGE_RULE}"),
        (6, _SIX + "give 2S>0 8S>2 1S>3", f"6:50: give 2 cards, not 3 {EXCHANGE_RULE}"),
        (6, _SIX + "give 2S>0 KS>2", f"6:45: KS is not a card; the cards are {CODES} (rule 1. Names)"),
        (6, _SIX + "give 2S>0 0:keep", f"6:45: give 2 cards, not 1 {EXCHANGE_RULE}"),
        (6, _SIX + "give 2S>0 8S>0", "6:48: two cards must go to two other players, such as RS>1 2D>4 "
                                     + EXCHANGE_RULE),
        (6, _SIX + "give 2S>0 2S>2",
         f"6:45: seat 1: the same card is named twice: "
         f"the 2 of spades and the 2 of spades {EXCHANGE_RULE}"),
        (6, _SIX + "give 2S>0 1S>2", f"6:45: seat 1: you do not hold the 1 of spades {EXCHANGE_RULE}"),
        (6, _SIX + "give 2S>0 8S>2 dealt T20>3 T21>5 EX>4", f"6:62: T21>5 does not belong here; by the rules: T21>4 "
                                                           f"EX>5 {EXCHANGE_RULE}"),
    ],
)  # fmt: skip
def test_the_first_word_that_is_wrong_is_named_with_the_section_of_the_rules(seats, words, message):
    assert wrong(after_the_deal(seats, words)) == message


CARDS = hands(3)
RIM = "RS T1 #1 #2 T2 #3 #4 T3 #5 #6 T4 #7 #8 T5 #9 #10 T6 #11"
TOKENS = f"{RIM} #12 CH VS DC CS DD VH CD VC DS CC DH VD EX RD RC T21 RH #13"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("T17 1: VS", "^1: VS", f"card 13 of 13 of seat 0 is missing: found 1: {DEAL_RULE}"),
        ("T14 T17", "T14 VS ^T17", f"1: or 2: or talon: and its cards must come next, not T17 {DEAL_RULE}"),
        ("1: VS", "1: ^10S", f"10S is dealt twice: it already goes to seat 0's hand {DEAL_RULE}"),
        ("1: VS", "1: ^9S", f"9S is not in play in this game {DEAL_RULE}"),
        ("1: VS", "1: ^SV", f"SV is not a card; the cards are {CODES} (rule 1. Names)"),
        ("1: VS", "^0: VS", f"1: or 2: or talon: and its cards must come next, not 0: {DEAL_RULE}"),
        ("1: VS", "^3: VS", f"1: or 2: or talon: and its cards must come next, not 3: {DEAL_RULE}"),
        (" EX", "^", f"card 3 of 3 of the talon is missing: found the end of the text {DEAL_RULE}"),
    ],
)  # fmt: skip
def test_a_deal_that_is_not_possible_is_refused_at_the_first_word_that_is_wrong(old, new, message):
    text = f"{header(3)}1. d2 {CARDS}"
    assert fault_of(text) is None
    assert text.count(old) == 1
    assert wrong_at_the_mark(text.replace(old, new), message)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("VS/10S", "^VS", f"two cards must stand here, joined by a slash, such as RH/T3 {DEAL_RULE}"),
        ("DS/CS", "DS/^VS", f"VS is dealt twice: it already goes to the top of seat 0's pile 1 {DEAL_RULE}"),
        ("T21 EX", "EX ^10S", f"10S is dealt twice: it already goes to the bottom of seat 0's pile 1 {DEAL_RULE}"),
        ("T21 EX", "EX ^EX", f"EX is dealt twice: it already goes to place 1 of the talon {DEAL_RULE}"),
    ],
)
def test_piles_and_talon_have_their_places(old, new, message):
    text = f"{header(2)}1. d1 {TWO}"
    assert fault_of(text) is None
    assert wrong_at_the_mark(text.replace(old, new), message)


def test_the_first_dealer_is_the_one_that_the_options_name():
    assert wrong_at_the_mark(f"{header(3, 'first_dealer=1')}1. ^d2 {CARDS}", f"seat 1 deals, not seat 2 {DEAL_RULE}")


@pytest.mark.parametrize(
    ("options", "board", "message"),
    [
        ("", "^" + TOKENS, f"T1 is at this place, not RS {BOARD_RULE}"),
        ("board=random_deal", TOKENS.replace("T1 ", "^T7 ", 1), "T7 is not a token of this board; token 2 of 37 must "
                                                               f"stand here {BOARD_RULE}"),
        ("board=random_deal", TOKENS.replace("T1 ", "^RS ", 1), f"RS is on the board already {BOARD_RULE}"),
        ("board=random_deal", TOKENS.replace("#13", "^"), "0: is not a token of this board; token 37 of 37 must stand "
                                                         f"here {BOARD_RULE}"),
    ],
)  # fmt: skip
def test_an_impossible_board_is_refused_at_its_first_wrong_token(options, board, message):
    assert wrong_at_the_mark(f"{header(3, options)}1. d2 board: {board}{CARDS}".replace("#130", "#13 0"), message)


def test_a_board_at_random_must_be_written_and_stays_where_it_is_for_the_game():
    missing = f"the board is random in this game: write 'board:' and its 37 tokens {BOARD_RULE}"
    other = " ".join(reversed(TOKENS.split()))
    assert wrong_at_the_mark(f"{header(3, 'board=random_game')}1. d2 ^{CARDS}", missing)
    for options in ("board=random_game", "board=random_deal"):
        first = f"{header(3, options)}1. d2 board: {TOKENS} {CARDS}\npass pass pass\n"
        assert fault_of(f"{first}2. d0 board: {TOKENS} {CARDS}") is None
        assert wrong_at_the_mark(f"{first}2. d0 ^{CARDS}", missing)
    assert fault_of(f"{first}2. d0 board: {other} {CARDS}") is None
    fixed = first.replace("random_deal", "random_game")
    assert wrong_at_the_mark(f"{fixed}2. d0 board: ^{other} {CARDS}", f"RS is at this place, not #13 {BOARD_RULE}")


def of_seeds(seats, part=""):
    """Write a game with its secret, with the first variant that has some part."""
    variant = next(v for _, s, v in VARIANTS if s == seats and part in v)
    return document.write(seen(played("le-plateau", seats, 0, variant)))


def test_another_first_dealer_than_the_seeds_give_is_refused():
    text = of_seeds(3)
    told = re.search(r"1\. d(\d)", text)
    other = (int(told[1]) + 1) % 3
    marked = text.replace(told[0], f"1. ^d{other}")
    assert wrong_at_the_mark(marked, f"by the seeds seat {told[1]} deals, not seat {other} {DEAL_RULE}")


def test_a_card_in_another_place_than_the_seeds_give_is_refused():
    text = of_seeds(3)
    one, other = re.search(r"1: (\S+) .*? 2: (\S+)", text).groups()
    marked = text.replace(f"1: {one} ", f"1: ^{other} ", 1).replace(f"2: {other} ", f"2: {one} ", 1)
    assert wrong_at_the_mark(marked, f"by the seeds {other} goes to seat 2's hand, not to seat 1's hand {DEAL_RULE}")


def test_another_order_of_the_talon_than_the_seeds_give_is_refused():
    text = of_seeds(3)
    one, other = re.search(r"talon: (\S+) (\S+)", text).groups()
    marked = text.replace(f"talon: {one} {other}", f"talon: ^{other} {one}", 1)
    message = f"by the seeds {other} goes to place 2 of the talon, not to place 1 of the talon {DEAL_RULE}"
    assert wrong_at_the_mark(marked, message)


def test_another_board_at_random_than_the_seeds_give_is_refused():
    text = of_seeds(3, "board=random_deal")
    one, other = re.search(r"board: (\S+) (\S+)", text).groups()
    marked = text.replace(f"board: {one} {other}", f"board: ^{other} {one}", 1)
    assert wrong_at_the_mark(marked, f"{one} is at this place, not {other} {BOARD_RULE}")
