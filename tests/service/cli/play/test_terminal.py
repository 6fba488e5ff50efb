"""`plateau play` as a person sees it: in a pseudo-terminal, against a real service.

A line that is edited while news come from another thread.
"""

import re
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from service.cli.play.editor import Editor
from service.cli.play.inputs import Interrupted
from tests.service.cli.play.terminals import Terminal, played, turn
from tests.support.commands import Player, plateau
from tests.support.proxies import CuttingProxy
from tests.support.server import RunningService, running_service

ME = {"player": "me"}
COLOURS = re.compile(r"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")


GAMES = [
    "plute --option win_at=1 --option lose_at=1",
    pytest.param("le-plateau --players 2 --option hands=2", marks=pytest.mark.long),
    pytest.param("le-plateau --players 5 --option hands=5", marks=pytest.mark.long),
    pytest.param("le-plateau --players 6 --option hands=6", marks=pytest.mark.long),
    pytest.param("plateau --option max_plies=20", marks=pytest.mark.long),
    pytest.param("french-tarot --players 3 --option deals=3", marks=pytest.mark.long),
    pytest.param("french-tarot --players 5 --option deals=5", marks=pytest.mark.long),
]


@pytest.mark.parametrize("options", GAMES)
def test_a_whole_game_is_played_with_numbers_though_streams_are_cut(service: RunningService, options: str) -> None:
    phases = ["Opening", r"Turn \d+"] if options.startswith("plateau") else [".*bidding", r".*trick \d+"]
    with (
        CuttingProxy(service.url, after_bytes=6000) as proxy,
        Terminal(proxy.url, *options.split(), "--bot", "random", columns=100) as terminal,
    ):
        titles = played(terminal)
        assert all(
            any(re.fullmatch(phase, title) for title in titles) for phase in [*phases, ".*(game|match) is over"]
        ), titles
        assert ("∑" in terminal.text) == (not options.startswith("plateau"))
        assert proxy.cuts > 0
        assert "The game is over." in terminal.text
        assert terminal.widest <= 80
        assert COLOURS.search(terminal.raw)
        terminal.enter("/replay")
        terminal.see("a number: that version")
        terminal.enter("/quit")
        terminal.see("Back.")
        assert "Traceback" not in terminal.raw
        terminal.enter("/quit")
        assert terminal.ended() == 0


SHORT = ("plute", "--bot", "random", "--option", "win_at=1", "--option", "lose_at=1")


@pytest.mark.long
def test_a_terminal_that_cannot_move_its_cursor_gets_no_escape_codes(service: RunningService) -> None:
    with Terminal(service.url, *SHORT, TERM="dumb") as terminal:
        terminal.see("Your hand")
        terminal.enter("/HELP")
        terminal.see("/quit")
        terminal.enter("/quit")
        assert terminal.ended() == 0
        assert "\x1b" not in terminal.raw
        assert terminal.widest <= 80


@pytest.mark.long
def test_typed_text_says_what_enter_would_do_and_news_leave_it_where_it_is(service: RunningService) -> None:
    options = ("--players", "4", "--bot", "random", "--option", "first_dealer=3")
    with Terminal(service.url, "le-plateau", *options, "--no-colour") as terminal:
        terminal.see_turn()
        terminal.type("y")
        terminal.see("4 left: Bid a Y")
        terminal.type(".x.duo")
        terminal.see("Enter: Bid a Y as a duo with exchange")
        terminal.type("z")
        terminal.see("Nothing fits “duoz”")
        terminal.type("\x7f")
        terminal.enter()
        terminal.see("bids a Y as a duo with exchange")
        terminal.enter("/log all")
        terminal.see("Guest sits down.")
        terminal.enter("/nothing")
        terminal.see("There is no command /nothing.")
        terminal.enter("/replay")
        terminal.see("a number: that version")
        terminal.enter("6")
        terminal.see("6 of ")
        terminal.type("\x1b[C")
        terminal.see("7 of ")
        terminal.type("\x1b[D")
        terminal.see("6 of ")
        terminal.enter("q")
        terminal.enter("/language fr")
        terminal.see("Guest (vous)")
        terminal.type("\x03")
        terminal.see("Ctrl-C encore une fois pour quitter")
        terminal.type("\x03")
        assert terminal.ended() == 0
        assert "\x1b[" in terminal.raw
        assert not COLOURS.search(terminal.raw)


@pytest.mark.long
def test_without_a_word_it_asks_what_to_play_and_no_color_is_heeded(service: RunningService) -> None:
    with Terminal(service.url, NO_COLOR="1") as terminal:
        terminal.see("Which game?")
        terminal.enter("9")
        terminal.see("Type one of the numbers.")
        terminal.enter("3")
        terminal.see("How many players, from 3 to 5?")
        terminal.enter()
        terminal.see("Against which bots?")
        terminal.enter()
        terminal.see("Deal 1 of 12: bidding")
        terminal.see(", greedy")
        assert not COLOURS.search(terminal.raw)


@pytest.mark.long
def test_a_game_begun_elsewhere_continues_with_its_token_and_clock(service: RunningService) -> None:
    ada = Player(service.url)
    clock = {"per_move": "PT30M", "on_timeout": "wait"}
    game = ada.begin(ME, {"bot": "random"}, ruleset="plateau", clock=clock)
    with Terminal(service.url, game, PLATEAU_TOKEN=ada.token) as terminal:
        terminal.wait(lambda: re.match(r"Until \d\d:\d\d:\d\d · Your turn", terminal.hint), "the clock")
        terminal.enter("a1 a r tw o")
        terminal.see("Ada opens on a1")
        terminal.enter("/resign")
        terminal.see("Type yes:")
        terminal.enter("yes")
        terminal.see("Ada resigns")
        terminal.see("The game is over.")


def test_players_say_phrases_in_their_own_language_and_plan_their_next_turn(service: RunningService) -> None:
    ada, ben = Player(service.url), Player(service.url, "Ben")
    game = ada.begin(ME, {"open": True}, options={"first_dealer": 0, "hands": 2})
    path = f"/v1/games/{game}"
    ben.ask("POST", f"{path}/seats", {})
    ben.ask("POST", f"{path}/phrases", {"phrase": "good_luck"})
    with Terminal(service.url, game, PLATEAU_TOKEN=ada.token) as terminal:
        terminal.see("Ben: Good luck!")
        card = ada.ask("GET", f"{path}/view")["state"]["hands"][0]["cards"][0]
        for line, seen in (
            ("/say", " 3 Well played!"),
            ("/say thank", "Ada: Thank you!"),
            (f"/plan {card}", f"Play: {card}"),
            ("/plan nothing", "Nothing fits “nothing”."),
            ("/plan drop", "Nothing is planned."),
            ("/plan pass", "Planned for your next turn"),
            ("/forced on", "Moves without a choice are made for you."),
        ):
            terminal.enter(line)
            terminal.see(seen)
            if "Play: " in seen:
                assert {"action": {"type": "play", "card": card}} in ada.ask("GET", f"{path}/plan")["steps"]
        planned = ada.ask("GET", f"{path}/plan")
        assert (planned["steps"], planned["forced"]) == ([{"action": {"type": "pass"}}], True)
        ben.ask("POST", f"{path}/actions", {"type": "pass"})
        terminal.see("Ada passes.")
        terminal.see_turn()
        terminal.enter("/plan pass")
        terminal.see("It is your turn.")

        terminal.enter("/language fr")
        terminal.see("À vous")
        ben.ask("POST", f"{path}/phrases", {"phrase": "well_played"})
        terminal.wait(lambda: re.search(r"Ben\s: Bien joué\s!", terminal.text), "a phrase in French")
        assert terminal.raw.count("Good luck!") == 2  # said, and in the list; not again in the new stream


@pytest.mark.long
def test_a_turn_that_a_plan_plays_is_asked_for_once_the_plan_is_removed(tmp_path: Path) -> None:
    with running_service(tmp_path, {"PLATEAU_WORKERS": "0"}) as service, Player(service.url) as ada:
        game = ada.begin(ME, {"bot": "random"}, options={"first_dealer": 1})
        path = f"/v1/games/{game}"
        assert ada.ask("GET", f"{path}/view")["to_act"] == [0]
        ada.ask("PUT", f"{path}/plan", {"steps": [{"action": {"type": "pass"}}]})
        with Terminal(service.url, game, PLATEAU_TOKEN=ada.token) as terminal:
            terminal.wait(lambda: terminal.hint.startswith("Your plan plays this turn"), "what plays")
            assert "Pass" not in terminal.text
            ada.delete(f"{path}/plan").raise_for_status()
            terminal.see_turn()
            assert "Pass" in terminal.text


@pytest.mark.long
def test_two_people_meet_by_a_link_and_agree_and_meet_again(service: RunningService) -> None:
    with Terminal(service.url, "plateau", "--open", "1", "--name", "Ada") as ada:
        ada.see("Waiting for players: a seat is free")
        link = re.search(r"(http\S+/#/join/\S+)", ada.text)
        assert link
        with Terminal(service.url, "--join", link[1], "--name", "Ben") as ben:
            ben.see("Opening")
            ada.see("Opening")
            ada.enter("/propose draw")
            ben.see("Ada proposes: draw")
            ben.enter("/accept")
            ada.see("The game is over.")
            ben.see("The game is over.")
            assert "Black, 12 in reserve  12 × ??" in ben.text
            ben.enter("/replay")
            ben.see("a number: that version")
            ben.enter("5")
            ben.see("5 of ")
            ben.see("5. ")
            assert "Black, 12 in reserve  A  TW" in ben.text.partition("5. ")[2]
            ben.enter("q")
            ada.enter("/rematch")
            ada.see("Waiting for players: a seat is free")
            ben.enter("/rematch")
            ben.see("Opening")


@pytest.mark.long
def test_a_game_continues_after_the_service_was_away_and_a_move_counts_once(service: RunningService) -> None:
    options = ("--players", "2", "--bot", "random", "--option", "first_dealer=1")
    with Terminal(service.url, "le-plateau", *options) as terminal:
        terminal.see_turn()
        service.stop()
        terminal.see("The service cannot be reached. Trying again")
        terminal.enter("pass")
        terminal.see("Not sent yet")
        service.start()
        terminal.see("Guest passes.")
        terminal.wait(lambda: turn(terminal), "the next turn")
        assert terminal.text.count("Guest passes.") == 1


def ask_until_seen(terminal: Terminal, line: str, expected: str, unless: str) -> None:
    """Type a line, and again whenever something else is said, until a text is seen."""
    while expected not in terminal.text:
        before = terminal.raw.count(unless)
        terminal.enter(line)
        terminal.wait(
            lambda: expected in terminal.text or terminal.raw.count(unless) > before,  # noqa: B023 - used at once
            expected,
        )


def see_below(terminal: Terminal, earlier: str, text: str) -> None:
    terminal.wait(lambda: text in terminal.text.rpartition(earlier)[2], text)


def test_a_bot_gives_hints_in_a_sandbox_and_where_only_bots_hold_the_other_seats(service: RunningService) -> None:
    for more in (("--sandbox",), ()):
        with Terminal(service.url, *SHORT, *more) as terminal:
            terminal.see_turn()
            ask_until_seen(terminal, "/hint", "Suggestion: ", unless="answered in time")
            terminal.enter("/say hello")
            terminal.see("chat opens when the game ends")
            terminal.enter("/replay")
            terminal.see("h: a hint")
            terminal.enter("1")
            terminal.enter("h")
            terminal.see("No player had to decide then.")
            terminal.enter("500")
            terminal.enter("h")
            see_below(terminal, "to decide then.", "Suggestion: ")
            terminal.enter("q")
            terminal.see("Back.")
            terminal.enter("/quit")
            assert terminal.ended() == 0


def lists(terminal: Terminal) -> int:
    """Count how often the player's choices were listed, or the only one named."""
    return len(re.findall(r"(?m)^ +(?:\d+ [A-Z]|Enter: )", re.sub(r"\x1b\[[\d;]*m", "", terminal.raw)))


def test_what_goes_wrong_ends_nothing_and_cannot_act_on_the_terminal(service: RunningService) -> None:
    with CuttingProxy(service.url) as proxy, Terminal(proxy.url, *SHORT) as terminal:
        terminal.see_turn()
        proxy.refusals = [b"since=my-last-move", b"/view", b"/view"]
        terminal.enter("/log")
        terminal.see("Busy ]0;now.")
        terminal.wait(lambda: not proxy.refusals, "the table to be read again")
        terminal.enter("/score")
        terminal.see("Nothing is written down yet.")
        terminal.enter("/last")
        terminal.see("There is no last trick to show.")
        for command in ("/board", "/choices", "/back"):
            before = lists(terminal)
            terminal.enter(command)
            terminal.wait(lambda: lists(terminal) > before, command)  # noqa: B023 - used at once
        terminal.enter("/replay")
        terminal.see("a number: that version")
        proxy.drops = [b"at=3&"]
        terminal.enter("3")
        terminal.see("The service cannot be reached now.")
        terminal.enter("somewhere")
        terminal.see("Nothing fits “somewhere”.")
        terminal.see("sits down.")
        terminal.enter("q")
        terminal.see("Back.")
        terminal.resize(50)
        terminal.enter("/help")
        terminal.see("leave the terminal")
        assert 40 < terminal.widest <= 50
        terminal.enter("/quit")
        assert terminal.ended() == 0
        assert "\x1b]0;" not in terminal.raw


def test_a_link_names_the_service_and_nothing_goes_to_another_one(service: RunningService) -> None:
    ada = Player(service.url)
    game = ada.begin(ME, {"open": True}, ruleset="plateau")
    made = ada.ask("POST", f"/v1/games/{game}/invitations", {"link": True})
    address = f"{service.url}/#/join/{made['url'].rpartition('/')[2]}"
    for options in (("--url", "http://127.0.0.1:1"), ("--token", ada.token)):
        run = plateau("play", "--join", address, *options)
        assert (run.exit_code, f"Add --url {service.url}" in " ".join(run.output.split())) == (2, True), run.output
    own = (f"{service.url}/v1/games/{game}", "--url", f"{service.url}/", "--token", ada.token)
    for words in (("--join", address), own):
        run = plateau("play", *words)
        assert (run.exit_code, "Opening" in run.output) == (0, True), run.output


@pytest.mark.parametrize(
    ("words", "why"), [(("plute", "--option", "win_at=77"), "win_at"), (("chess",), "no such ruleset")]
)
def test_a_game_that_cannot_be_created_is_refused(service: RunningService, words: tuple[str, ...], why: str) -> None:
    run = plateau("play", *words, "--url", service.url)
    assert (run.exit_code, why in run.output) == (1, True), run.output


def test_news_that_come_after_enter_end_the_wait_for_the_next_line() -> None:
    with create_pipe_input() as keys, create_app_session(keys, DummyOutput()):
        editor = Editor(colours=False)
        app = editor._session.app
        app.after_render += lambda _: editor.interrupt() if app.is_done else None
        keys.send_text("pass\r")
        assert editor.line("> ", "", str, (), keys=False) == "pass"
        assert editor.line("> ", "du", str, (), keys=False) == Interrupted("du")
