"""The log of heads."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from api_spec.world import Exchange, World
from service.transparency.signatures import COSIGNATURE, public_half, signed_text


def _logged(world: World) -> str:
    """Let Ada begin three games, whose heads are logged in two steps; return the path of the last one."""
    ada = world.guest("Ada")
    path = ""
    for hours in (0, 1, 0):
        made = ada.post("/v1/games", {"ruleset": "plateau", "seats": [{"player": "me"}, {"open": True}]}).json
        path = f"/v1/games/{made['id']}"
        world.wait(hours=hours)
        world.log_heads()
    return path


def show_root(world: World) -> Exchange:
    """Read the latest signed root."""
    _logged(world)
    return world.anyone.get("/v1/heads")


def cosign_root(world: World) -> Exchange:
    """Co-sign the latest root, as a witness whom the operator has not listed."""
    _logged(world)
    root = world.anyone.get("/v1/heads").json
    key = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    text = signed_text(COSIGNATURE, {name: root[name] for name in ("at", "key_id", "root", "size")})
    signed = {"witness": public_half(key), "signature": key.sign(text).hex()}
    return world.anyone.post(f"/v1/heads/{root['size']}/signatures", signed)


def prove_consistency(world: World) -> Exchange:
    """Have it proved that the log has only grown since its first leaf."""
    _logged(world)
    return world.anyone.get("/v1/heads/consistency?from_size=1")


def list_leaves(world: World) -> Exchange:
    """Read the first leaf."""
    _logged(world)
    return world.anyone.get("/v1/heads/leaves?after=0&limit=1")


def prove_inclusion(world: World) -> Exchange:
    """Have it proved that the head of a game is in the log."""
    path = _logged(world)
    world.wait(hours=1)
    world.log_heads()
    return world.anyone.get(f"{path}/inclusion")
