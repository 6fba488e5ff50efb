"""Mails to a player."""

from typing import Any

from api_spec.world import Caller, Exchange, World

_CHOICES: dict[str, Any] = {
    "address": "ada@example.org",
    "types": ["your_turn", "deadline_near", "invited"],
    "quiet_hours": {"start": "22:00", "end": "07:00"},
    "interval": "PT30M",
}


def _set_up(world: World) -> Caller:
    """Let Ada enter an address."""
    ada = world.guest("Ada")
    ada.put("/v1/me/mail", _CHOICES)
    return ada


def set_up_mail(world: World) -> Exchange:
    """Get mails, but not at night."""
    return world.guest("Ada").put("/v1/me/mail", _CHOICES)


def show_mail(world: World) -> Exchange:
    """See that the address is confirmed."""
    ada = _set_up(world)
    world.anyone.ask("POST", world.link_in_mail(ada, "confirm"), None, {})
    return ada.get("/v1/me/mail")


def end_mail(world: World) -> Exchange:
    """Get no more mails."""
    return _set_up(world).delete("/v1/me/mail")


def show_confirmation(world: World) -> Exchange:
    """Follow the link in the mail."""
    return world.anyone.get(world.link_in_mail(_set_up(world), "confirm"))


def confirm_mail(world: World) -> Exchange:
    """Press the button."""
    return world.anyone.ask("POST", world.link_in_mail(_set_up(world), "confirm"), None, {})


def show_unsubscription(world: World) -> Exchange:
    """Follow the link at the end of a mail."""
    return world.anyone.get(world.link_in_mail(_set_up(world), "unsubscribe"))


def unsubscribe(world: World) -> Exchange:
    """End the mails without a token."""
    return world.anyone.ask("POST", world.link_in_mail(_set_up(world), "unsubscribe"), None, {})
