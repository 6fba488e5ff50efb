"""The ceiling to compare with: a bare Flask route that parses the body and appends one event of the same size."""

import os

import orjson
import redis
from flask import Flask, Response, request

EVENT = b"x" * int(os.environ["BENCH_EVENT_BYTES"])

app = Flask(__name__)
_redis = redis.Redis.from_url(os.environ["REDIS_URL"], max_connections=1024)


@app.post("/v1/games/<game_id>/actions")
def act(game_id: str) -> Response:
    """Append one event to a game's stream, and respond with as little as possible."""
    orjson.loads(request.get_data())
    _redis.xadd(f"bench:{game_id}", {"e": EVENT})
    return Response(b'{"ok":true}', status=201, content_type="application/json")
