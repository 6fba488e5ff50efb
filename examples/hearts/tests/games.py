"""Whole games of Hearts, played by its bot; ``python tests/games.py`` writes the golden games and the tutorial."""

import json
from functools import reduce
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from hearts import RULESET
from hearts.bots import think

from domain.game import aggregate, history, seating
from domain.log.record import visible
from domain.serialization import from_plain, to_plain
from domain.texts import document
from workers.bots.policy import Asked

TUTORIAL = Path(str(files("hearts"))) / "tutorial.json"
GOLDEN = Path(__file__).parent / "golden"
TYPES = {cls: name for name, cls in RULESET.actions.items()}
AT = "2026-01-01T00:00:00.000Z"


def begun(name, secret, options, *, by_deal=True):
    """Return the log and the game of four who have just sat down."""
    new = seating.NewGame(
        id=name,
        ruleset=RULESET,
        options=RULESET.options.complete(options, 4),
        visibility="public",
        sandbox=False,
        creator="pl_0",
        sitters=("pl_0", "pl_1", "pl_2", "pl_3"),
        by_deal=by_deal,
    )
    return history.record(None, seating.create(new, secret), AT, "rq_0")


def chosen(game, seat):
    """Return what the bot does at a seat."""
    actions = RULESET.legal_actions(game.state, seat)
    listed = [{"type": TYPES[type(each)], **to_plain(each)} for each in actions]
    view = {
        "state": to_plain(RULESET.project(game.state, seat)),
        "viewer": {"seat": seat},
        "legal_actions": {"count": len(listed), "actions": listed},
    }
    return think(Asked(view, 0)).action


def secret_of(seed):
    return sha256(f"hearts {seed}".encode()).digest()


def played(log, game, ends_with="game_finished"):
    """Play a game until an event; return the log, the game, and the moves."""
    log, moves = list(log), []
    while ends_with not in {record.type for record in log[-4:]}:
        seat = min(game.pending)
        action = chosen(game, seat)
        fields = {name: value for name, value in action.items() if name != "type"}
        decided = aggregate.act(game, seat, from_plain(RULESET.actions[action["type"]], fields))
        records, game = history.record(game, decided, AT, f"rq_{game.version}")
        log += records
        moves.append((seat, action))
    return log, game, moves


def text_of(log, game):
    """Return the text of a finished game, with all that was hidden."""
    return document.write([visible(record, game.secrets, None, everything=True) for record in log])


def write():
    """Write a short game of each kind, and the recorded hand of the tutorial."""
    TUTORIAL.write_text(json.dumps(lesson()) + "\n", encoding="utf-8")
    GOLDEN.mkdir(exist_ok=True)
    for name, options, sign in (
        ("moon", {"limit": 25}, " moon "),
        ("rotating", {"limit": 100}, ""),
        (
            "open-queen",
            {"limit": 25, "passing": "none", "points_in_first_trick": True, "queen_breaks_hearts": True},
            "",
        ),
    ):
        games = (begun(f"gm_hearts_{seed}", secret_of(seed), options) for seed in range(10_000))
        texts = (text_of(*played(*game)[:2]) for game in games)
        text = next(text for text in texts if sign in text)
        (GOLDEN / f"{name}.txt").write_text(text, encoding="utf-8")
    released = GOLDEN / f"version-{RULESET.version}.json"
    if not released.exists():  # never again: released games look like this
        released.write_text(json.dumps(log_of_this_version()) + "\n", encoding="utf-8")


def log_of_this_version():
    """Return the options and the events of a game as they are stored, up to the middle of its second hand."""
    options = {"limit": 25}
    log, game, _ = played(*begun("gm_released", secret_of(8), options), "game_finished")
    scored = next(place for place, record in enumerate(log) if record.type == "hand_scored")
    kept = [record for record in log[: scored + 40] if record.type in RULESET.events]
    return {
        "options": to_plain(game.options),
        "events": [{"type": record.type, "data": record.whole_data()} for record in kept],
        "can_play": [action.card for action in legal_after(game.options, kept)],
    }


def legal_after(options, records):
    """Return what the seat in turn can do after the events of records."""
    state = folded(options, [(record.type, record.whole_data()) for record in records])
    (seat,) = RULESET.to_act(state)
    return RULESET.legal_actions(state, seat)


def folded(options, events):
    """Return the state after stored events, each with its type and data."""
    read = (from_plain(RULESET.events[kind], data) for kind, data in events)
    return reduce(RULESET.evolve, read, RULESET.setup(options, 4))


def lesson():
    """Record a hand in which the learner gives the queen of spades away, and plays low."""
    secret = secret_of(173)
    *_, moves = played(*begun("tutorial-hearts", secret, {}, by_deal=False), "hand_scored")
    comments = {"pass": 0, "first": 4, "follow": 9, "queen": 14, "broken": 17, "low": 22, "end": len(moves)}
    return {
        "seats": 4,
        "learner": 0,
        "options": {},
        "secret": secret.hex(),
        "ends_with": "hand_scored",
        "moves": moves,
        "steps": [{"comment": name, "after": after} for name, after in comments.items()],
    }


if __name__ == "__main__":
    write()
