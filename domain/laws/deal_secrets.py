"""A deal that is over is open to everyone, with the secret that explains it, and reveals nothing about the next one."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from domain.events import SecretRevealed
from domain.game.aggregate import Game
from domain.laws.law import of_games
from domain.laws.play import Step, Table, log_of, played
from domain.log import chain, secrets
from domain.log.record import visible
from domain.serialization import Plain


@of_games(1)
def a_deal_opens_when_the_next_one_begins_and_not_before(table: Table, seed: int) -> None:
    """A spectator finds the revealed secrets in the log, and no others."""
    steps = played(table, seed)
    for number, game in _moments(steps):
        log = log_of(steps[:number])
        seen = [visible(record, game.secrets, None, everything=False, finished_deals=True) for record in log]
        known = [bytes.fromhex(event["data"]["secret"]) for event in seen if event["type"] == secrets.REVEALED]
        assert len(known) == len(game.revealed)
        _check_chain(seen, known)
        for event in seen:
            before = sum(version < event["version"] for version in game.revealed)
            of_a_deal = event["sealed"].keys() - {"/secret", chain.THOUGHT}
            assert event["salts"].keys() == (of_a_deal if before < len(known) else set())
            for pointer, salt in event["salts"].items():
                assert salt == chain.salt(known[before], game.id, event["version"], pointer)
        assert game.deals is not None
        assert game.deals.revealed(len(known) + 1) not in str(seen)


def _moments(steps: Sequence[Step]) -> Iterator[tuple[int, Game]]:
    """Return the games with a running deal, after each new deal: by the number of steps so far."""
    for number, step in enumerate(steps, 1):
        if not step.game.is_over and any(isinstance(event, SecretRevealed) for event in step.events):
            yield number, step.game


def _check_chain(seen: Sequence[dict[str, Plain]], known: Sequence[bytes]) -> None:
    earlier = bytes.fromhex(seen[0]["data"]["deal_anchor"])
    for secret in known:
        assert sha256(secret).digest() == earlier
        earlier = secret
