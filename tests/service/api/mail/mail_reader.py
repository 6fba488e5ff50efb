"""What the tests of mails share: a service, a real mail server, players who read mails, and a clock."""

from typing import Any

from domain.game.durations import instant, moment
from service.games.invitations.invitation_store import Invitations
from service.games.repository import GameRepository
from service.inbox.notice_log import NoticeLog
from service.inbox.notices import Notice
from service.notifications.content.news import News
from service.notifications.delivery.destinations import Destinations
from service.notifications.mail.channel import MailChannel, Post
from service.notifications.mail.mail_destination import MailDestinations, destination_of
from service.notifications.mail.smtp import sender
from service.notifications.mail.writer import Writer
from tests.support.mail_server import MailServer
from tests.support.people import OPEN, Server
from tests.support.wiring import notifier_on

SITE = "https://play.example"


class Clock:
    """A time that the test sets."""

    def __init__(self) -> None:
        self.ms = instant("2026-11-22T10:00:00.000Z")

    def __call__(self) -> str:
        return moment(self.ms)

    def now(self) -> int:
        return self.ms


class Mails:
    """The mails of a service: its channel, and the players who get them."""

    def __init__(self, service: Server, clock: Clock, server: MailServer) -> None:
        self.service, self.clock, self.server = service, clock, server
        self.destinations, self.notices = Destinations(service.redis), NoticeLog(service.redis)
        post = Post(sender(server.url), "Plateau <plateau@play.example>", clock.now)
        writer = Writer(service.services.mailing.links)
        self._notifier = notifier_on(service.redis)
        self.channel = MailChannel(
            MailDestinations(service.redis), self.destinations, self.notices, self.finder(), writer, post
        )

    def finder(self) -> News:
        """What finds out what is news, as a courier that has just started has it."""
        return News(
            GameRepository(self.service.store), Invitations(self.service.redis), self.service.players, self.clock.now
        )

    def serve(self, person: Any) -> int | None:
        """Serve a player's destination, and return in how many ms it is due again."""
        again = self.channel.deliver(destination_of(person.id))
        return None if again is None else again - self.clock.ms

    def reader(self, name: str, **choices: Any) -> Any:
        """A player with a confirmed address."""
        person = self.service.newcomer(name)
        assert person.put("/v1/me/mail", {"address": f"{name.lower()}@example.org", **choices}).status_code == 200
        assert self.serve(person) is None
        confirm = self.server.mails[-1].get_body(("plain",)).get_content().split(f"{SITE}/v1/mail/confirm/")[1]
        assert person.post(f"/v1/mail/confirm/{confirm.split()[0]}").status_code == 200
        self.server.raw.clear()
        return person

    def note_turn(self, table: Any, kind: str = "your_turn") -> Any:
        """Note that it is somebody's turn in a game; return who it is."""
        seat = table.to_act
        view = table.view(seat)
        data = {"seat": seat, "decision_id": view["decision"]["id"], "deadline": view["decision"]["deadline"]}
        person = table.people[seat]
        self.notices.add([Notice(kind, person.id, table.id, view["version"], self.clock(), data)])
        return person

    def pass_on(self) -> None:
        """Write the notices of what has happened into the logs of the players, as a notifier does."""
        while self._notifier.pass_on(1):
            pass

    def status(self, person: Any) -> str:
        """The status of a player's address."""
        return person.get("/v1/me/mail").json["status"]


def tables(mails: Mails, ada: Any, bob: Any, number: int) -> list[Any]:
    """Begin games of Plateau between two; it is the turn of Ada, the first."""
    return [mails.service.table([ada, bob], ruleset="plateau", seats=[OPEN, OPEN]) for _ in range(number)]


def text(mail: Any, kind: str = "plain") -> str:
    content: str = mail.get_body((kind,)).get_content()
    return content.replace("\r\n", "\n")
