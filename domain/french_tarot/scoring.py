"""From the count of a deal to what each seat wins or loses, and who wins the match (rules.md, counting and scoring)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from domain.french_tarot.actions import ContractName
from domain.french_tarot.bidding import MULTIPLIER
from domain.french_tarot.calculation import (
    Calculation,
    ContractCounted,
    Count,
    Level,
    PetitAuBout,
    PoigneePaid,
    Role,
    Share,
    Side,
    Slam,
    SlamCounted,
)
from domain.french_tarot.explanation import in_words
from domain.french_tarot.options import Options, PoigneeScale
from domain.table import Seat

RULE = "10. Counting and scoring"
ENDING = "11. Match"
TARGETS = (56, 51, 41, 36)
"""The points that the attack needs, by the number of its oudlers."""

BASE = 25
MISERE = 10
_SIGN: Mapping[Side | None, int] = {"attack": 1, "defence": -1, None: 0}
POIGNEES: Mapping[PoigneeScale, Mapping[Level, int]] = {
    "fft_20_30_40": {"simple": 20, "double": 30, "triple": 40},
    "20_40_60": {"simple": 20, "double": 40, "triple": 60},
    "10_20_40": {"simple": 10, "double": 20, "triple": 40},
}


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """How a deal ended: who played, the count, and everything that is paid beside it."""

    contract: ContractName
    taker: Seat
    partner: Seat | None
    players: tuple[Seat, ...]
    count: Count
    petit_au_bout: Side | None
    poignees: tuple[tuple[Seat, Level], ...]
    slam: Slam | None
    made_by: Side | None
    defence_tricks: int
    miseres: tuple[Seat, ...]


def calculate(options: Options, seats: int, played: PlayedDeal) -> Calculation:
    """Calculate what each seat wins or loses in a deal."""
    multiplier = MULTIPLIER[played.contract]
    contract = contract_counted(options, played.count.half_points, len(played.count.oudlers), multiplier)
    sign, scale = _SIGN[contract.won_by], POIGNEES[options.poignee_scale]
    petit = PetitAuBout(played.petit_au_bout, _SIGN[played.petit_au_bout] * 10 * multiplier)
    poignees = tuple(PoigneePaid(seat, level, sign * scale[level]) for seat, level in played.poignees)
    slam = SlamCounted(played.slam, played.made_by, slam_points(played.slam, played.made_by, played.defence_tricks))
    unit = contract.points + petit.points + sum(paid.points for paid in poignees) + slam.points
    shares = _shares(options, seats, played, unit)
    calculation = Calculation(played.count, contract, petit, poignees, slam, unit, shares, steps=())
    return replace(calculation, steps=in_words(played.contract, calculation))


def contract_counted(options: Options, halves: int, oudlers: int, multiplier: int) -> ContractCounted:
    """Calculate the contract from the half points and oudlers of the attack."""
    target = TARGETS[oudlers]
    rounded, won_by = _judged(options, halves, target)
    difference = rounded - target
    paid = _rounded(abs(difference), options)
    points = _SIGN[won_by] * (BASE + paid) * multiplier
    return ContractCounted(target, rounded, difference, paid, won_by, multiplier, points)


def _judged(options: Options, halves: int, target: int) -> tuple[int, Side | None]:
    """Return the points of the attack, rounded in favour of the winner, and the winner."""
    if halves >= 2 * target:
        return (halves + 1) // 2, "attack"
    if halves == 2 * target - 1 and options.half_point_short == "won":
        return target, "attack"
    if halves == 2 * target - 1 and options.half_point_short == "zero":
        return target, None
    return halves // 2, "defence"


def _rounded(difference: int, options: Options) -> int:
    if options.score_rounding == "none":
        return difference
    step = int(options.score_rounding)
    return (difference + step // 2) // step * step


def slam_points(announced: Slam | None, made_by: Side | None, defence_tricks: int) -> int:
    """Return what slams are worth to the attack: announced, made, and made by the defence."""
    match announced:
        case "slam":
            points = 400 if made_by == "attack" else -200
        case "petit_chelem":
            points = 300 if defence_tricks <= 1 else -150
        case None:
            points = 200 if made_by == "attack" else 0
    return points - (200 if made_by == "defence" else 0)


def _shares(options: Options, seats: int, played: PlayedDeal, unit: int) -> tuple[Share, ...]:
    division = divided(options, played.players, played.taker, played.partner, unit)
    shares = []
    for seat in range(seats):
        role, times, points = division.get(seat, ("sits_out", "0", 0))
        miseres = sum(_misere(played, seat, announcer) for announcer in played.miseres)
        shares.append(Share(seat, role, times, points, miseres, points + miseres))
    return tuple(shares)


def divided(
    options: Options, players: Sequence[Seat], taker: Seat, partner: Seat | None, unit: int
) -> dict[Seat, tuple[Role, str, int]]:
    """Return each player's role, times the unit, and points; an odd point of equal shares is the taker's."""
    defenders = [seat for seat in players if seat not in (taker, partner)]
    division: dict[Seat, tuple[Role, str, int]] = dict.fromkeys(defenders, ("defender", "-1", -unit))
    if partner is None:
        return division | {taker: ("taker", str(len(defenders)), len(defenders) * unit)}
    if options.five_player_split == "equal":
        half = abs(3 * unit) // 2 * (1 if unit > 0 else -1)
        return division | {taker: ("taker", "1.5", 3 * unit - half), partner: ("partner", "1.5", half)}
    return division | {taker: ("taker", "2", 2 * unit), partner: ("partner", "1", unit)}


def _misere(played: PlayedDeal, seat: Seat, announcer: Seat) -> int:
    """Return what a misère is worth to a seat: each other player pays the announcer."""
    if seat == announcer:
        return MISERE * (len(played.players) - 1)
    return -MISERE if seat in played.players else 0
