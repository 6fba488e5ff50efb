"""A player on a server, or a spectator, with access to games."""

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self, Unpack, cast

import httpx

from plateau_client.connection import Connection, matching, new_key
from plateau_client.following import Following
from plateau_client.seeds import commitment_to, new_seed
from plateau_client.table import Table
from plateau_client.types import (
    Bot,
    Game,
    GameAtVersion,
    GameFilters,
    GameInput,
    InvitationPreview,
    Me,
    MyGame,
    MyGameFilters,
    MyInvitation,
    NewPlayerAnswer,
    Notice,
    NoticePage,
    Player,
    PlayerChange,
    PlayerInput,
    Ruleset,
    RulesetSummary,
    SeatAnswer,
    Webhook,
    WebhookInput,
    WebhookWithSecret,
)


class Client(Connection):
    """A service, as seen by the player of the token; without a token, by a spectator.

    For operations without a method, use `request` and `items`.
    """

    def __init__(
        self, url: str, token: str | None = None, *, http: httpx.Client | None = None, retries: int = 4
    ) -> None:
        super().__init__(url, token, http=http, retries=retries)
        self._shown: dict[tuple[str, str], InvitationPreview] = {}

    @classmethod
    def guest(
        cls, url: str, name: str, *, operator: str | None = None, http: httpx.Client | None = None, retries: int = 4
    ) -> Self:
        """Create a player, or a bot with its operator. Keep the `token`: it is the only access to their games."""
        stranger = cls(url, http=http, retries=retries)
        new: PlayerInput = {"name": name} if operator is None else {"name": name, "operator": operator}
        made: NewPlayerAnswer = stranger.request("POST", "/v1/players", new).json()
        return stranger.with_token(made["token"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: type[BaseException] | BaseException | TracebackType | None) -> None:
        self.close()

    def me(self) -> Me:
        """Return your account."""
        me: Me = self.request("GET", "/v1/me").json()
        return me

    def change_me(self, change: PlayerChange) -> Me:
        """Change your name, your profile, or what others see of it; other fields stay unchanged."""
        me: Me = self.request("PATCH", "/v1/me", change).json()
        return me

    def rulesets(self) -> Iterator[RulesetSummary]:
        """List the rulesets of the service."""
        return self.items("/v1/rulesets")

    def ruleset(self, ruleset: str) -> Ruleset:
        """Return a ruleset in full: rules, options, actions, bots."""
        shown: Ruleset = self.request("GET", f"/v1/rulesets/{ruleset}").json()
        return shown

    def bots(self) -> Iterator[Bot]:
        """List the bots, and what they play."""
        return self.items("/v1/bots")

    def player(self, player_id: str) -> Player:
        """Return the public data of a player."""
        player: Player = self.request("GET", f"/v1/players/{player_id}").json()
        return player

    def games(self, **filters: Unpack[GameFilters]) -> Iterator[Game]:
        """List public games, newest first; the filters are those of the interface."""
        return self.items("/v1/games", **filters)

    def my_games(self, **filters: Unpack[MyGameFilters]) -> Iterator[MyGame]:
        """List your games, newest first; with `to_act`, those in which it is your turn, the most urgent first."""
        return self.items("/v1/me/games", **filters)

    def my_events(self, after: str | None = None, types: Iterable[str] = ()) -> Iterator[Notice]:
        """List the notices of all your games after the id of an event, so far.

        With `types`, list only events of these types, such as `["your_turn"]`.
        """
        wanted = ",".join(types) or None
        while True:
            query = {"after": after, "types": wanted, "limit": 1000}
            page: NoticePage = self.request("GET", "/v1/me/events", query=query).json()
            yield from page["events"]
            after = page["next"]
            if after is None:
                return

    def follow(self, after: str | None = None, types: Iterable[str] = ()) -> Iterator[Notice]:
        """Yield the same, and then new notices as they happen, without end."""
        query = {"after": after, "types": ",".join(types) or None}
        following = Following(self, "/v1/me/events", query, "id", lambda: False)
        return cast("Iterator[Notice]", following.items())

    def webhooks(self) -> Iterator[Webhook]:
        """List your webhooks."""
        return self.items("/v1/webhooks")

    def add_webhook(self, new: WebhookInput) -> WebhookWithSecret:
        """Have your notices sent to your address. The `secret` checks their signatures; it is shown only here."""
        made: WebhookWithSecret = self.request("POST", "/v1/webhooks", new).json()
        return made

    def remove_webhook(self, webhook: str) -> None:
        """Remove a webhook by its id."""
        self.request("DELETE", f"/v1/webhooks/{webhook}")

    def create(self, new: GameInput, *, key: str | None = None) -> Table:
        """Create a game. Creating it again with the same key, even from another process, returns the same game."""
        made: GameAtVersion = self.request("POST", "/v1/games", new, key=key or new_key()).json()
        return self.table(made["id"])

    def invitations(self) -> Iterator[MyInvitation]:
        """List your open invitations. To accept one, `join` its game."""
        return self.items("/v1/me/invitations")

    def invitation(self, link: str) -> InvitationPreview:
        """Return the target of a link: the game, the seat, and the inviting player."""
        preview: InvitationPreview = self.request("GET", _invitation_at(link)).json()
        return preview

    def accept(
        self,
        link: str,
        *,
        name: str | None = None,
        client_seed: str | None = None,
        committed: bool = False,
        head: str | None = None,
    ) -> Table:
        """Take the seat that a link opens.

        A spectator needs a `name`, becomes a guest, and gets a token: that of the table's connection. A `client_seed`
        counts only for the `head` that the link shows, as in `join`. With the same seed, a second call sends the same
        request: the server knows a seed that was sent, so it must not be bound to another head. Players with a token
        can be `committed`, as in `join`.
        """
        seed = client_seed or (new_seed() if committed else None)
        brought = {"client_seed": seed}
        if seed is not None and (committed or head is None):
            shown = self._shown_for(link, seed)
            head = head or shown["head"]
            if committed:
                commitment = commitment_to(seed, shown["game"]["id"], self.me()["id"])
                self.seeds[commitment] = seed  # before it is sent: a response can be lost, and the seat taken
                brought = {"seed_commitment": commitment}
        body = {field: value for field, value in {"name": name, **brought}.items() if value is not None}
        key = new_key() if self.token else None  # safe to repeat: a player gets the same seat again
        path = f"{_invitation_at(link)}/seat"
        seat: SeatAnswer = self.request("POST", path, body, key=key, headers=matching(head)).json()
        return Table(self.with_token(seat["token"]) if seat["token"] else self, seat["game_id"])

    def _shown_for(self, link: str, seed: str) -> InvitationPreview:
        """Return what the link shows when the seed is first sent: the seed is bound to that head."""
        place = (_invitation_at(link), seed)
        if place not in self._shown:
            self._shown[place] = self.invitation(link)
        return self._shown[place]

    def table(self, game_id: str) -> Table:
        """Return the table of a game, without a request."""
        return Table(self, game_id)


def _invitation_at(link: str) -> str:
    """Return the path of an invitation: a link can be a whole address, a path, or only the secret."""
    return f"/v1/invitations/{link.rpartition('/')[2]}"
