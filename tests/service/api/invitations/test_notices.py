"""Anyone who is invited gets a notice, in the same step as the invitation, and once."""

import pytest

from service.games.invitations.invitation_store import Invitations
from service.inbox.notice_log import START, NoticeLog
from tests.service.api.invitations.asking import again, crash_before, invited, linked, over
from tests.support.wiring import notifier_on


@pytest.fixture
def heard(server):
    """Return what a player has heard of, once a notifier has passed it on."""
    notifier, log = notifier_on(server.redis), NoticeLog(server.redis)

    def read(person):
        notifier.pass_on(1)
        return log.read(person.id, START, 100)

    return read


def test_the_invited_player_gets_a_notice_with_what_the_list_shows(ada, bob, game, heard):
    made = invited(ada, game, player=bob.id, seat=2)
    (notice,) = heard(bob)
    assert (notice.kind, f"/v1/games/{notice.game_id}", notice.at) == ("invited", game, made["created_at"])
    assert notice.version == ada.get(game).json["version"]
    assert notice.data == {"invitation": made["id"], "by": ada.id, "seat": 2, "expires_at": made["expires_at"]}
    assert heard(ada) == []


def test_a_link_and_what_becomes_of_an_invitation_are_no_news(ada, bob, cleo, game, heard):
    linked(ada, game)
    made = invited(ada, game, name="Bob")
    assert ada.delete(f"{game}/invitations/{made['id']}").status_code == 204
    assert len(heard(bob)) == 1
    assert heard(cleo) == []


def test_each_invitation_to_the_same_game_is_news(ada, bob, game, heard):
    for _ in range(2):
        made = invited(ada, game, player=bob.id)
        assert bob.delete(f"{game}/invitations/{made['id']}").status_code == 204
    first, second = heard(bob)
    assert first.version == second.version
    assert first.data["invitation"] != second.data["invitation"]


def test_an_invitation_that_was_not_made_is_no_news(ada, bob, game, heard, monkeypatch):
    place = "service.games.invitations.invitation_store.Invitations.change"
    crash_before(monkeypatch, place, lambda: ada.post(f"{game}/invitations", {"player": bob.id}))
    invited(ada, game, player=bob.id)
    assert ada.post(f"{game}/invitations", {"player": bob.id}).status_code == 409
    assert len(heard(bob)) == 1


def test_a_second_try_to_write_an_invitation_makes_one_notice(ada, bob, game, heard, server, monkeypatch):
    real, raced = Invitations.change, []

    def change(invitations, game_id, decide):
        def slow(known):
            if not raced:
                raced.append(server.redis.hset(invitations._key(game_id), "in_x", b"{}"))
                server.redis.hdel(invitations._key(game_id), "in_x")
            return decide(known)

        real(invitations, game_id, slow)

    monkeypatch.setattr(Invitations, "change", change)
    invited(ada, game, player=bob.id)
    assert raced
    assert len(heard(bob)) == 1


def test_a_rematch_is_news_to_the_others_once(ada, bob, heard):
    old = over(ada, bob)
    before = len(heard(ada)), len(heard(bob))
    for _ in range(2):
        game, _ = again(bob, old)
    (notice,) = heard(ada)[before[0] :]
    assert (notice.kind, f"/v1/games/{notice.game_id}", notice.data["by"]) == ("invited", game, bob.id)
    assert len(heard(bob)) == before[1]
