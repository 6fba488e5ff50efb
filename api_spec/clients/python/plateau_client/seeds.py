"""Seeds that players commit to when they join, and open once every seat is taken."""

import hashlib
import json
import secrets


def new_seed() -> str:
    """Draw a seed that nobody can guess from its commitment."""
    return secrets.token_hex(16)


def commitment_to(seed: str, game_id: str, player: str) -> str:
    """Return a player's commitment to a seed for a game: a SHA-256, in hex."""
    text = json.dumps(["seed", game_id, player, seed], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
