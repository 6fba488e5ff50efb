"""The line of requests: who is let in, and whose turn is next."""

import random
from collections import Counter

import pytest

from service.api.http.fair_line import Client, FairLine

ADA, BOB = Client("192.0.2.1", 1), Client("192.0.2.2", 2)
THREADS, MOST = 8, 64


class Line(FairLine[tuple[Client, int]]):
    """A line, and what it has handed over that has not left."""

    def __init__(self) -> None:
        self.working: list[tuple[Client, int]] = []
        super().__init__(THREADS, MOST, self.working.append)

    def send(self, client: Client, number: int = 1) -> None:
        """Put in so many requests of a client."""
        for each in range(number):
            self.put(client, (client, each))

    def finish(self) -> tuple[Client, int]:
        """Finish what was handed over first."""
        done = self.working.pop(0)
        self.leave(done[0])
        return done


@pytest.fixture
def line() -> Line:
    return Line()


def test_a_request_is_handed_over_at_once_while_threads_are_free(line):
    line.send(ADA)
    assert line.working == [(ADA, 0)]
    assert (line.in_work, line.waiting) == (1, 0)


def test_a_token_has_a_quarter_of_the_threads_and_an_address_half_of_them(line):
    line.send(ADA, 10)
    assert len(line.working) == THREADS // 4
    for token in range(20, 30):
        line.send(Client(ADA.address, token), 10)
    assert len(line.working) == THREADS // 2
    line.send(BOB)
    assert line.working[-1] == (BOB, 0)


def test_the_requests_of_a_client_keep_their_order(line):
    line.send(ADA, 10)
    assert [line.finish()[1] for _ in range(10)] == [*range(10)]


def test_addresses_take_turns_however_many_tokens_and_requests_each_has(line):
    for token in range(50):
        line.send(Client(ADA.address, token), 20)
    for token in range(THREADS):  # all that are free for others
        line.send(Client(f"198.51.100.{token}", 9), 1)
    line.send(BOB, 5)
    while not any(client == BOB for client, _ in line.working):
        line.finish()
    assert line.waiting > 900, "Bob did not wait for what was there before"


def test_tokens_of_an_address_take_turns(line):
    line.send(ADA, 40)
    other = Client(ADA.address, 7)
    line.send(other, 1)
    done = [line.finish()[0] for _ in range(4)]
    assert other in done


def test_a_token_has_room_for_a_quarter_and_an_address_for_half(line):
    def filled(client: Client) -> int:
        number = 0
        while line.has_room(client):
            line.send(client)
            number += 1
        return number

    assert filled(ADA) == MOST // 4
    assert filled(Client(ADA.address, 7)) == MOST // 4
    assert filled(Client(ADA.address, 8)) == 0
    assert filled(BOB) == MOST // 4
    assert filled(Client(BOB.address, 7)) == MOST // 4
    assert not line.has_room(Client("192.0.2.3", 3)), "the whole line is full"
    line.finish()
    assert line.has_room(Client("192.0.2.3", 3))


def test_what_was_let_in_before_is_put_in_again_where_there_is_no_room(line):
    line.send(ADA, MOST)
    assert not line.has_room(ADA)
    assert line.waiting + line.in_work == MOST


@pytest.mark.parametrize("seed", range(20))
def test_everything_is_handed_over_once_and_then_forgotten(line, seed):
    rng = random.Random(seed)
    clients = [Client(f"192.0.2.{rng.randrange(3)}", rng.randrange(4)) for _ in range(12)]
    done: list[tuple[Client, int]] = []
    for number in range(300):
        client = rng.choice(clients)
        line.put(client, (client, number))
        if line.working and rng.random() < 0.5:
            rng.shuffle(line.working)
            done.append(line.finish())
        working = Counter(client for client, _ in line.working)
        addresses = Counter(client.address for client, _ in line.working)
        assert max(working.values(), default=0) <= THREADS // 4
        assert max(addresses.values(), default=0) <= THREADS // 2
        assert len(line.working) == line.in_work <= THREADS
    while line.working:
        done.append(line.finish())
    assert sorted(number for _, number in done) == [*range(300)]
    assert (line.waiting, line.in_work, line._waiting, line._present, line._working) == (0, 0, {}, {}, {})
