"""A client of a cluster, used like that of a single Redis: the same commands, pipelines and subscriptions.

A pipeline is sent to all nodes at once, and commands that a node does not carry out are repeated one by one. A
transaction runs on the one node that has its keys.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any, cast

import redis
from redis.client import Pipeline, PubSub
from redis.exceptions import MovedError, NoScriptError, TryAgainError

from service.common.greenlets import in_thread
from service.store.redis.availability import DiscreetPipeline
from service.store.redis.cluster import LOST, REDIRECTIONS, Cluster, Command, is_for_every_primary, slot_of
from service.store.redis.waiting_reads import WaitingReads

_Queued = tuple[tuple[Any, ...], dict[str, Any]]
"""A command, and the options with which its reply is read."""


class ClusterClient(redis.Redis):
    """The client of a whole cluster."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__()
        self.nodes = cluster
        self._readers: dict[tuple[str, str], WaitingReads] = {}

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Carry out a command where its keys are, or on every primary; return the reply, or one of the replies."""
        return in_thread(partial(self._carry_out, args, options))

    def _carry_out(self, args: Command, options: Mapping[str, Any]) -> Any:
        if is_for_every_primary(args):
            replies = [_asked(client, args, options) for client in self.nodes.primaries()]
            return replies[0]
        return self.nodes.call(slot_of(args), lambda client, asking: _asked(client, args, options, asking=asking))

    def pipeline(self, transaction: bool = True, shard_hint: str | None = None) -> Pipeline:
        """Collect commands for any nodes, or (as a transaction) for the one that has all their keys."""
        return ClusterPipeline(self, self.response_callbacks, transaction, shard_hint)

    def pubsub(self, **options: Any) -> PubSub:
        """Subscribe at any node: messages reach all of them."""
        node = random.choice(self.nodes.primaries())  # noqa: S311 - no secret
        return cast("PubSub", node.pubsub(**options))  # type: ignore[no-untyped-call]

    def scan_iter(self, *args: Any, **options: Any) -> Iterator[Any]:
        """Find keys on all primaries; raise ``ConnectionError`` if slots have moved, because keys may be missing."""
        self.nodes.look_again()
        layout = self.nodes.layout()
        for client in self.nodes.primaries():
            yield from client.scan_iter(*args, **options)
        self.nodes.look_again()
        if self.nodes.layout() != layout:
            raise redis.ConnectionError("slots of the cluster have moved while its keys were read: do it again")

    def xreadgroup(  # type: ignore[override]
        self, groupname: str, consumername: str, streams: Mapping[str, str], count: int, block: int | None = None
    ) -> list[Any]:
        """Read streams of any slots; with ``block``, wait until one of them has entries."""
        reader = self._readers.setdefault((groupname, consumername), WaitingReads(self.nodes))
        start = ("XREADGROUP", "GROUP", groupname, consumername, "COUNT", count)
        if block is None:
            reader.stop()
        replies = [*map(self.response_callbacks["XREADGROUP"], reader.ended())]
        pipe = self.pipeline(transaction=False)
        for stream, after in streams.items():
            if not reader.waits_for(stream):
                pipe.execute_command(*start, "STREAMS", stream, after)  # type: ignore[no-untyped-call]
        replies += pipe.execute()
        if block is not None and not any(replies):
            commands = {name: (*start, "BLOCK", block, "STREAMS", name, after) for name, after in streams.items()}
            replies = [*map(self.response_callbacks["XREADGROUP"], reader.wait(commands, block / 1000))]
        return [of_stream for reply in replies for of_stream in reply or ()]

    def close(self) -> None:
        """End waiting reads, and close all connections but those of threads."""
        for reader in self._readers.values():
            reader.stop()
        self.nodes.close()


class ClusterPipeline(DiscreetPipeline):
    """Commands for any nodes, in one round trip; or a transaction of one node."""

    def __init__(self, client: ClusterClient, *args: Any) -> None:
        super().__init__(client.connection_pool, *args)
        self._client = client
        self._is_atomic: bool = args[1]

    def immediate_execute_command(self, *args: Any, **options: Any) -> Any:
        """Send WATCH to the node that has its keys, and the commands up to EXEC as well."""
        return in_thread(partial(self._carry_out_at_once, *args, **options))

    def _carry_out_at_once(self, *args: Any, **options: Any) -> Any:
        carry_out: Callable[..., Any] = super().immediate_execute_command
        if self.connection is not None:
            return carry_out(*args, **options)

        def watch(client: redis.Redis, asking: bool) -> Any:
            self._go_to(client, asking=asking)
            try:
                return carry_out(*args, **options)
            except redis.RedisError:
                self._leave()
                raise

        return self._client.nodes.call(slot_of(args), watch)

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Carry out all commands; return the replies."""
        return in_thread(partial(self._execute, raise_on_error=raise_on_error))

    def _execute(self, *, raise_on_error: bool) -> list[Any]:
        if self.watching:
            return self._execute_watching(raise_on_error=raise_on_error)
        if self._is_atomic and self.command_stack:
            return self._execute_at_one_node(raise_on_error=raise_on_error)
        try:
            return self._execute_at_all_nodes(raise_on_error=raise_on_error)
        finally:
            self.reset()

    def _execute_watching(self, *, raise_on_error: bool) -> list[Any]:
        try:
            return super().execute(raise_on_error)
        except MovedError as error:
            self._client.nodes.moved(error)
            raise redis.WatchError("what was watched has moved to another node") from error

    def _execute_at_one_node(self, *, raise_on_error: bool) -> list[Any]:
        carry_out: Callable[[bool], list[Any]] = super().execute
        stack, scripts = self.command_stack, self.scripts

        def execute(client: redis.Redis, asking: bool) -> list[Any]:
            self.command_stack, self.scripts = stack, scripts
            self._go_to(client, asking=asking)
            return carry_out(raise_on_error)

        slots = (slot_of(args) for args, _ in stack)
        return self._client.nodes.call(next((slot for slot in slots if slot is not None), None), execute)

    def _go_to(self, client: redis.Redis, *, asking: bool) -> None:
        """Run the transaction on a node; a slot that is moving between two nodes has none."""
        if asking:
            raise TryAgainError("a transaction waits until the slot of its keys has moved")
        self.connection_pool = client.connection_pool
        self.connection = client.connection_pool.get_connection()

    def _leave(self) -> None:
        if self.connection is not None:
            self.connection_pool.release(self.connection)
            self.connection = None

    def _execute_at_all_nodes(self, *, raise_on_error: bool) -> list[Any]:
        stack: list[_Queued] = self.command_stack
        replies = self._spread(stack)
        for place, (args, options) in enumerate(stack):
            if isinstance(replies[place], (*REDIRECTIONS, *LOST, NoScriptError)):
                replies[place] = self._again(args, options)
        if raise_on_error:
            self.raise_first_error(stack, replies)  # type: ignore[no-untyped-call]
        return replies

    def _spread(self, stack: Sequence[_Queued]) -> list[Any]:
        """Send each command to the node that has its key, all before any reply is read; errors count as replies."""
        replies: list[Any] = [redis.ConnectionError("this was not sent")] * len(stack)
        with ExitStack() as held:
            sent = []
            for client, places in self._by_node(stack):
                with suppress(*LOST):
                    connection = client.connection_pool.get_connection()
                    held.push(partial(_give_back, client.connection_pool, connection))
                    _send(connection, [stack[place][0] for place in places])
                    sent.append((connection, places))
            for connection, places in sent:
                with suppress(*LOST):
                    for place in places:
                        replies[place] = self._reply(connection, *stack[place])
        return replies

    def _by_node(self, stack: Sequence[_Queued]) -> Iterable[tuple[redis.Redis, list[int]]]:
        """Group the places of commands by the node that has their keys, as far as it is known."""
        cluster, found = self._client.nodes, dict[redis.Redis, list[int]]()
        for place, (args, _) in enumerate(stack):
            with suppress(*LOST):
                found.setdefault(cluster.client_of(slot_of(args) or 0), []).append(place)
        return found.items()

    def _reply(self, connection: redis.Connection, args: Command, options: Mapping[str, Any]) -> Any:
        try:
            return self.parse_response(connection, args[0], **options)  # type: ignore[no-untyped-call]
        except redis.ResponseError as error:
            return error
        except LOST:
            connection.disconnect()  # type: ignore[no-untyped-call]
            raise

    def _again(self, args: Command, options: Mapping[str, Any]) -> Any:
        """Carry out a command again that probably no node has carried out; send the text of a script along."""
        name, *rest = args
        texts = {script.sha: script.script for script in self.scripts}
        if name == "EVALSHA" and rest[0] in texts:
            name, rest = "EVAL", [texts[rest[0]], *rest[1:]]
        try:
            return self._client.execute_command(name, *rest, **options)
        except redis.ResponseError as error:
            return error


def _send(connection: redis.Connection, commands: Sequence[Command]) -> None:
    try:
        connection.send_packed_command(connection.pack_commands(commands))  # type: ignore[no-untyped-call]
    except LOST:
        connection.disconnect()  # type: ignore[no-untyped-call]
        raise


def _give_back(pool: redis.ConnectionPool, connection: redis.Connection, error: object, *_: object) -> None:
    """Return a connection to its pool; after an error, drop its unread replies."""
    if error is not None:
        connection.disconnect()  # type: ignore[no-untyped-call]
    pool.release(connection)


def _asked(client: redis.Redis, args: Command, options: Mapping[str, Any], *, asking: bool = False) -> Any:
    """Carry out a command at a node; with ``asking``, for a slot that is moving to that node."""
    if not asking:
        return client.execute_command(*args, **options)  # type: ignore[no-untyped-call]
    pipe = client.pipeline(transaction=False)
    pipe.execute_command("ASKING")  # type: ignore[no-untyped-call]
    pipe.execute_command(*args, **options)  # type: ignore[no-untyped-call]
    _, reply = pipe.execute(raise_on_error=False)
    if isinstance(reply, Exception):
        raise reply
    return reply
