"""The mails that the service writes: one that asks for confirmation, and one with the news of a player's games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from domain.sentences.catalogue import Catalogue
from service.games.projections.naming import Names
from service.notifications.content.news import GameNews
from service.notifications.mail.layout import Block, Heading, Items, Link, Paragraph, html, plain
from service.notifications.mail.letters import Letter
from service.notifications.mail.links import MailLinks
from service.notifications.mail.mail_destination import MailDestination

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
    look_up: Names
    words: Catalogue
    zone: str | None


class Writer:
    def __init__(self, links: MailLinks) -> None:
        self._links = links

    def asking(self, player: str, destination: MailDestination, words: Catalogue) -> Letter:
        """Ask for confirmation. Nothing that the player wrote is in the mail, since its reader can be anybody."""
        blocks: list[Block] = [
            Paragraph(words.say("confirm.what", site=self._links.site)),
            Paragraph(words.say("confirm.how")),
            Link(words.say("confirm.link"), self._links.to_confirm(player, destination.id)),
            Paragraph(words.say("confirm.else")),
        ]
        return _letter(f"confirm {destination.asking}", words.say("confirm.subject"), blocks, words, {})

    def telling(self, about: About, destination: MailDestination, news: Sequence[GameNews]) -> Letter:
        """Tell the news of a player's games; one click ends such mails (RFC 8058)."""
        stop, words = self._links.to_unsubscribe(about.player, destination.id), about.words
        blocks: list[Block] = []
        for each in news[:MOST_GAMES]:
            blocks.append(Heading(each.title(words, about.names)))
            blocks += [Paragraph(sentence) for sentence in each.sentences(words, about.names, about.zone)]
            blocks += _story(each, about)
            blocks.append(Link(words.say("mail.open_game"), self._links.to_game(each.game)))
        blocks += [
            Paragraph(words.say("mail.why", site=self._links.site)),
            Link(words.say("mail.unsubscribe"), stop),
        ]
        headers = {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
        return _letter(f"news {about.batch}", _subject(news, words), blocks, words, headers)


def _story(news: GameNews, about: About) -> list[Block]:
    told, earlier = news.story(about.look_up, about.words.language)
    if not told:
        return []
    since = about.words.say("mail.earlier", count=earlier) if earlier else about.words.say("mail.since")
    return [Paragraph(since), Items(tuple(told))]


def _subject(news: Sequence[GameNews], words: Catalogue) -> str:
    kinds = {each.kind for each in news}
    kind = next((kind for kind in ("your_turn", "deadline_near") if kinds == {kind}), "news")
    return words.say(f"subject.{kind}", count=len(news), ruleset=news[0].game.ruleset.name)


def _letter(sense: str, subject: str, blocks: Sequence[Block], words: Catalogue, headers: Mapping[str, str]) -> Letter:
    return Letter(sense, subject, plain(blocks), html(blocks, words.language), headers)
