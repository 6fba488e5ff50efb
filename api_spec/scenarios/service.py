"""Where to begin, the rulesets, and what operators and tools ask."""

from api_spec.world import Exchange, World


def home(world: World) -> Exchange:
    """Begin."""
    return world.anyone.get("/")


def health(world: World) -> Exchange:
    """Ask whether the process runs."""
    return world.anyone.get("/healthz")


def readiness(world: World) -> Exchange:
    """Ask whether the store responds."""
    return world.anyone.get("/readyz")


def metrics(world: World) -> Exchange:
    """Read the figures."""
    return world.anyone.get("/metrics")


def openapi(world: World) -> Exchange:
    """Read the document."""
    return world.anyone.get("/openapi.json").only("openapi", "info", "servers")


def about(world: World) -> Exchange:
    """Read what the operator tells players."""
    return world.anyone.get("/about").only()


def docs(world: World) -> Exchange:
    """Read the page for people."""
    return world.anyone.get("/docs").only()


def show_signing_keys(world: World) -> Exchange:
    """Fetch the keys with which to verify receipts."""
    return world.anyone.get("/.well-known/plateau-keys.json")


def list_bots(world: World) -> Exchange:
    """List the bots."""
    return world.anyone.get("/v1/bots")


def problem(world: World) -> Exchange:
    """Read what a problem means."""
    return world.anyone.get("/v1/problems/stale")


def list_rulesets(world: World) -> Exchange:
    """List the games that can be played."""
    return world.anyone.get("/v1/rulesets")


def show_ruleset(world: World) -> Exchange:
    """Show one of them, whose schemas have no "$ref": generators would take it for one of the document."""
    return world.anyone.get("/v1/rulesets/plute")


def show_tutorial(world: World) -> Exchange:
    """Learn one of them."""
    return world.anyone.get("/v1/rulesets/plute/tutorial?lang=fr")
