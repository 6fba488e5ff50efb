"""The Python package with a service that lies about seeds, or whose responses are lost."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from plateau_client import Client, NotFixed, Unavailable
from plateau_client.seeds import commitment_to

from domain.game.seeds import commitment_to as made
from service.api.resources.bodies import OpenSeedSchema
from tests.support.bundles import bundle_of_game, copy_of, forged
from tests.support.seeded_games import Seeded, all_committed

Change = Callable[[list[Any]], object]


class Liar:
    """A service that shows a log to the player whose seed it wants, and counts what it gets."""

    def __init__(self, game: Seeded, change: Change = lambda _: None, **resource: object) -> None:
        bundle = copy_of(bundle_of_game(game))
        change(bundle.events)  # type: ignore[arg-type]
        self.log = forged(bundle, game.game).events
        waits = {"seats": [0, 1], "until": "2027-01-15T08:02:05.000Z"}
        last = self.log[-1]
        self.game = {"id": "gm_seeded", "version": len(self.log), "head": last["hash"], "seeds_awaited": waits}
        self.game |= resource
        self.got: list[Any] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            self.got.append(json.loads(request.content))
            return httpx.Response(201, json={})
        parts: dict[str, object] = {"events": {"events": self.log, "next": None}, "me": {"id": "pl_0"}}
        return httpx.Response(200, json=parts.get(request.url.path.rpartition("/")[2], self.game))

    def asked(self) -> Client:
        """Return a player who has committed to the seed of seat 0."""
        client = Client("http://liar", "plt_0", http=httpx.Client(transport=httpx.MockTransport(self)), retries=0)
        client.seeds[all_committed().game.sitters[0].seed_commitment] = "seed 0"
        return client


def one_open() -> Seeded:
    game = Seeded(2)
    game.commit(0)
    return game


def changed_behind_its_hash() -> Liar:
    liar = Liar(all_committed())
    liar.log[2]["data"]["player"] = "pl_9"
    return liar


LIES: dict[str, tuple[Liar, str]] = {
    "an open seat": (Liar(one_open()), "all seats taken"),
    "a seat that was left": (
        Liar(all_committed(), lambda events: events.insert(3, {**events[2], "type": "seat_left"})),
        "all seats taken",
    ),
    "nothing of it in the log": (Liar(all_committed(), lambda events: events.pop()), "seeds are awaited"),
    "another commitment": (
        Liar(all_committed(), lambda events: events[1]["data"].update(seed_commitment="0" * 64)),
        "another commitment than yours in seat 0",
    ),
    "no commitment": (
        Liar(all_committed(), lambda events: events[1]["data"].pop("seed_commitment")),
        "another commitment than yours in seat 0",
    ),
    "another head": (Liar(all_committed(), head="0" * 64), "does not lead to version 4"),
    "a later version": (Liar(all_committed(), version=5), "does not lead to version 5"),
    "an event changed behind its hash": (changed_behind_its_hash(), "broken at version 3"),
    "another game": (Liar(all_committed(), id="gm_other"), "broken at version 1"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_seed_is_not_sent_before_the_log_shows_that_all_are_fixed(lie: str) -> None:
    service, why = LIES[lie]
    table = service.asked().table("gm_seeded")
    with pytest.raises(NotFixed, match=why) as raised:
        table.open_seeds()
    assert raised.value.code == "seeds-not-fixed"
    assert (service.got, table.opened_after) == ([], None)


def test_a_seed_is_sent_once_the_log_shows_that_all_are_fixed() -> None:
    service = Liar(all_committed())
    table = service.asked().table("gm_seeded")
    assert table.open_seeds()
    assert service.got == [{"seat": 0, "client_seed": "seed 0"}]
    assert table.opened_after == (4, service.log[3]["hash"])


@pytest.mark.parametrize("by_link", [False, True])
def test_a_seed_whose_response_is_lost_can_still_be_opened(by_link: bool) -> None:
    sent = []

    def lose(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            sent.append(json.loads(request.content)["seed_commitment"])
            raise httpx.ReadTimeout("lost")
        return httpx.Response(200, json={"id": "pl_1", "head": "0" * 64, "game": {"id": "gm_1"}})

    client = Client("http://x", "plt_1", http=httpx.Client(transport=httpx.MockTransport(lose)), retries=0)
    for _ in range(2):
        with pytest.raises(Unavailable):
            _ = client.accept("s1", committed=True) if by_link else client.table("gm_1").join(committed=True)
    assert [*client.seeds] == sent
    assert len(set(client.seeds.values())) == len(sent) == 2


def test_only_seeds_are_committed_to_that_the_service_takes_when_they_are_opened() -> None:
    for seed in ("", "x" * 65, "línea", "a\nb", "a\n", "\u200b", "\ud800", "\u2800"):
        with pytest.raises(ValueError, match="1 to 64 characters of ASCII"):
            commitment_to(seed, "gm_1", "pl_1")
    printable = "".join(map(chr, range(0x20, 0x7F)))
    for seed in (printable[:64], printable[64:], " ", "~" * 64):
        assert commitment_to(seed, "gm_1", "pl_1") == made(seed, "gm_1", "pl_1")
        assert OpenSeedSchema().load({"seat": 0, "client_seed": seed})["client_seed"] == seed
