"""What ends an invitation, how many there can be, and who can know of one."""

from domain.game.durations import DAY, MINUTE
from service.games.invitations.inviting import MOST_KEPT
from tests.service.api.invitations.asking import LINK, NOBODYS, gone, invited, linked, new_game, statuses
from tests.support.other_worlds import told
from tests.support.people import ME, OPEN, refused, seat_token_of


def test_links_that_open_nothing_are_all_answered_alike(server, time, ada, bob, cleo, game):
    used, revoked, late, expired = (invited(ada, game, **LINK) for _ in range(4))
    assert bob.post(f"{used['url']}/seat").status_code == 201
    assert ada.delete(f"{game}/invitations/{revoked['id']}").status_code == 204
    time.ms += 8 * DAY
    fresh = linked(ada, game)
    assert statuses(ada, game) == ["accepted", "revoked", "expired", "expired", "open"]
    assert cleo.post(f"{fresh}/seat").status_code == 201
    links = [each["url"] for each in (used, revoked, late, expired)] + [fresh, f"/v1/invitations/{NOBODYS}"]
    for person in (server.stranger(), server.newcomer("Eve")):
        for ask in (
            lambda link, person=person: person.get(link),
            lambda link, person=person: person.post(f"{link}/seat", {"name": "Zoë"}),
            lambda link, person=person: person.post(f"{link}/seat", {"more": 1}),
        ):
            answers = [told(ask(link)) for link in links]
            assert answers[0][0] == 404
            assert answers == answers[:1] * len(links)


def test_invitations_end_when_the_game_starts(ada, bob, cleo, server):
    game = new_game(ada, seats=[ME, OPEN], visibility="public")
    link = linked(ada, game)
    invited(ada, game, player=cleo.id)
    assert bob.post(f"{game}/seats").status_code == 201
    gone(cleo.get(link))
    gone(cleo.post(f"{link}/seat"))
    assert statuses(ada, game) == ["expired", "expired"]
    assert cleo.get("/v1/me/invitations").json["items"] == []
    refused(ada.post(f"{game}/invitations", LINK), 409, "game-not-open")


def test_an_invitation_ends_at_the_time_that_it_names(time, ada, stranger, game):
    made = invited(ada, game, **LINK, expires_in="PT10M")
    time.ms += 9 * MINUTE
    assert stranger.get(made["url"]).json["expires_at"] == made["expires_at"]
    time.ms += MINUTE
    gone(stranger.get(made["url"]))


def test_who_made_an_invitation_and_the_creator_can_revoke_it_and_no_other_player(ada, bob, game):
    assert bob.post(f"{linked(ada, game)}/seat").status_code == 201
    of_ada, of_bob = invited(ada, game, **LINK), invited(bob, game, **LINK)
    refused(bob.delete(f"{game}/invitations/{of_ada['id']}"), 403, "not-your-invitation")
    assert ada.delete(f"{game}/invitations/{of_bob['id']}").status_code == 204
    refused(ada.delete(f"{game}/invitations/{of_bob['id']}"), 409, "invitation-ended")
    assert bob.delete(f"{game}/invitations/{invited(bob, game, **LINK)['id']}").status_code == 204
    gone(ada.delete(f"{game}/invitations/in_0"))


def test_a_game_has_a_bounded_number_of_open_invitations(server, ada, bob, game):
    made = [invited(ada, game, **LINK) for _ in range(MOST_KEPT)]
    refused(ada.post(f"{game}/invitations", LINK), 409, "too-many-invitations")
    for each in made[3:5]:
        assert ada.delete(f"{game}/invitations/{each['id']}").status_code == 204
    newer = invited(ada, game, **LINK)
    listed = [each["id"] for each in ada.get(f"{game}/invitations").json["items"]]
    assert len(listed) == MOST_KEPT
    assert made[3]["id"] not in listed
    assert newer["id"] in listed


def test_nothing_of_an_invitation_is_in_the_log_and_its_secret_is_stored_nowhere(server, ada, bob, game):
    made = invited(ada, game, **LINK)
    bob.post(f"{made['url']}/seat")
    assert made["secret"] not in str({key: server.redis.dump(key) for key in server.redis.scan_iter()})
    assert [event["type"] for event in ada.get(f"{game}/events").json["events"]] == [
        "game_created",
        "seat_taken",
        "seat_taken",
    ]


def test_every_key_of_invitations_expires(server, ada, bob, game):
    invited(ada, game, **LINK)
    invited(ada, game, player=bob.id)
    found = [key for key in server.redis.scan_iter() if b"invitation" in key]
    assert len(found) == 3
    assert all(0 < server.redis.ttl(key) <= 31 * 24 * 3600 for key in found)


def test_those_who_are_not_invited_cannot_tell_a_private_game_from_none(server, ada, bob, cleo, stranger, game):
    """With invitations to others and links that they do not have, too."""
    invited(ada, game, player=bob.id)
    made = invited(ada, game, **LINK)
    of_bob = seat_token_of(bob, new_game(bob), 0)[1]
    for person in (cleo, stranger, of_bob):
        for ask in (
            lambda path, person=person: person.get(path),
            lambda path, person=person: person.get(f"{path}/view"),
            lambda path, person=person: person.get(f"{path}/invitations"),
            lambda path, person=person: person.post(f"{path}/invitations", LINK),
            lambda path, person=person: person.post(f"{path}/invitations", {"more": 1}),
            lambda path, person=person: person.delete(f"{path}/invitations/{made['id']}"),
            lambda path, person=person: person.post(f"{path}/seats", {}),
            lambda path, person=person: person.post(f"{path}/seats", {"seat": 1}),
            lambda path, person=person: person.post(f"{path}/seats/1/tokens"),
        ):
            real, none = told(ask(game)), told(ask("/v1/games/gm_00000000000000000000"))
            assert real == none
            assert real[0] >= 400
        if person is cleo:
            assert told(cleo.get("/v1/me/invitations")) == told(server.newcomer("Eve").get("/v1/me/invitations"))
