"""What is news, from what really happens in games to the mail: each kind, and none that has passed."""

from typing import Any

import pytest

from domain.game.durations import HOUR
from domain.game.seeds import commitment_to
from service.inbox.notices import Notice
from tests.service.api.mail.mail_reader import tables, text
from tests.support.people import ME, OPEN, head_of

EVERYTHING = [
    "invited", "seeds_awaited", "game_started", "your_turn", "deadline_near", "proposal_made", "game_ended",
    "plan_dropped",
]  # fmt: skip


@pytest.fixture
def ada(mails) -> Any:
    return mails.reader("Ada", types=EVERYTHING)


@pytest.fixture
def bob(mails) -> Any:
    return mails.service.newcomer("Bob")


def told(mails, ada) -> list[str]:
    """Return what the mail says that Ada now gets, without its links; nothing if there is none."""
    mails.pass_on()
    mails.clock.ms += HOUR
    mails.server.raw.clear()
    assert mails.serve(ada) is None
    return [mail["Subject"] + "\n" + text(mail) for mail in mails.server.mails]


def begun(person) -> str:
    """Let a player create a game of Plateau with an open seat; return its path."""
    return f"/v1/games/{person.post('/v1/games', {'ruleset': 'plateau', 'seats': [ME, OPEN]}).json['id']}"


def test_an_invitation_is_news_until_it_is_answered(mails, ada, bob) -> None:
    game = begun(bob)
    bob.post(f"{game}/invitations", {"player": ada.id})
    (mail,) = told(mails, ada)
    assert mail.startswith("Update on your Plateau game\nPlateau with Bob\n")
    assert "Bob invites you to take a seat." in mail
    assert f"/#/waiting/{game.rpartition('/')[2]}\n" in mail
    other = begun(bob)
    made = bob.post(f"{other}/invitations", {"player": ada.id}).json
    ada.delete(f"{other}/invitations/{made['id']}")
    assert told(mails, ada) == []
    bob.post(f"{begun(bob)}/invitations", {"player": ada.id, "expires_in": "PT30M"})
    assert told(mails, ada) == []


def test_the_start_of_a_game_and_the_first_turn_are_one_mail(mails, ada, bob) -> None:
    game = begun(ada)
    bob.post(f"{game}/seats", {})
    (mail,) = told(mails, ada)
    assert mail.startswith("It is your turn in Plateau\n")
    assert mail.index("It is your turn, until") < mail.index("The game has started.")


def test_an_awaited_seed_is_news_until_it_is_open(mails, ada, bob) -> None:
    for opens in (False, True):
        made = bob.post("/v1/games", {"ruleset": "plateau", "seats": [OPEN, OPEN], "opening": {"within": "P1D"}}).json
        game = f"/v1/games/{made['id']}"
        sealed = commitment_to("luck", made["id"], ada.id)
        ada.post(f"{game}/seats", {"seed_commitment": sealed}, If_Match=head_of(ada, game))
        bob.post(f"{game}/seats", {})
        if opens:
            ada.post(f"{game}/seeds", {"client_seed": "luck"})
        (mail,) = told(mails, ada)
        assert ("The game begins once you have opened your seed." in mail) is not opens


def test_a_proposal_is_news_until_the_vote(mails, ada, bob) -> None:
    game = begun(ada)
    bob.post(f"{game}/seats", {})
    told(mails, ada)
    made = bob.post(f"{game}/proposals", {"kind": "pause"}).json["events"][0]["data"]["proposal"]
    (mail,) = told(mails, ada)
    assert "Bob proposes something, and waits for your vote." in mail
    ada.post(f"{game}/proposals/{made}/votes", {"accept": False})
    bob.post(f"{game}/proposals", {"kind": "pause"})
    again = bob.get(f"{game}/view").json["proposals"][-1]["id"]
    ada.post(f"{game}/proposals/{again}/votes", {"accept": False})
    assert told(mails, ada) == []


def test_the_end_of_a_game_is_news_and_its_start_no_more(mails, ada, bob) -> None:
    game = begun(ada)
    bob.post(f"{game}/seats", {})
    bob.post(f"{game}/resign", {"confirm": True})
    (mail,) = told(mails, ada)
    assert "The game is over." in mail
    assert "started" not in mail
    assert "your turn" not in mail


def test_a_turn_that_a_pause_took_away_is_no_news(mails, ada, bob) -> None:
    game = begun(ada)
    bob.post(f"{game}/seats", {})
    made = bob.post(f"{game}/proposals", {"kind": "pause", "duration": "P7D"}).json["events"][0]["data"]["proposal"]
    ada.post(f"{game}/proposals/{made}/votes", {"accept": True})
    (mail,) = told(mails, ada)
    assert "The game has started." in mail
    assert "your turn" not in mail


def test_a_dropped_plan_is_news_until_its_player_has_moved(mails, ada, bob) -> None:
    (table,) = tables(mails, ada, bob, 1)
    told(mails, ada)
    assert mails.note_turn(table, "plan_dropped") == ada
    assert table.view(table.to_act)["decision"]["deadline"]
    (mail,) = told(mails, ada)
    assert "Your plan no longer fits, and was dropped." in mail
    mails.note_turn(table, "plan_dropped")
    table.act(table.to_act, table.legal(table.to_act)[0])
    assert told(mails, ada) == []


def test_a_dropped_plan_noted_without_its_decision_has_passed(mails, ada, bob) -> None:
    """Older versions of the service left it out."""
    (table,) = tables(mails, ada, bob, 1)
    told(mails, ada)
    mails.notices.add([Notice("plan_dropped", ada.id, table.id, 1, mails.clock(), {"seat": table.to_act})])
    assert told(mails, ada) == []
