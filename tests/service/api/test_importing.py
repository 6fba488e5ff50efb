"""A game that was imported from another server is there as it was: for every viewer, in every form, and it verifies."""

from dataclasses import replace
from functools import cache
from itertools import groupby
from operator import attrgetter

import fakeredis
import pytest

from domain.audit.bundle import Bundle, read
from domain.audit.signed import Trust
from domain.audit.verifying import verify
from domain.laws.play import log_of
from service.games import importing
from service.games.importing import NotImported
from service.transparency.signatures import is_signed
from tests.support.bundles import copy_of, forged, written
from tests.support.people import ME, Server
from tests.support.random_games import played, playing
from tests.support.sampling import SMALLEST
from tests.support.transparency import log_heads

TRUST = Trust(is_signed)
READ = ("", "/view", "/view?as=0", "/view?at=9&with=scene", "/events?limit=1000&lang=fr", "/events?as=1", "/board.svg",
        "/scene", "/audit", "/export?format=text", "/export?format=audit", "/export?format=audit&as=1",
        "/export?format=html")  # fmt: skip


@pytest.fixture
def other(contract, closing):
    """Another server, which knows nobody."""
    another = Server(fakeredis.FakeRedis(server=fakeredis.FakeServer()), contract)
    yield another
    closing.submit(another.players.close)


@cache
def brief(seed):
    """Return the steps of a game of a few turns."""
    return tuple(playing("plateau", 2, seed, max_plies=8))


def exported(server, path):
    """Return the bundle of a game, as anybody gets it."""
    return server.stranger().get(f"{path}/export?format=bundle").data


def imported(server, bundle, trust=TRUST):
    return importing.add(server.store, importing.checked(read(bundle) if isinstance(bundle, bytes) else bundle, trust))


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_everything_is_as_it_was_there(server, other, ruleset_id, seats):
    table = server.table_of_log(played(ruleset_id, seats, 0))
    assert imported(other, exported(server, table.path)) == "imported"
    for asked in READ:
        there, here = (each.stranger().get(table.path + asked) for each in (server, other))
        assert there.status_code == here.status_code == 200, asked
        assert there.data == here.data, asked
    log_heads(other)
    report = verify(read(exported(other, table.path)), trust=TRUST)
    assert (report.fault, report.unchecked) == (None, ())


def requests(records):
    """Return the versions that each request wrote."""
    return [[each.version for each in of_request] for _, of_request in groupby(records, key=attrgetter("request"))]


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset_id", "seats"), SMALLEST)
def test_the_log_is_stored_as_it_was_there(ruleset_id, seats):
    steps = played(ruleset_id, seats, 0)
    there, here = log_of(steps), importing.checked(read(written(steps[-1].game, log_of(steps))), TRUST).records
    assert [replace(each, request="") for each in here] == [replace(each, request="") for each in there]
    assert requests(here) == requests(there)


def test_it_is_in_the_lists_and_is_logged_with_the_other_games(server, other):
    table = server.table_of_log(brief(0))
    imported(other, exported(server, table.path))
    listed = other.stranger().get("/v1/games?status=finished").json["items"]
    assert [each["id"] for each in listed] == [table.id]
    assert other.known("pl_0").get("/v1/me/games").json["items"][0]["id"] == table.id
    assert other.stranger().get(f"{table.path}/inclusion").status_code == 404
    log_heads(other)
    assert (
        other.stranger().get(f"{table.path}/inclusion").json["hash"] == server.stranger().get(table.path).json["head"]
    )


def test_players_who_are_unknown_here_have_no_names_and_nobody_can_act_for_them(server, other, ada, bob):
    table = server.table([ada, bob], ruleset="plateau")
    ada.post(f"{table.path}/proposals", {"kind": "abort"})
    bob.post(f"{table.path}/proposals/{_proposal(server, table)}/votes", {"accept": True})
    imported(other, exported(server, table.path))
    seats = other.stranger().get(table.path).json["seats"]
    assert [(seat["player"], seat["name"]) for seat in seats] == [(ada.id, None), (bob.id, None)]
    assert [seat["name"] for seat in server.stranger().get(table.path).json["seats"]] == ["Ada", "Bob"]
    assert other.stranger(ada.token).get("/v1/me").status_code == 401
    assert other.stranger().get(f"/v1/players/{ada.id}").status_code == 404


def _proposal(server, table):
    return next(each["data"]["proposal"] for each in table.events() if each["type"] == "proposal_made")


def test_a_private_game_stays_private(server, other, ada):
    wish = {"ruleset": "plateau", "seats": [ME, {"bot": "random"}], "visibility": "private"}
    path = f"/v1/games/{ada.post('/v1/games', wish).json['id']}"
    ada.post(f"{path}/proposals", {"kind": "abort"})
    imported(other, ada.get(f"{path}/export?format=bundle").data)
    assert other.stranger().get(path).status_code == 404
    assert other.known(ada.id).get(path).status_code == 200


def test_the_same_game_again_is_known_and_changes_nothing(server, other):
    table = server.table_of_log(brief(0))
    bundle = exported(server, table.path)
    imported(other, bundle)
    before = other.contents()
    assert imported(other, bundle) == "known"
    assert other.contents() == before
    assert imported(server, bundle) == "known", "also where it was played"


def test_another_game_with_the_id_of_one_here_is_refused(server, other):
    steps = brief(0)
    table = server.table_of_log(steps)
    bundle = read(exported(server, table.path))
    other.table_of_log(steps[:-3])
    with pytest.raises(NotImported, match="another game has its id"):
        imported(other, bundle)
    rewritten = copy_of(bundle)
    for event in rewritten.events:
        event["at"] = event["at"].replace("2026", "2027")
    with pytest.raises(NotImported, match="another game has its id"):
        imported(server, replace(forged(rewritten, steps[-1].game), signed={}))


def refused(other, bundle, trust=TRUST):
    """Return why a bundle is refused, and see that nothing was written."""
    before = other.contents()
    with pytest.raises(NotImported) as refusal:
        imported(other, bundle, trust)
    assert other.contents() == before
    return str(refusal.value)


def test_what_does_not_verify_is_refused_with_the_fault(server, other):
    steps = brief(0)
    bundle = read(exported(server, server.table_of_log(steps).path))
    cheated = copy_of(bundle)
    cheated.events[-1]["data"]["outcome"]["winners"] = []
    assert "/hash" in refused(other, cheated)
    assert "/data/outcome/winners: expected" in refused(other, forged(cheated, steps[-1].game))
    receipt = {**bundle.signed["receipt"][0], "version": 1}
    assert "receipt 1/signature" in refused(other, replace(bundle, signed={**bundle.signed, "receipt": [receipt]}))
    assert "receipt 1/signature" in refused(other, bundle, Trust(is_signed, {}))


def test_what_cannot_be_verified_is_refused(server, other):
    steps = brief(0)
    running = read(exported(server, server.table_of_log(steps[:-1]).path))
    assert refused(other, running) == "the game is not over"
    bundle = read(exported(server, server.table_of_log(brief(1)).path))
    for name, text in (("ruleset", "chess"), ("rules_version", 99)):
        stranger = copy_of(bundle)
        stranger.events[0]["data"][name] = text
        stranger = Bundle({**stranger.header, name: text}, stranger.events, stranger.draws)
        assert "it cannot be verified here: " in refused(other, forged(stranger, steps[-1].game))
    for strange in ("gm_{s01}", "gm_a b", "gm_", "gm_" + "x" * 65, "gm_a\n", "pl_a"):
        named = Bundle({**bundle.header, "game_id": strange}, bundle.events, bundle.draws)
        assert "it does not have the id of a game" in refused(other, named)


def keys_of(server):
    listed = server.stranger().get("/.well-known/plateau-keys.json").json["keys"]
    return {key["key_id"]: key["public_key"] for key in listed}


def test_those_who_trust_a_key_get_only_what_it_has_signed(server, other):
    steps = brief(0)
    table = server.table_of_log(steps)
    before = read(exported(server, table.path))
    log_heads(server)
    bundle, trust = read(exported(server, table.path)), Trust(is_signed, keys_of(server))
    forgery = copy_of(bundle)
    with_player("pl_victim")(forgery)
    assert "the bundle has no receipt" in refused(other, forged(forgery, steps[-1].game), trust)
    assert "no receipt" in refused(other, replace(bundle, signed={**bundle.signed, "receipt": []}), trust)
    assert "no proof" in refused(other, before, trust)
    assert imported(other, bundle, trust) == "imported"


def test_those_who_have_kept_receipts_get_only_games_of_which_they_have_one(server, other):
    receipts = []
    for seed in (0, 1):
        bundle = read(exported(server, server.table_of_log(brief(seed)).path))
        receipts += bundle.signed["receipt"]
    assert "none of the receipts" in refused(other, bundle, Trust(is_signed, receipts=receipts[:1]))
    assert imported(other, bundle, Trust(is_signed, receipts=receipts)) == "imported"


def with_player(player):
    """Put somebody else on a seat, wherever the log names them."""

    def change(bundle):
        next(each for each in bundle.events if each["type"] == "seat_taken" and each["seat"] == 1)["data"]["player"] = (
            player
        )
        next(each for each in bundle.events if each["type"] == "game_started")["data"]["players"][1] = player

    return change


def with_part(**parts):
    """Put something else in what the log says of the creation of the game."""
    return lambda bundle: bundle.events[0]["data"].update(parts)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (with_player("x" * 2_000_000), "/data/player"),
        (with_player(""), "/data/player"),
        (with_player("a\0b"), "/data/player"),
        (with_player("<img src=x onerror=alert(1)>"), "/data/player"),
        (with_player("pl_1:../turns"), "/data/player"),
        (with_player("pl_a\n"), "/data/player"),
        (with_player(5), "/data/player"),
        (with_part(creator="a:b/c"), "/data/creator"),
        (with_part(creator={"a": 1}), "/data/creator"),
        (with_part(visibility="start"), "/data/visibility"),
        (with_part(sandbox="yes"), "/data/sandbox"),
        (with_part(rematch_of={}), "/data/rematch_of"),
        (with_part(rematch_of="gm_x/../y"), "/data/rematch_of"),
        (with_part(clock={"per_move": None, "bank": "PT1H", "increment": None, "on_timeout": "bot", "bot": "A B"}),
         "/data/clock/bot"),
    ],
)  # fmt: skip
def test_what_this_server_would_not_have_written_is_refused_at_its_field(server, other, change, where):
    steps = brief(0)
    strange = copy_of(read(exported(server, server.table_of_log(steps).path)))
    change(strange)
    said = refused(other, replace(forged(strange, steps[-1].game), signed={}))
    assert f", {where}: expected " in said
    assert len(said) < 400


@pytest.mark.parametrize("text", ["x" * 201, "a\0b"])
def test_a_seed_that_nobody_can_bring_here_is_refused(server, other, text):
    steps = brief(0)
    strange = copy_of(read(exported(server, server.table_of_log(steps).path)))
    next(each for each in strange.events if each["type"] == "seat_taken")["data"]["client_seed"] = text
    assert "/data/client_seed: expected a text of" in refused(other, forged(strange, steps[-1].game))


def test_a_fork_of_what_is_no_game_is_refused(server, other, ada):
    steps = played("plateau", 2, 0)
    path = server.table_of_log(steps).path
    fork = ada.post(f"{path}/forks", {"at": 20, "seats": [ME, {"bot": "random"}]}).json["id"]
    ada.post(f"/v1/games/{fork}/proposals", {"kind": "abort"})
    strange = copy_of(read(ada.get(f"/v1/games/{fork}/export?format=bundle").data))
    strange.events[0]["data"]["forked_from"]["game_id"] = "../gm_1"
    assert "/data/forked_from/game_id: expected the id of a game" in refused(other, forged(strange, steps[-1].game))


def test_a_fork_is_imported_with_the_game_that_it_names_unknown(server, other, ada):
    table = server.table_of_log(played("plateau", 2, 0))
    fork = ada.post(f"{table.path}/forks", {"at": 20, "seats": [ME, {"bot": "random"}]}).json["id"]
    ada.post(f"/v1/games/{fork}/proposals", {"kind": "abort"})
    assert imported(other, ada.get(f"/v1/games/{fork}/export?format=bundle").data) == "imported"
    assert other.known(ada.id).get(f"/v1/games/{fork}").json["forked_from"]["game_id"] == table.id
