"""Draws as the page about verification describes them, written a second time."""

import hashlib
import hmac
import json


def random_words(secret, label, game_id, seeds, number):
    """Return the 32-bit words of one draw."""
    counter = 0
    while True:
        message = json.dumps([label, game_id, seeds, number, counter], separators=(",", ":"), ensure_ascii=False)
        block = hmac.digest(secret, message.encode(), hashlib.sha256)
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")
        counter += 1


def words_of_deal(secret, label, game_id, seeds, number):
    """Return the words of a draw in a game with a secret for each deal: it is the 256th of a chain backwards."""
    message = json.dumps(["deals", game_id], separators=(",", ":"))
    of_deal = hmac.digest(secret, message.encode(), hashlib.sha256)
    for _ in range(256 - number):
        of_deal = hashlib.sha256(of_deal).digest()
    return random_words(of_deal, label, game_id, seeds, number)


def below(words, n):
    while True:
        word = next(words)
        if word < 2**32 - 2**32 % n:
            return word % n


def permuted(items, words):
    order = list(items)
    for i in reversed(range(1, len(order))):
        j = below(words, i + 1)
        order[i], order[j] = order[j], order[i]
    return order
