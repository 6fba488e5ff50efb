"""Another world that looks the same to a viewer, all that the viewer can ask, and what an answer discloses."""

import json
from dataclasses import replace

from domain.events import EVENTS
from domain.laws.mutations import changed, same_meaning
from domain.log.record import Writer
from service.games.projections.naming import nameplates
from service.games.projections.representations import action_data
from tests.domain.laws.facts import facts_of
from tests.support.live import NDJSON, SSE, frames_in
from tests.support.one_file import BLOCK, blocks_in
from tests.support.random_games import played
from tests.support.sampling import GAMES

STRANGE = [b"{", b"[]", b'{"type": "play"}', b'{"type": "play", "card": "XX"}', b'{"type": "fly"}', b'{"type": 1}',
           b'{"type": "pass", "more": 1}', b'{"type": "pass", "type": "pass"}']  # fmt: skip


def named(game, events):
    """Pair events with their names in the log."""
    names = {cls: name for name, cls in {**EVENTS, **game.ruleset.events}.items()}
    return [(names[type(event)], event) for event in events]


def in_another_world(ruleset_id, steps, state):
    """Write the steps again, as they went in the world of a state: another current hand, and the same ones before."""
    facts = facts_of(ruleset_id)
    start = max(i for i, step in enumerate(steps) if any(facts.is_deal(event) for event in step.events))
    told = facts.redealt([event for step in steps[start:] for event in step.events], state)
    before, secrets = steps[start].before, steps[-1].game.secrets
    writer, rewritten, taken = Writer(secrets, before.version, before.head), list(steps[:start]), 0
    for step in steps[start:]:
        events = told[taken : taken + len(step.events)]
        taken += len(events)
        records = writer.write(named(before, events), step.records[0].at, step.records[0].request)
        writer = Writer(secrets, records[-1].version, records[-1].hash)
        rewritten.append(replace(step, events=tuple(events), records=tuple(records)))
    return rewritten


def masked(value, key=""):
    """Blank the values, never the keys or lengths, of what differs between worlds."""
    hashes = ("hash", "head", "instance", "key_id", "signature", "root", "public_key", "from")
    if key in hashes and isinstance(value, str):
        return len(value)
    if key == "proof":
        return [len(part) for part in value]
    if key in ("sealed", "salts"):
        return {pointer: len(text) for pointer, text in value.items()}
    if isinstance(value, dict):
        return [(name, masked(item, name)) for name, item in value.items()]
    if isinstance(value, list):
        return [masked(item) for item in value]
    return value


def told(answer):
    """Return everything that a response discloses."""
    headers = [(name, value) for name, value in answer.headers if name not in ("X-Request-Id", "Date")]
    headers = [(name, masked(json.loads(value)) if name == "Plateau-Receipt" else value) for name, value in headers]
    body = masked(json.loads(answer.data)) if answer.is_json else answer.text
    if answer.mimetype in (SSE, NDJSON):
        frames = frames_in(answer.mimetype, answer.data)
        body = [(frame.name, frame.id, len(frame.data), masked(json.loads(frame.data))) for frame in frames]
        assert body
    if answer.mimetype == "application/jsonl":
        body = [masked(json.loads(line)) for line in answer.text.splitlines()]
    if answer.mimetype == "text/html" and BLOCK.search(answer.text):
        return answer.status_code, in_a_file(answer.text)
    return answer.status_code, headers, len(answer.data), body


def in_a_file(page):
    """Return every byte of a file but those of the log, which is compared as it is on its own: hashes differ."""
    logs = [block[0] for block in BLOCK.finditer(page) if block[1] == "audit"]
    assert len(logs) == 1
    return page.replace(logs[0], ""), masked(blocks_in(page)["audit"])


ALL_MOMENTS, ONE_MOMENT = slice(None), slice(1, 2)


def moments(ruleset_id, seats, rng, chosen=ALL_MOMENTS if GAMES >= 1 else ONE_MOMENT):
    """Choose moments of some games, each before another type of action; the longest phase comes twice.

    ``make long`` looks at all five, ``make test`` at one, where each costs much.
    """
    found = {}
    for seed in range(4):
        steps = played(ruleset_id, seats, seed)
        for index, step in enumerate(steps):
            if step.action is not None:
                found.setdefault(type(step.action).__name__, []).append(steps[:index])
    longest = max(found, key=lambda kind: len(found[kind]))
    kinds = (longest, longest, *rng.sample(sorted(found), 3))
    return [rng.choice(found[kind]) for kind in kinds[chosen]]


def questions(game, viewer, rng, elsewhere):
    """List the requests that a viewer can send: (method, path, body, headers)."""
    path, version = f"/v1/games/{game.id}", game.version
    no_names = nameplates(game, lambda _players: {})  # players exist in the log only
    yield from (("GET", path + ask, None, {}) for ask in ("", "/view", "/view?as=spectator", "/events?limit=1000"))
    yield "GET", f"{path}/view?with=scene&lang=en", None, {}
    yield from (("GET", f"{path}/view?at={at}", None, {}) for at in rng.sample(range(1, version + 1), 3))
    yield from (
        ("GET", f"{path}/{what}{ask}", None, {})
        for what in ("board.svg", "scene")
        for ask in ("", "?as=spectator", f"?at={version - 1}", "?knowledge=full")
    )
    yield from (("GET", f"{path}/{ask}", None, {}) for ask in ("view?as=0", f"view?as=1&at={version}", "events?as=2"))
    yield "GET", f"{path}/events?after={version - 5}&limit=3", None, {}
    yield "GET", f"{path}/events?lang=en&limit=1000", None, {}
    yield "GET", f"{path}/events?since=my-last-move", None, {}
    for form in (SSE, NDJSON):
        yield "GET", f"{path}/events?with=view&after={rng.randint(0, version)}", None, {"Accept": form}
    yield "GET", f"{path}/phrases", None, {}
    yield "GET", f"{path}/events?phrases=0&after={version - 1}", None, {"Accept": NDJSON}
    yield "GET", f"{path}/export?format=text", None, {}
    yield "GET", f"{path}/export?format=audit", None, {}
    yield "GET", f"{path}/export?format=bundle", None, {}
    if rng.random() < GAMES:  # it takes long to make
        yield "GET", f"{path}/export?format=html&lang=fr", None, {}
    yield "GET", f"{path}/view", None, {"If-None-Match": f'"{version}-{no_names.digest}"'}
    yield "GET", f"{path}/events", None, {"If-None-Match": f'"{version}"'}
    yield "GET", "/v1/games", None, {}
    yield "GET", "/v1/games?status=active&limit=1", None, {}
    yield "GET", f"{path}/legal-actions", None, {}
    if viewer is None:
        yield "POST", f"{path}/actions", {"type": "pass"}, {}
        yield "POST", f"{path}/seats", {}, {}
        return
    act = f"{path}/actions"
    listed = list(game.ruleset.legal_actions(game.state, viewer))
    facts = facts_of(game.ruleset.id)
    near = [other for action in rng.sample(listed, min(3, len(listed))) for other in changed(action, facts)]
    tried = [*rng.sample(near, min(8, len(near))), *rng.sample(elsewhere, 4)]
    for action in rng.sample(listed, min(5, len(listed))):
        yield "POST", f"{act}?dry_run=true", action_data(game.ruleset, action), {}
    meanings = {same_meaning(action, facts) for action in listed}
    for action in tried:
        yield "POST", f"{act}?dry_run=true", action_data(game.ruleset, action), {}
        if same_meaning(action, facts) not in meanings:
            yield "POST", act, action_data(game.ruleset, action), {"Idempotency-Key": "k"}
    yield from (("POST", act, body, {}) for body in STRANGE)
    yield from (
        ("POST", f"{act}?as={seat}", {"type": "pass"}, {}) for seat in range(len(game.sitters)) if seat != viewer
    )
    for planned in rng.sample([*listed, *near], min(4, len(listed))):
        steps = [{"action": action_data(game.ruleset, each)} for each in (*tried[-4:], planned)]
        yield "PUT", f"{path}/plan", {"steps": steps, "forced": True}, {}
        yield "GET", f"{path}/view", None, {}
    yield "DELETE", f"{path}/plan", None, {}
    yield "POST", act, {"type": "pass"}, {"If-Match": '"1"'}
    yield "POST", act, {"type": "pass", "decision_id": "d1_0"}, {}
    yield "POST", f"{path}/seats", {"seat": 0}, {}
    yield "DELETE", f"{path}/seats/{viewer}", None, {}


def empty(server):
    server.redis.flushall()
    server.forget_games()


def viewers(game, number):
    """Choose who looks at a moment: one who is to act, another seat in turn, and a spectator."""
    first = min(game.pending)
    return [*sorted({first, (first + 1 + number) % len(game.sitters)}), None]
