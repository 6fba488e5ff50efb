"""The most that a seat can choose from, for every ruleset and number of players: positions, and how many actions."""

from collections.abc import Callable, Mapping
from math import comb

from domain.french_tarot.deck import is_free
from domain.game.aggregate import Game
from domain.registry import RULESETS
from domain.serialization import changed
from tests.domain.french_tarot import builders as french_tarot
from tests.domain.plateau import builders as plateau
from tests.domain.plute import builders as plute
from tests.support.random_games import playing, starting
from tests.support.sampling import VARIANTS

KINGS = "RS RH RD RC"
FREE = [card for card in french_tarot.TAROT_PACK if is_free(card)]
TRUMPS = [f"T{n}" for n in range(1, 22)]


def at(ruleset_id: str, seats: int, state: object) -> Game:
    """Return a game that has come to a position."""
    *_, last = starting(ruleset_id, seats, 0)
    (seat,) = RULESETS[ruleset_id].to_act(state)
    return changed(last.game, state=state, pending={seat: last.game.version})


def ecarts(seats: int, cards: list[str]) -> Game:
    """French Tarot: a taker who holds these cards, with the chien: in the worst case nothing but free ones."""
    held = [" ".join(cards), *[""] * (seats - 1)]
    return at("french-tarot", seats, french_tarot.state(seats, "discard", held=held, contract="garde", turned=True))


def poignees(seats: int, in_hand: int, aside: int, others: str = "") -> Game:
    """French Tarot: a taker who has as many trumps as can be, in hand and laid aside in sight, and has the lead."""
    shown = " ".join(TRUMPS[in_hand : in_hand + aside])
    hand = " ".join((*TRUMPS[:in_hand], others))
    parts = {"ecart": shown, "shown_trumps": shown} if aside else {}
    state = french_tarot.state(
        seats, "play", held=[hand, *["1S"] * (seats - 1)], contract="garde", slam="none", turned=True, **parts
    )
    return at("french-tarot", seats, state)


def opened(board: str) -> Game:
    """Plateau: a turn of Black's."""
    return at("plateau", 2, plateau.state(board, to_move="B"))


def first_lead() -> Game:
    """Plute: a bidder who holds every card that can declare a suit, where jacks can too."""
    held = ["X1 X2 JS JH JD JC 2S 3S 4S"]
    return at("plute", 6, plute.state("play", held=held, trump=None, options={"declare_off_jack_lead": True}))


def longest_played(ruleset_id: str, seats: int) -> Game:
    """The longest list in random games of every variant, each up to the first turn at play: hands do not grow later."""
    games = []
    for each, number, variant in VARIANTS:
        if (each, number) == (ruleset_id, seats):
            for step in playing(ruleset_id, seats, 0, variant):
                games += [step.game] if step.game.pending else []
                if type(step.action).__name__ == "Play":
                    break
    return max(games, key=lambda game: max(len(game.ruleset.legal_actions(game.state, seat)) for seat in game.pending))


LONGEST: Mapping[str, tuple[int, Callable[[], Game]]] = {
    "le-plateau of 2: a discard": (28, lambda: longest_played("le-plateau", 2)),
    "le-plateau of 3: a discard of the full deck": (1140, lambda: longest_played("le-plateau", 3)),
    "le-plateau of 4: a discard of the full deck": (1330, lambda: longest_played("le-plateau", 4)),
    "le-plateau of 5: a discard of the full deck": (816, lambda: longest_played("le-plateau", 5)),
    "le-plateau of 6: gifts": (2100, lambda: longest_played("le-plateau", 6)),
    "plateau: an opening": (12 * 105, lambda: at("plateau", 2, plateau.state(phase="opening", to_move="B"))),
    "plateau: a turn, the most that a search has found": (
        1160,
        lambda: opened("d1 Bbb Brb Brx Bxb Bxx, c1 Bxx Brr Bbb Box Bxx, b4 Wxx Wbb, c2 Brr Bxx"),
    ),
    "french-tarot of 3: an écart": (comb(30, 6), lambda: ecarts(3, FREE[:30])),
    "french-tarot of 4: an écart": (comb(24, 6), lambda: ecarts(4, FREE[:24])),
    "french-tarot of 5: an écart": (comb(18, 3), lambda: ecarts(5, FREE[:18])),
    "french-tarot of 4: an écart of trumps": (comb(19, 6), lambda: ecarts(4, [*TRUMPS, "RS", "RH", "EX"])),
    "french-tarot of 4: a poignée, also with the Excuse": (
        18 + comb(18, 10) + comb(18, 13) + comb(18, 15) + 1 + comb(6, 2),
        lambda: poignees(4, 12, 6, "RS RH RD RC 1S EX"),
    ),
    "french-tarot of 3: a poignée": (
        24 + comb(21, 13) + comb(21, 15) + comb(21, 18),
        lambda: poignees(3, 21, 0, "RS RH RD"),
    ),
    "french-tarot of 4: a poignée": (
        18 + comb(21, 10) + comb(21, 13) + comb(21, 15),
        lambda: poignees(4, 15, 6, "RS RH EX"),
    ),
    "french-tarot of 5: a poignée": (15 + comb(18, 8) + comb(18, 10) + comb(18, 13), lambda: poignees(5, 15, 3)),
    "plute: the first lead": (2 * 4 + 4 * 2 + 3, first_lead),
}
