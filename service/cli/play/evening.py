"""The main loop of ``plateau play``: sign in, join or create a game, play, and offer another."""

import shlex

from service.cli.client import Service
from service.cli.play.game import Game
from service.cli.play.inputs import Leave
from service.cli.play.screen import Screen
from service.cli.play.session import Session
from service.cli.play.starting import Host, Wish, is_game, last_of
from service.cli.play.words import Words, own_language

__all__ = ["Wish", "begin"]


def begin(
    service: Service, wish: Wish, *, join: str | None, name: str | None, language: str | None, colours: bool
) -> None:
    words = Words(language or own_language())
    Evening(service, Screen(colours=colours), words, name).play(wish, join)


class Evening:
    def __init__(self, service: Service, screen: Screen, words: Words, name: str | None) -> None:
        self._screen = screen
        self._words = words
        self._host = Host(service, screen, words, name)

    def play(self, wish: Wish, join: str | None) -> None:
        self._screen.say(self._words("welcome"), "bold")
        try:
            game_id: str | None = self._seated(wish, join)
        except (Leave, KeyboardInterrupt):
            return
        self._show_way_back(game_id)
        while game_id:
            last = game_id
            game = Game(self._host.service, game_id, self._words, self._say_unsent)
            game_id = Session(game, self._screen).run()
            self._words = game.words
        self._screen.say(self._words("left", game=last))

    def _seated(self, wish: Wish, join: str | None) -> str:
        if join:
            return self._host.join(join)
        if wish.ruleset and is_game(wish.ruleset):
            return last_of(wish.ruleset)
        return self._host.create(wish)

    def _show_way_back(self, game_id: str | None) -> None:
        if self._host.made_guest:
            service = self._host.service
            self._screen.say(self._words("guest.kept"))
            words = [f"PLATEAU_TOKEN={service.token}", "plateau", "play", str(game_id), "--url", service.url]
            self._screen.print_line(f"  {words[0]} {shlex.join(words[1:])}")

    def _say_unsent(self) -> None:
        self._screen.say(self._words("unsent"), "bold")
