"""A game, and the loop that plays it."""

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import islice
from typing import Final, Literal, cast

import httpx

from plateau_client.connection import Connection, Query, matching, new_key
from plateau_client.following import Following, Item
from plateau_client.problems import RateLimited, WrongMoment
from plateau_client.seeds import commitment_to, new_seed, to_open
from plateau_client.types import (
    Action,
    ActionAnswer,
    Event,
    EventPage,
    ForkInput,
    GameAtVersion,
    Invitation,
    InvitationInput,
    Language,
    LegalActions,
    Me,
    NewInvitationAnswer,
    Outcome,
    PhraseAnswer,
    PhraseIdChoice,
    PhraseMenu,
    Plan,
    PlanInput,
    PlanStep,
    ProposalKind,
    RematchAnswer,
    View,
)

As = int | Literal["spectator"] | None
"""The viewer: a seat, a spectator, or by default you."""

Choose = Callable[[View, Sequence[Action]], Action | None]

_OVER: Final = ("finished", "aborted")


class Table:
    """One game, seen and played by the player of a client. `seat` matters only if you hold several seats.

    Methods with a `key` take effect once, even if they are sent twice: they carry an Idempotency-Key. Pass your own key
    to repeat one from another process.
    """

    id: str
    connection: Connection
    """The connection of the player; its `token` gives access to the game. Its `seeds` are those that you committed to.
    """
    opened_after: tuple[int, str] | None
    """The version and the head of the game before you opened a seed; keep it, to verify the game."""

    def __init__(self, connection: Connection, game_id: str) -> None:
        self.id = game_id
        self.connection = connection
        self.opened_after = None
        self._path = f"/v1/games/{game_id}"
        self._last: dict[As, tuple[str, View]] = {}

    def game(self) -> GameAtVersion:
        """Return the public data of the game: seats, options, status, outcome."""
        game: GameAtVersion = self._read("").json()
        return game

    def view(self, seat: As = None, *, at: int | None = None) -> View:
        """Return what a viewer is allowed to see, now or at a version.

        If nothing has happened since the last call, it returns the same object, and transfers nothing.
        """
        if at is not None:
            past: View = self._read("/view", {"as": seat, "at": at}).json()
            return past
        tag, last = self._last.get(seat, (None, None))
        known = {"If-None-Match": tag} if tag else None
        response = self.connection.request("GET", f"{self._path}/view", query={"as": seat}, headers=known)
        if last is not None and response.status_code == httpx.codes.NOT_MODIFIED:
            return last
        view: View = response.json()
        self._last[seat] = response.headers["ETag"], view
        return view

    def choices(self, view: View) -> Sequence[Action]:
        """Return the legal actions of a view; if there are too many for a view to list, the first 2,000 of them.

        Those are requested: if the decision of the view has passed, there are none.
        """
        listed = view["legal_actions"]["actions"]
        if listed is not None:
            return listed
        page: LegalActions = self._read("/legal-actions", {"as": view["viewer"]["seat"]}).json()
        decision = page["decision"]
        return page["actions"] if decision and decision["id"] == view["decision"]["id"] else []

    def legal_actions(self, seat: int | None = None) -> Iterator[Action]:
        """List the actions of the pending decision, a page at a time: there can be hundreds of thousands."""
        cursor: str | None = None
        while True:
            page: LegalActions = self._read("/legal-actions", {"as": seat, "cursor": cursor}).json()
            yield from page["actions"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def events(self, after: int = 0, *, seat: As = None) -> Iterator[Event]:
        """List the events after a version, so far; `follow` continues from there."""
        version: int | None = after
        while version is not None:
            page: EventPage = self._read("/events", {"after": version, "as": seat, "limit": 1000}).json()
            yield from page["events"]
            version = page["next"]

    def follow(self, after: int = 0, *, seat: As = None, lang: str | None = None) -> Iterator[Event]:
        """Yield the events after a version, and then new ones as they happen, until the game is over.

        With a `lang`, such as ``en``, each event has a `sentence`. If the connection is cut, it continues from there.
        """
        return cast("Iterator[Event]", self._followed({"after": after, "as": seat, "lang": lang}))

    def views(self, seat: As = None) -> Iterator[View]:
        """Yield what a viewer is allowed to see, now and after each change, until the end.

        The default viewer is your seat; if you hold several, the lowest.
        """
        shown = 0
        after = self.game()["version"]
        for item in self._followed({"after": after, "as": seat, "with": "view"}):
            if "view" in item and item["view"]["version"] > shown:
                shown = item["view"]["version"]
                yield item["view"]

    def picture(self, seat: As = None, *, at: int | None = None) -> str:
        """Draw what a viewer is allowed to see, as SVG."""
        return self._read("/board.svg", {"as": seat, "at": at}).text

    def text(self, seat: As = None) -> str:
        """Write the whole game, as far as a viewer is allowed to see it, as text."""
        return self._read("/export", {"format": "text", "as": seat}).text

    def join(
        self,
        seat: int | None = None,
        *,
        client_seed: str | None = None,
        committed: bool = False,
        head: str | None = None,
        key: str | None = None,
    ) -> ActionAnswer:
        """Take a seat, or any open one. `client_seed` is mixed into every draw of the game.

        A seed counts only for the `head` of the game that you have seen, by default the current one. If another player
        is faster (`WrongMoment`, ``head-changed``), the server knows the seed: try again with a fresh one.

        If you are `committed`, the seed, by default a random one, stays in `seeds` of the connection until every seat
        is taken, even if no response comes. Then `turns` and `play` open it, or `open_seeds`.
        """
        seed = client_seed or (new_seed() if committed else None)
        if seed is not None and head is None:
            head = self.game()["head"]
        brought = self._committed(seed) if committed and seed else {"client_seed": seed}
        body = {name: value for name, value in {"seat": seat, **brought}.items() if value is not None}
        return self._write("/seats", body, None, key, matching(head))

    def open_seeds(self) -> bool:
        """Open those of your seeds that the game waits for; return whether there was one.

        Before that, read the log, and raise ``NotFixed`` if it does not show that all seeds are fixed, yours included.
        """
        game, seeds = self.game(), self.connection.seeds
        if "seeds_awaited" not in game or not seeds:
            return False
        log = [*islice(self.events(), game["version"])]
        mine = to_open(game, log, self._player(), seeds)
        for seat, commitment in mine.items():
            self.opened_after = game["version"], game["head"]
            with suppress(WrongMoment):  # its time is over, or another device was quicker
                self._write("/seeds", {"seat": seat, "client_seed": seeds[commitment]}, None, None)
        return bool(mine)

    def leave(self, seat: int) -> None:
        """Give up your seat before the game has started."""
        self.connection.request("DELETE", f"{self._path}/seats/{seat}")

    def hand_over(self, seat: int, bot: str) -> ActionAnswer:
        """Hand your seat to a bot permanently, or fill an open seat of a game that you created."""
        answer: ActionAnswer = self.connection.request("PUT", f"{self._path}/seats/{seat}", {"bot": bot}).json()
        return answer

    def invite(self, invitation: InvitationInput) -> NewInvitationAnswer:
        """Invite a player, or make a link that opens a seat once; its `url` is shown only here."""
        made: NewInvitationAnswer = self.connection.request("POST", f"{self._path}/invitations", invitation).json()
        return made

    def invitations(self) -> Iterator[Invitation]:
        """List the invitations to the game, with their states."""
        return self.connection.items(f"{self._path}/invitations")

    def cancel(self) -> GameAtVersion:
        """Cancel a game that you created, before it starts."""
        cancelled: GameAtVersion = self.connection.request("DELETE", self._path).json()
        return cancelled

    def act(
        self, action: Action, view: View | None = None, *, seat: int | None = None, key: str | None = None
    ) -> ActionAnswer:
        """Act. If you pass the `view`, the action counts only for the decision in it."""
        body: dict[str, object] = {**action}
        if view is not None:
            body["decision_id"] = view["decision"]["id"]
            seat = view["viewer"]["seat"]
        return self._write("/actions", body, seat, key)

    def plan(self, steps: Sequence[PlanStep] = (), *, forced: bool = False, seat: int | None = None) -> Plan:
        """Plan your next turns, and replace an earlier plan.

        The steps are alternatives for the next turn; `then` in a step has those for the turn after. With `forced`, your
        only legal action is played for you.
        """
        wish: PlanInput = {"steps": [*steps], "forced": forced}
        plan: Plan = self.connection.request("PUT", f"{self._path}/plan", wish, query={"as": seat}).json()
        return plan

    def planned(self, *, seat: int | None = None) -> Plan:
        """Return the remaining part of your plan."""
        plan: Plan = self._read("/plan", {"as": seat}).json()
        return plan

    def drop_plan(self, *, seat: int | None = None) -> None:
        """Remove your plan."""
        self.connection.request("DELETE", f"{self._path}/plan", query={"as": seat})

    def say(self, phrase: PhraseIdChoice, *, seat: int | None = None, key: str | None = None) -> PhraseAnswer:
        """Say a phrase at the table, if players can talk now."""
        body, query = {"phrase": phrase}, {"as": seat}
        response = self.connection.request("POST", f"{self._path}/phrases", body, query=query, key=key or new_key())
        answer: PhraseAnswer = response.json()
        return answer

    def phrases(self, lang: Language | None = None) -> PhraseMenu:
        """Return the phrases said at the table, the possible phrases, and why players cannot talk now."""
        phrases: PhraseMenu = self._read("/phrases", {"lang": lang}).json()
        return phrases

    def rematch(self) -> "Table":
        """Propose a rematch or accept it, and return its table."""
        key = new_key()  # the request is safe to repeat: every player who asks gets the same game
        answer: RematchAnswer = self.connection.request("POST", f"{self._path}/rematch", {}, key=key).json()
        return Table(self.connection, answer["game"]["id"])

    def fork(self, wish: ForkInput | None = None, *, key: str | None = None) -> "Table":
        """Fork the game at a position, by default from what you know now, and return the table of the fork."""
        made = self.connection.request("POST", f"{self._path}/forks", wish or {}, key=key or new_key()).json()
        return Table(self.connection, made["id"])

    def check(self, action: Action, *, seat: int | None = None) -> None:
        """Raise what `act` would raise, without acting."""
        self.connection.request("POST", f"{self._path}/actions", action, query={"as": seat, "dry_run": True})

    def resign(self, *, seat: int | None = None, key: str | None = None) -> ActionAnswer:
        """Resign; this cannot be undone."""
        return self._write("/resign", {"confirm": True}, seat, key)

    def claim(self, *, seat: int | None = None, key: str | None = None) -> ActionAnswer:
        """Claim that another seat's time is up."""
        return self._write("/claim", {}, seat, key)

    def propose(
        self,
        kind: ProposalKind,
        *,
        duration: str | None = None,
        to_version: int | None = None,
        seat: int | None = None,
        key: str | None = None,
    ) -> ActionAnswer:
        """Propose something that all players must accept.

        `duration` is that of a pause, such as ``P21D``; `to_version` is what a take-back returns to, by default the
        version before the seat's last action.
        """
        given = {"duration": duration, "to_version": to_version}
        chosen = {name: value for name, value in given.items() if value is not None}
        return self._write("/proposals", {"kind": kind, **chosen}, seat, key)

    def vote(self, proposal: str, *, accept: bool, seat: int | None = None, key: str | None = None) -> ActionAnswer:
        """Accept or decline a proposal by its id, which views list."""
        return self._write(f"/proposals/{proposal}/votes", {"accept": accept}, seat, key)

    def turns(self, seat: int | None = None) -> Iterator[View]:
        """Yield a view whenever the seat can act, until the game is over; it follows the game in between.

        Your seeds are opened once they are awaited. Turns that your plan plays are skipped. Each position is yielded
        once: if you do not act on it, the next view comes after the next event.
        """
        shown, view = 0, self.view(seat)
        with closing(self._followed({"after": view["version"], "as": seat})) as news:
            while view["game"]["status"] not in _OVER:
                if "seeds_awaited" in view["game"] and self.open_seeds():
                    pass  # the next view shows it
                elif "planned" in view:
                    shown = 0  # without its plan, a turn that was left to it comes again
                    self._wait_for_plan(view)
                elif "legal_actions" in view and view["version"] > shown:
                    shown = view["version"]
                    yield view
                else:
                    next((event for event in news if event["version"] > view["version"]), None)
                view = self.view(seat)

    def play(self, choose: Choose, seat: int | None = None) -> Outcome | None:
        """Play to the end, and return the outcome.

        `choose` gets each view with its `choices`. It can return None if the game does not wait for the seat.
        """
        for view in self.turns(seat):
            choices = self.choices(view)
            if not choices:
                continue  # the turn was played from elsewhere, by a plan for instance: the next view shows it
            action = choose(view, choices)
            if action is not None:
                with suppress(WrongMoment):  # another player was quicker: the next view shows it
                    self.act(action, view)
            elif view["viewer"]["seat"] in view["waiting_for"]:
                raise ValueError(f"nothing was chosen, but the game waits for seat {view['viewer']['seat']}")
        return self.view(seat)["game"]["outcome"]

    def _wait_for_plan(self, view: View) -> None:
        """Wait until your plan has played a turn; check again after a second, because another device can remove it."""
        query: Query = {"after": view["version"], "as": view["viewer"]["seat"], "limit": 1, "wait": 1}
        try:
            self._read("/events", query)
        except RateLimited as limited:  # too many requests wait already
            time.sleep(max(limited.after, 1.0))

    def _committed(self, seed: str) -> Mapping[str, str]:
        commitment = commitment_to(seed, self.id, self._player())
        self.connection.seeds[commitment] = seed  # before it is sent: a response can be lost, and the seat taken
        return {"seed_commitment": commitment}

    def _player(self) -> str:
        me: Me = self.connection.request("GET", "/v1/me").json()
        return me["id"]

    def _followed(self, query: Query) -> Generator[Item, None, None]:
        return Following(self.connection, f"{self._path}/events", query, "version", self._is_over).items()

    def _is_over(self) -> bool:
        return self.game()["status"] in _OVER

    def _read(self, path: str, query: Query | None = None) -> httpx.Response:
        return self.connection.request("GET", self._path + path, query=query)

    def _write(
        self,
        path: str,
        body: Mapping[str, object],
        seat: int | None,
        key: str | None,
        headers: Mapping[str, str] | None = None,
    ) -> ActionAnswer:
        answer: ActionAnswer = self.connection.request(
            "POST", self._path + path, body, query={"as": seat}, key=key or new_key(), headers=headers
        ).json()
        return answer
