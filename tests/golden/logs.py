"""Golden games as logs: written again from their texts, with the players, the seeds and the secret that these name."""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from domain.events import GameFinished, SecretRevealed
from domain.game import history, seating
from domain.game.aggregate import Game
from domain.laws.play import Step, written
from domain.log.record import Record, Writer
from domain.registry import RULESETS
from domain.ruleset import starts_of_deals
from domain.texts import document
from domain.texts.header import Header

FOLDER = Path(__file__).parent


@cache
def golden_log(name: str) -> tuple[Game, list[Record]]:
    """Return a golden game, such as ``plute/ends-plute``, and its log; one request plays it to its end."""
    reading = document.read((FOLDER / f"{name}.txt").read_text())
    steps = list(_starting(reading.header))
    game, records = steps[-1].game, [record for step in steps for record in step.records]
    written_so_far = sum(record.type in game.ruleset.events for record in records)
    events = [*_told(game, reading.events[written_so_far:]), GameFinished(reading.outcome, game.secret.hex())]
    secrets = game.secrets
    for version, event in enumerate(events, game.version + 1):
        secrets = secrets.after(version) if isinstance(event, SecretRevealed) else secrets
    writer = Writer(secrets, game.version, game.head)
    records += writer.write(history.named(game.ruleset, events), records[-1].at, "rq_golden")
    return history.fold(records), records


def _told(game: Game, events: Sequence[object]) -> Iterator[object]:
    """Put the secret of each deal before the next one, where deals have secrets: a text has no line for it."""
    deal = game.dealt
    for event in events:
        if game.deals is not None and type(event) in starts_of_deals(game.ruleset):
            yield SecretRevealed(deal, game.deals.revealed(deal))
            deal += 1
        yield event


def _starting(header: Header) -> Iterator[Step]:
    new = seating.NewGame(
        id=header.game,
        ruleset=header.ruleset,
        options=header.options,
        visibility="public",
        sandbox=False,
        creator=header.players[0],
        sitters=(None,) * header.seats,
        by_deal=header.anchor is not None,
    )
    step = written(None, None, None, seating.create(new, bytes.fromhex(header.secret)))
    yield step
    for seat, (player, seed) in enumerate(zip(header.players, header.seeds, strict=True)):
        step = written(step.game, None, None, seating.join(step.game, player, seat, seed))
        yield step


def files(ending: str) -> list[Path]:
    """Return the files of the golden games of all rulesets that have an ending."""
    return sorted(path for path in FOLDER.glob(f"*/*.{ending}") if path.parent.name in RULESETS)


GAMES = files("txt")


def game_name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"
