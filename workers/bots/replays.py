"""A deal that one policy plays in every seat, from its beginning to its scores."""

from collections.abc import Mapping, Sequence
from functools import reduce
from hashlib import sha256
from typing import Any

import orjson

from domain.chance import Chance
from domain.log.chain import canonical
from domain.registry import RULESETS
from domain.ruleset import AnyRuleset, starts_of_deals
from domain.serialization import Plain, from_plain, to_plain
from domain.table import Seat
from workers.bots.policy import Asked, Policy


def replayed(policy: Policy, deal: Mapping[str, Any], seed: int, playouts: int, most_listed: int) -> Sequence[int]:
    """Return the score of each seat; empty if the deal ends without a score.

    ``deal`` has the ``ruleset``, the ``options``, the number of ``seats``, and the ``events`` of the deal so far, as
    ``[type, data]``. The seed of the n-th move, from 1 on, is the first 32 bits of SHA-256(canonical([seed, n])).
    """
    ruleset, seats = RULESETS[deal["ruleset"]], deal["seats"]
    options = from_plain(ruleset.options.shape, deal["options"])
    events: list[object] = [from_plain(ruleset.events[name], data) for name, data in deal["events"]]
    state = _settled(ruleset, reduce(ruleset.evolve, events, ruleset.setup(options, seats)), seats)
    move = 0
    while not (scores := _scores(ruleset, state)) and (waited_for := ruleset.waiting_for(state)):
        move += 1
        seat = min(waited_for)
        view = view_of(ruleset, options, seats, state, seat)
        view["legal_actions"] = listed(ruleset, ruleset.legal_actions(state, seat), most_listed)
        answer = policy(Asked(view, _seed_of(seed, move), playouts)).action
        action: object = from_plain(ruleset.actions[answer["type"]], answer)
        state = _settled(ruleset, reduce(ruleset.evolve, ruleset.decide(state, seat, action), state), seats)
    return scores[0] if scores else (0,) * seats


def _seed_of(seed: int, move: int) -> int:
    return int.from_bytes(sha256(canonical([seed, move])).digest()[:4], "big")


def _scores(ruleset: AnyRuleset, state: Any) -> Sequence[Sequence[int]]:
    return ruleset.deal_scores(state) if ruleset.deal_scores else ()


def _settled(ruleset: AnyRuleset, state: Any, seats: int) -> Any:
    """Apply what the rules force now, up to the next deal."""
    chance = Chance(bytes(32), "", (None,) * seats)
    while forced := ruleset.settle(state, chance):
        if not starts_of_deals(ruleset).isdisjoint(map(type, forced)):
            break
        state = reduce(ruleset.evolve, forced, state)
    return state


def view_of(ruleset: AnyRuleset, options: Any, seats: int, state: Any, seat: Seat) -> dict[str, Plain]:
    """Return what a seat can know, as plain data: the parts of an API view that bots read, except its actions."""
    return {
        "game": {
            "ruleset": ruleset.id,
            "options": to_plain(options),
            "seats": [{"seat": each} for each in range(seats)],
        },
        "viewer": {"seat": seat},
        "state": orjson.loads(orjson.dumps(ruleset.project(state, seat))),
    }


def listed(ruleset: AnyRuleset, legal: Sequence[Any], most: int) -> dict[str, Plain]:
    """Return legal actions in the form of a view; of more than ``most``, only the number."""
    names = {cls: name for name, cls in ruleset.actions.items()}
    actions = [{"type": names[type(each)], **to_plain(each)} for each in legal] if len(legal) <= most else None
    return {"count": len(legal), "actions": actions}
