"""What operators do."""

from api_spec.world import Exchange, World


def act_as_operator(world: World) -> Exchange:
    """Replace a player who has lost the token."""
    _, _, game = world.two()
    operator = world.operator("Olga")
    body = {"act": "replace", "seat": 1, "bot": "greedy", "reason": "the player has lost the token"}
    return operator.post(f"/v1/admin{game.removeprefix('/v1')}/acts", body)


def list_admin_log(world: World) -> Exchange:
    """Look at what was done."""
    _, _, game = world.two()
    operator = world.operator("Olga")
    operator.post(f"/v1/admin{game.removeprefix('/v1')}/acts", {"act": "abort", "reason": "stuck for a month"})
    return operator.get("/v1/admin/log")
