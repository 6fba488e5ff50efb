"""A short game of each ruleset, as a player creates it, whose other seats are open."""

from plateau_client import GameInput

OPEN, ME = {"open": True}, {"player": "me"}
GAMES: list[GameInput] = [
    {"ruleset": "le-plateau", "seats": [ME, OPEN], "options": {"hands": 2}},
    {"ruleset": "plateau", "seats": [ME, OPEN], "options": {"max_plies": 40}},
    {"ruleset": "french-tarot", "seats": [ME, OPEN, OPEN], "options": {"deals": 1}},
    {"ruleset": "plute", "seats": [ME, *[OPEN] * 5], "options": {"win_at": 1, "lose_at": 1, "early_stop": "claim"}},
]
