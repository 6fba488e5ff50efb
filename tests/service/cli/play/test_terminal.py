"""`plateau play` as a person sees it: in a pseudo-terminal, against a real service."""

import re
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from service.cli.play.command import play
from tests.service.cli.play.terminals import Terminal, played, turn
from tests.support.proxies import CuttingProxy
from tests.support.server import RunningService, running_service

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
def test_a_whole_game_is_played_with_numbers_and_enter_though_streams_are_cut(
    service: RunningService, options: str
) -> None:
    phases = ["Opening", r"Turn \d+"] if options.startswith("plateau") else [".*bidding", r".*trick \d+"]
    with (
        CuttingProxy(service.url, after_bytes=1500) as proxy,
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
def test_a_terminal_that_cannot_move_its_cursor_gets_lines_without_escape_codes(service: RunningService) -> None:
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
        terminal.see("Guest takes seat 1.")
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
        terminal.see("Seat 2, greedy")
        assert not COLOURS.search(terminal.raw)


@pytest.mark.long
def test_a_game_that_was_begun_elsewhere_goes_on_with_its_token_and_shows_its_clock(service: RunningService) -> None:
    token = httpx.post(f"{service.url}/v1/players", json={"name": "Ada"}).json()["token"]
    wish = {
        "ruleset": "plateau",
        "seats": [{"player": "me"}, {"bot": "random"}],
        "clock": {"per_move": "PT30M", "on_timeout": "wait"},
    }
    headers = {"Authorization": f"Bearer {token}"}
    game = httpx.post(f"{service.url}/v1/games", json=wish, headers=headers).json()["id"]
    with Terminal(service.url, game, PLATEAU_TOKEN=token) as terminal:
        terminal.wait(lambda: re.match(r"Until \d\d:\d\d:\d\d · Your turn", terminal.hint), "the clock")
        terminal.enter("a1 a r tw o")
        terminal.see("Ada opens on a1")
        terminal.enter("/resign")
        terminal.see("Type yes:")
        terminal.enter("yes")
        terminal.see("Ada resigns")
        terminal.see("The game is over.")


def test_players_say_phrases_in_their_own_language_and_plan_what_is_played_when_their_turn_comes(
    service: RunningService,
) -> None:
    with httpx.Client(base_url=service.url) as client:
        ada, ben = (client.post("/v1/players", json={"name": name}).json()["token"] for name in ("Ada", "Ben"))
        wish = {
            "ruleset": "le-plateau",
            "seats": [{"player": "me"}, {"open": True}],
            "options": {"first_dealer": 0, "hands": 2},
        }
        mine, theirs = ({"Authorization": f"Bearer {token}"} for token in (ada, ben))
        game = client.post("/v1/games", json=wish, headers=mine).json()["id"]
        client.post(f"/v1/games/{game}/seats", json={}, headers=theirs).raise_for_status()
        said, plan = f"/v1/games/{game}/phrases", f"/v1/games/{game}/plan"
        client.post(said, json={"phrase": "good_luck"}, headers=theirs).raise_for_status()
        with Terminal(service.url, game, PLATEAU_TOKEN=ada) as terminal:
            terminal.see("Ben: Good luck!")
            terminal.enter("/say")
            terminal.see(" 3 Well played!")
            terminal.enter("/say thank")
            terminal.see("Ada: Thank you!")

            card = client.get(f"/v1/games/{game}/view", headers=mine).json()["state"]["hands"][0]["cards"][0]
            terminal.enter(f"/plan {card}")
            terminal.see(f"Play: {card}")
            assert {"action": {"type": "play", "card": card}} in client.get(plan, headers=mine).json()["steps"]
            terminal.enter("/plan nothing")
            terminal.see("Nothing fits “nothing”.")
            terminal.enter("/plan drop")
            terminal.see("Nothing is planned.")
            terminal.enter("/plan pass")
            terminal.see("Planned for your next turn")
            terminal.enter("/forced on")
            terminal.see("Moves without a choice are made for you.")
            planned = client.get(plan, headers=mine).json()
            assert (planned["steps"], planned["forced"]) == ([{"action": {"type": "pass"}}], True)
            client.post(f"/v1/games/{game}/actions", json={"type": "pass"}, headers=theirs).raise_for_status()
            terminal.see("Ada passes.")
            terminal.see_turn()
            terminal.enter("/plan pass")
            terminal.see("It is your turn.")

            terminal.enter("/language fr")
            terminal.see("À vous")
            client.post(said, json={"phrase": "well_played"}, headers=theirs).raise_for_status()
            terminal.wait(lambda: re.search(r"Ben\s: Bien joué\s!", terminal.text), "a phrase in French")
            assert terminal.raw.count("Good luck!") == 2  # said, and in the list; not again in the new stream


def test_a_turn_that_a_plan_plays_is_not_asked_for_until_another_device_removes_the_plan(tmp_path: Path) -> None:
    with (
        running_service(tmp_path, {"PLATEAU_WORKERS": "0"}) as service,
        httpx.Client(base_url=service.url) as client,
    ):
        token = client.post("/v1/players", json={"name": "Ada"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        wish = {"ruleset": "le-plateau", "seats": [{"player": "me"}, {"bot": "random"}], "options": {"first_dealer": 1}}
        path = f"/v1/games/{client.post('/v1/games', json=wish).json()['id']}"
        assert client.get(f"{path}/view").json()["to_act"] == [0]
        client.put(f"{path}/plan", json={"steps": [{"action": {"type": "pass"}}]}).raise_for_status()
        with Terminal(service.url, path.rpartition("/")[2], PLATEAU_TOKEN=token) as terminal:
            terminal.wait(lambda: terminal.hint.startswith("Your plan plays this turn"), "what plays")
            assert "Pass" not in terminal.text
            client.delete(f"{path}/plan").raise_for_status()
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
def test_a_game_goes_on_after_the_service_was_away_and_a_move_made_meanwhile_counts_once(
    service: RunningService,
) -> None:
    with Terminal(
        service.url, "le-plateau", "--players", "2", "--bot", "random", "--option", "first_dealer=1"
    ) as terminal:
        terminal.see_turn()
        service.stop()
        terminal.see("The service cannot be reached. Trying again")
        terminal.enter("pass")
        terminal.see("Not sent yet")
        service.start()
        terminal.see("Guest passes.")
        terminal.wait(lambda: turn(terminal), "the next turn")
        assert terminal.text.count("Guest passes.") == 1


def run(*options: str) -> tuple[int, str]:
    """Run the command without a terminal; return its exit code, and all that it has written."""
    found = CliRunner().invoke(play, options, env={"PLATEAU_TOKEN": None, "PLATEAU_URL": None})
    return found.exit_code, found.output


def test_where_no_service_answers_it_says_how_to_start_one() -> None:
    code, said = run("plute", "--url", "http://127.0.0.1:1")
    assert code == 3
    assert "start one with: plateau serve" in said


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


def test_in_a_sandbox_a_bot_says_what_it_would_do_elsewhere_why_not_and_where_nobody_can_talk_when_one_can(
    service: RunningService,
) -> None:
    for more, expected in (("--sandbox",), "A bot would: "), ((), "given in sandboxes"):
        with Terminal(service.url, *SHORT, *more) as terminal:
            terminal.see_turn()
            ask_until_seen(terminal, "/hint", expected, unless="answered in time")
            terminal.enter("/say hello")
            terminal.see("you can talk before the start and after the end")
            terminal.enter("/replay")
            terminal.see("h: a hint")
            terminal.enter("1")
            terminal.enter("h")
            terminal.see("Nobody had to decide then.")
            terminal.enter("500")
            terminal.enter("h")
            see_below(terminal, "to decide then.", expected)
            terminal.enter("q")
            terminal.see("Back.")
            terminal.enter("/quit")
            assert terminal.ended() == 0


def lists(terminal: Terminal) -> int:
    """Count how often the player's choices were listed, or the only one named."""
    return len(re.findall(r"(?m)^ +(?:\d+ [A-Z]|Enter: )", re.sub(r"\x1b\[[\d;]*m", "", terminal.raw)))


def test_what_goes_wrong_ends_neither_the_session_nor_looking_back_and_cannot_act_on_the_terminal(
    service: RunningService,
) -> None:
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
        terminal.see("3. The bot random takes seat 2.")
        terminal.enter("q")
        terminal.see("Back.")
        terminal.resize(50)
        terminal.enter("/help")
        terminal.see("leave the terminal")
        assert 40 < terminal.widest <= 50
        terminal.enter("/quit")
        assert terminal.ended() == 0
        assert "\x1b]0;" not in terminal.raw


def test_the_address_of_a_link_names_the_service_and_nothing_goes_to_another_one(service: RunningService) -> None:
    token = httpx.post(f"{service.url}/v1/players", json={"name": "Ada"}).json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    wish = {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}]}
    game = httpx.post(f"{service.url}/v1/games", json=wish, headers=headers).json()["id"]
    made = httpx.post(f"{service.url}/v1/games/{game}/invitations", json={"link": True}, headers=headers).json()
    address = f"{service.url}/#/join/{made['url'].rpartition('/')[2]}"
    for options in (("--url", "http://127.0.0.1:1"), ("--token", token)):
        code, said = run("--join", address, *options)
        assert (code, f"Add --url {service.url}" in " ".join(said.split())) == (2, True), said
    code, said = run("--join", address)
    assert (code, "Opening" in said) == (0, True), said
    code, said = run(f"{service.url}/v1/games/{game}", "--url", f"{service.url}/", "--token", token)
    assert (code, "Opening" in said) == (0, True), said


def test_a_refusal_is_told_in_the_words_of_the_service(service: RunningService) -> None:
    for options, expected, why in (
        (("plute", "--option", "win_at=77"), 1, "win_at"),
        (("chess",), 1, "no such ruleset"),
        (("gm_nowhere",), 1, "no such game"),
        (("plute", "--option", "win_at"), 2, "is not NAME=VALUE"),
    ):
        code, said = run(*options, "--url", service.url)
        assert (code, why in said) == (expected, True), said
