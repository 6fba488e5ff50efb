"""The rules once more, slowly and by hand: what is legal, and what comes of it, worked out without the ruleset's code.

A board is a mapping of squares to lists of pieces as the case file writes them ("Wrx": owner, upper, lower face).
Nothing here is shared with ``domain.plateau`` but the names of pieces.
"""

from itertools import combinations, permutations

FACES = {"A": "rb", "TW": "ox", "RM": "rx", "BM": "bx", "R": "rr", "B": "bb", "M": "xx"}
WORTH = {"A": 21, "TW": 15, "RM": 10, "BM": 8, "R": 5, "B": 4, "M": 1}
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
ALL_SQUARES = [file + rank for file in "abcd" for rank in "1234"]


def beside(square, step):
    """Return the square one step away, None beyond the edge."""
    file, rank = ord(square[0]) + step[0], int(square[1]) + step[1]
    return f"{chr(file)}{rank}" if chr(file) in "abcd" and rank in (1, 2, 3, 4) else None


def ways(reserve):
    """Return the pieces of a reserve as they can lie: (piece, face up)."""
    return {(kind, face) for kind in reserve for face in FACES[kind]}


def openings(board, reserve):
    """Return every opening: (square, lower, upper)."""
    edge = [square for square in ALL_SQUARES if square[0] in "ad" or square[1] in "14"]
    units = {(low, up) for one, two in permutations(reserve, 2) for low in ways([one]) for up in ways([two])}
    return {(square, *unit) for square in edge if not board.get(square) for unit in units}


def onboardings(board, player, reserve):
    """Return every onboarding: not inside an enemy unit, nor on top of a stack that an enemy piece tops."""
    found = set()
    for square in ALL_SQUARES:
        stack = board.get(square, [])
        for height in range(len(stack) + 1):
            around = [*stack[max(height - 1, 0) : height], *stack[height : height + 1]]
            is_on_top = height == len(stack) > 0
            is_harm = [p[0] for p in around].count("BW".replace(player, "")) == (1 if is_on_top else 2)
            if not is_harm:
                found |= {(square, height, *piece) for piece in ways(reserve)}
    return found


def moves(board, player, pin):
    """Return every move: (from, flip, lift, stops, to)."""
    found = set()
    for start in ALL_SQUARES:
        for flip in (False, True):
            stack = flipped(board.get(start, []), flip)
            for lift in range(1, len(stack) + 1):
                hand = stack[-lift:]
                if any(piece[0] != player for piece in hand):
                    break
                rest = {**board, start: stack[:-lift]}
                for route in routes(start, stack, player):
                    found |= {(start, flip, lift, stops, to) for stops, to in walks(rest, player, hand, route, pin)}
    return found


def flipped(stack, flip):
    return [*stack[:-1], stack[-1][0] + stack[-1][2] + stack[-1][1]] if flip and stack else list(stack)


def routes(start, stack, player):
    """Return the ways that the top piece can take, each as all its squares up to where it ends."""
    reach = 0
    while reach < len(stack) and stack[-1 - reach][0] == player:
        reach += 1
    face = stack[-1][1]
    if face == "o":
        for first in STRAIGHT:
            for second in DIAGONAL:
                middle = beside(start, first)
                end = middle and beside(middle, second)
                if end and abs(ord(end[0]) - ord(start[0])) + abs(int(end[1]) - int(start[1])) == 3:
                    yield [middle, end]
        return
    for step in {"r": STRAIGHT, "b": DIAGONAL, "x": STRAIGHT + DIAGONAL}[face]:
        route = []
        while len(route) < reach and (further := beside(route[-1] if route else start, step)):
            route.append(further)
            yield list(route)


def walks(board, player, hand, route, pin):
    """Return the ways to go along a route to its end: (stops, end)."""
    square, *further = route
    pile = board.get(square, [])
    is_enemy = bool(pile) and pile[-1][0] != player
    if not further:
        if not is_enemy or hand[-1][1] != "x":
            yield (), square
        return
    yield from walks(board, player, hand, further, pin)
    whole = [*pile, *hand]
    for carry in range(1, len(whole) + 1):
        left, taken = whole[:-carry], whole[-carry:]
        if any(piece[0] != player for piece in taken):
            break
        can_lie = not is_enemy or (len(left) > len(pile) and (pin == "any" or left[-1][1] != "x"))
        if carry != len(hand) and can_lie:
            for stops, end in walks(board, player, taken, further, pin):
                yield ((square, carry), *stops), end


def stomps(board, player):
    """Return every stomp: (square, flip)."""
    return {
        (square, flip)
        for square, stack in board.items()
        for flip in (False, True)
        if stack and stack[-1][0] == player and flipped(stack, flip)[-1][1] != "x"
        if any(piece[0] != player for piece in stack)
    }


def moved(board, player, move, merged):
    """Carry out a move; return the board, and the pieces captured from the top down."""
    start, flip, lift, stops, to = move
    after = {square: list(stack) for square, stack in board.items()}
    after[start] = flipped(after[start], flip)
    hand = []
    for square, count in ((start, lift), *stops):
        pile = after.setdefault(square, [])
        pile += hand
        hand = pile[len(pile) - count :]
        del pile[len(pile) - count :]
    after.setdefault(to, []).extend(hand)
    return captured(after, player, to, None if merged else len(hand))


def stomped(board, player, stomp, _merged):
    """Carry out a stomp."""
    square, flip = stomp
    return captured({**board, square: flipped(board[square], flip)}, player, square, None)


def captured(board, player, square, strength):
    """Capture where a unit stands, from the top down: as many enemy pieces as it has strength, None for all its own."""
    stack, taken = list(board[square]), []
    if stack[-1][1] != "x":
        if strength is None:
            strength = next((n for n, piece in enumerate(reversed(stack)) if piece[0] != player), len(stack))
        index = len(stack) - 1
        while index >= 0 and strength > 0:
            if stack[index][0] != player:
                taken.append(stack.pop(index))
                strength -= 1
            index -= 1
    after = {**board, square: stack}
    return {place: pieces for place, pieces in after.items() if pieces}, taken


def subsets(prisoners):
    """Return every set of some prisoners, sorted."""
    return {tuple(sorted(some)) for size in range(1, len(prisoners) + 1) for some in combinations(prisoners, size)}


def total(pieces):
    return sum(WORTH[piece] for piece in pieces)


def tenders(mine, theirs, refused):
    """Return every set of prisoners that can be tendered."""
    return {some for some in subsets(mine) if theirs and total(some) > refused}


def responses(mine, tendered):
    """Return every response by the four options: equal, greater, the next lower, refusal (an empty set)."""
    totals = {total(some) for some in subsets(mine)}
    worth = total(tendered)
    lower = [each for each in totals if each < worth]
    if worth in totals:
        due = {worth}
    elif lower:
        due = {max(lower)}
    else:
        due = set()
    legal = {some for some in subsets(mine) if total(some) > worth or total(some) in due}
    return legal if due else legal | {()}


def longest(stack, player):
    """Count the longest run of a player's pieces."""
    runs = "".join("x" if piece[0] == player else " " for piece in stack).split()
    return max(map(len, runs), default=0)
