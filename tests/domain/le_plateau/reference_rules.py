"""Reference rules of the board and the play: the printed boards as data, geometry in the plane, plain sets.

Source: the printed boards of the 2023 rules, read ring by ring clockwise from the top corner, and the rules of
16 June 2023, sections Objectives and Score. Nothing here uses the ruleset's own code.
"""

from functools import cache
from itertools import combinations, pairwise
from math import cos, hypot, lcm, pi, sin

STANDARD = {
    "rim": "T1 #1 #2 T2 #3 #4 T3 #5 #6 T4 #7 #8 T5 #9 #10 T6 #11 #12",
    "middle": "CH VS DC CS DD VH CD VC DS CC DH VD",
    "inner": "EX RD RC T21 RH RS",
    "centre": "#13",
}
TWO_PLAYERS = {
    "rim": "T1 #1 #2 #3 #4 #5 T2 #6 #7 #8 #9 #10 T3 #11 #12 #13 #14 #15",
    "middle": "CH VS DC CS DD VH CD VC DS CC DH VD",
    "inner": "EX RD RC T21 RH RS",
    "centre": "#16",
}
FULL = {
    3: {
        "rim": "T1 #1 #2 #3 #4 #5 #6 #7 #8 T2 #9 #10 #11 #12 #13 #14 #15 #16",
        "middle": "CH VS DC CS DD VH CD VC DS CC DH VD",
        "inner": "EX RD RC T21 RH RS",
        "centre": "#17",
    },
    4: {
        "rim": "T1 #1 #2 #3 #4 #5 #6 #7 #8 #9 #10 #11 #12 #13 #14 #15 #16 #17",
        "middle": "CH VS DC CS DD VH CD VC DS CC DH VD",
        "inner": "EX RD RC T21 RH RS",
        "centre": "#18",
    },
    5: {
        "rim": "T1 #1 #2 T2 #3 #4 #5 #6 #7 T3 #8 #9 T4 #10 #11 #12 #13 #14",
        "middle": "CH VS DC CS DD VH CD VC DS CC DH VD",
        "inner": "EX RD RC T21 RH RS",
        "centre": "#15",
    },
}
"""The boards of the full deck: their diagrams are lost, so their rims follow the pattern of the printed ones."""
OBJECTIVES = ["bridge", "y", "fork", "five_sides", "six_sides"]


def words(text):
    """Split a line of codes."""
    return text.split()


def printed_board(seats, deck="standard"):
    """Return the 37 tokens of the printed board in ring order."""
    rings = FULL[seats] if deck == "full" else TWO_PLAYERS if seats == 2 else STANDARD
    return tuple(" ".join(rings.values()).split())


def points():
    """Return the centre of every space in the plane, in ring order, neighbours at distance 1, the top corner up."""
    placed = []
    for radius in (3, 2, 1):
        corners = [(radius * sin(pi / 3 * k), radius * cos(pi / 3 * k)) for k in range(7)]
        for (x, y), (to_x, to_y) in pairwise(corners):
            placed += [(x + (to_x - x) * i / radius, y + (to_y - y) * i / radius) for i in range(radius)]
    return [*placed, (0.0, 0.0)]


@cache
def neighbours(tokens):
    """Map each space to the spaces beside it."""
    beside = {token: set() for token in tokens}
    for (one, (x, y)), (two, (to_x, to_y)) in combinations(zip(tokens, points(), strict=True), 2):
        if abs(hypot(to_x - x, to_y - y) - 1) < 0.01:
            beside[one].add(two)
            beside[two].add(one)
    return beside


@cache
def sides(tokens):
    """List the spaces of side 1 … 6: those farthest out across the middle of that side."""
    outward = [(sin(pi / 6 + pi / 3 * k), cos(pi / 6 + pi / 3 * k)) for k in range(6)]
    reach = 3 * cos(pi / 6)
    return [
        {token for token, (x, y) in zip(tokens, points(), strict=True) if abs(x * out_x + y * out_y - reach) < 0.01}
        for out_x, out_y in outward
    ]


def groups(tokens, owned):
    """Split owned spaces into connected groups."""
    beside, left, found = neighbours(tokens), set(owned), []
    while left:
        group, frontier = set(), {min(left)}
        while frontier:
            group |= frontier
            frontier = {near for space in frontier for near in beside[space]} & left - group
        left -= group
        found.append(group)
    return found


def touched(tokens, group):
    """Number the sides that a group touches."""
    return {number for number, side in enumerate(sides(tokens), start=1) if side & set(group)}


def makes(objective, numbers, edition="2023"):
    """Return whether touching these sides makes the objective; in 2022 a Y counts as a bridge, for it is harder."""
    bridge = any({a, a + 3} <= numbers for a in (1, 2, 3))
    y = {1, 3, 5} <= numbers or {2, 4, 6} <= numbers
    return {
        "bridge": bridge or (edition == "2022" and y),
        "y": y,
        "fork": bridge and y,
        "five_sides": len(numbers) >= 5,
        "six_sides": len(numbers) == 6,
    }[objective]


def paths(tokens, owned, objective, edition="2023"):
    """List the groups that make the objective, each in ring order."""
    return [
        [token for token in tokens if token in group]
        for group in groups(tokens, owned)
        if makes(objective, touched(tokens, group), edition)
    ]


def suit(card, excuse="trump"):
    """Name the suit that a card counts as: the excuse is a trump, or a French one of no suit."""
    if card == "EX":
        return "trump" if excuse == "trump" else "none"
    return "trump" if card[0] == "T" else card[-1]


def height(card):
    """Rank a card within its suit."""
    if card == "EX":
        return 22
    return int(card[1:]) if card[0] == "T" else words("1 2 3 4 5 6 7 8 9 10 V C D R").index(card[:-1])


def winner(cards, excuse="trump"):
    """Return the winner of a trick of (seat, card) in order of play."""
    suits = [suit(card, excuse) for _, card in cards]
    led = next(one for one in suits if one != "none")
    wanted = "trump" if "trump" in suits else led
    return max((height(card), seat) for (seat, card), its in zip(cards, suits, strict=True) if its == wanted)[1]


def expected_scores(seats, declarer, partners, value, *, won, options):
    """Score a hand by the options."""
    if options.scoring == "positive":
        return positive_scores(seats, declarer, partners, value, won=won, abdication=options.abdication == "on")
    return zero_sum_scores(seats, declarer, partners, value, won=won)


def positive_scores(seats, declarer, partners, value, *, won, abdication):
    """Score by the rules' recipe: the lowest common multiple of the team sizes, shared by the size of this one."""
    team = [declarer, *partners]
    sizes = {2: [1], 3: [1], 4: [1, 2], 5: [1, 2], 6: [1, 2, 3]}[seats]
    each = lcm(*sizes) // len(team)
    if abdication:
        each = 3 if len(team) == 1 else 1
    winning = team if won else [seat for seat in range(seats) if seat not in team]
    share = dict.fromkeys(winning, each * value)
    if abdication and won and partners:
        share[declarer] = 2 * value
    return [share.get(seat, 0) for seat in range(seats)]


def zero_sum_scores(seats, declarer, partners, value, *, won):
    """Score by the rules' words: opponents pay or get the value, the declarer's side shares the rest."""
    opponents = [seat for seat in range(seats) if seat != declarer and seat not in partners]
    pot = value * len(opponents)
    share = dict.fromkeys(opponents, -value)
    share |= {partner: value if seats == 5 else pot // (1 + len(partners)) for partner in partners}
    share[declarer] = pot - sum(share[partner] for partner in partners)
    return [share[seat] if won else -share[seat] for seat in range(seats)]
