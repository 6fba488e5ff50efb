"""The mails that the service writes: one that asks for confirmation, and one with the news of a player's games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from domain.sentences.catalogue import Catalogue
from service.accounts.tickets import Tickets
from service.games.projections.naming import People
from service.notifications.content.news import GameNews, address_of
from service.notifications.mail.letters import Block, Letter, heading, items, link, paragraph
from service.notifications.mail.mail_destination import MailDestination

# -- the links in mails: signed, so that they need no login, and good for one thing each --------------------------


_CONFIRM_SECONDS = 2 * 24 * 3600
_UNSUBSCRIBE_SECONDS = 400 * 24 * 3600

Holder = tuple[str, str]
"""The player and the id of the mail destination that a link is for."""


class MailLinks:
    """The links in mails of one service.

    ``secret`` returns the secret of the store, ``now`` the time in ms; ``site`` is the address of the service.
    """

    def __init__(self, secret: Callable[[], bytes], now: Callable[[], int], site: str) -> None:
        self.site = site
        self._tickets = Tickets(secret, now, {"mail": _CONFIRM_SECONDS, "unsubscribe": _UNSUBSCRIBE_SECONDS})

    def to_confirm(self, player: str, destination: str) -> str:
        return f"{self.site}/v1/mail/confirm/{self._tickets.issue('mail', player, destination)[0]}"

    def to_unsubscribe(self, player: str, destination: str) -> str:
        """Return the address of the page on which a player ends all mails; a POST to it ends them at once."""
        return f"{self.site}/v1/mail/unsubscribe/{self._tickets.issue('unsubscribe', player, destination)[0]}"

    def confirming(self, ticket: str) -> Holder | None:
        return _holder(self._tickets.read("mail", ticket))

    def unsubscribing(self, ticket: str) -> Holder | None:
        return _holder(self._tickets.read("unsubscribe", ticket))


def _holder(facts: Sequence[str] | None) -> Holder | None:
    return None if facts is None else (facts[0], facts[1])


# -- the mails that the service writes ----------------------------------------------------------------------------

MOST_GAMES = 50
"""The most games that one mail names; the subject counts all of them."""


@dataclass(frozen=True, slots=True)
class About:
    """Whom a mail is for, in which words and time zone; ``batch`` names the notices in it; ``names`` are those of the
    players at the tables, and ``look_up`` finds others.
    """

    player: str
    batch: str
    names: Mapping[str, str]
    look_up: People
    words: Catalogue
    zone: str | None


@dataclass(eq=False)
class Writer:
    _links: MailLinks

    def asking(self, player: str, destination: MailDestination, words: Catalogue) -> Letter:
        """Ask for confirmation. Nothing that the player wrote is in the mail, since its reader can be anybody."""
        blocks: list[Block] = [
            paragraph(words.say("confirm.what", site=self._links.site)),
            paragraph(words.say("confirm.how")),
            link(words.say("confirm.link"), self._links.to_confirm(player, destination.id)),
            paragraph(words.say("confirm.else")),
        ]
        return _letter(f"confirm {destination.asking}", words.say("confirm.subject"), blocks, words, {})

    def telling(self, about: About, destination: MailDestination, news: Sequence[GameNews]) -> Letter:
        """Tell the news of a player's games; one click ends such mails (RFC 8058)."""
        stop, words = self._links.to_unsubscribe(about.player, destination.id), about.words
        blocks: list[Block] = []
        for each in news[:MOST_GAMES]:
            blocks.append(heading(each.title(words, about.names)))
            blocks += [paragraph(sentence) for sentence in each.sentences(words, about.names, about.zone)]
            blocks += _story(each, about)
            blocks.append(link(words.say("mail.open_game"), address_of(each.game, self._links.site)))
        blocks += [
            paragraph(words.say("mail.why", site=self._links.site)),
            link(words.say("mail.unsubscribe"), stop),
        ]
        headers = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
        return _letter(f"news {about.batch}", _subject(news, words), blocks, words, headers)


def _story(news: GameNews, about: About) -> list[Block]:
    told, earlier = news.story(about.look_up, about.words.language)
    if not told:
        return []
    since = about.words.say("mail.earlier", count=earlier) if earlier else about.words.say("mail.since")
    return [paragraph(since), items(told)]


def _subject(news: Sequence[GameNews], words: Catalogue) -> str:
    kinds = {each.kind for each in news}
    kind = next((kind for kind in ("your_turn", "deadline_near") if kinds == {kind}), "news")
    return words.say(f"subject.{kind}", count=len(news), ruleset=news[0].game.ruleset.name)


def _letter(sense: str, subject: str, blocks: Sequence[Block], words: Catalogue, headers: Mapping[str, str]) -> Letter:
    body = "\n".join(block.html for block in blocks)
    html = f'<!doctype html>\n<html lang="{escape(words.language)}">\n<body>\n{body}\n</body>\n</html>\n'
    return Letter(sense, subject, "\n\n".join(block.text for block in blocks) + "\n", html, headers)
