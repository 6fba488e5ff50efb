"""What a ruleset states of its draws is what it drew, and explains everything that it hides by itself."""

from domain import draws
from domain.laws.law import of_games
from domain.laws.play import Table, played
from domain.laws.texts import seen


@of_games(2)
def every_draw_can_be_made_again_from_the_revealed_secret(table: Table, seed: int) -> None:
    """Everything that a deal hides was drawn; what is public of the log states the same draws."""
    steps = played(table, seed)
    game = steps[-1].game
    redacted = seen(steps, everything=False)
    for event, public in zip(seen(steps), redacted, strict=True):
        stated = [*game.ruleset.draws(game.options, table.seats, public)]
        assert stated == [*game.ruleset.draws(game.options, table.seats, event)]
        for draw in stated:
            draws.check(game.draws.of_deal(game.secrets.deal_of(event["version"])), draw, event["data"])
        if event["type"] in game.ruleset.deals:
            drawn = {pointer for draw in stated for pointer in _shown_at(draw)}
            assert drawn.issuperset(event["sealed"])


def _shown_at(draw: draws.Draw) -> list[str]:
    if isinstance(draw, draws.DrawnNumbers):
        return [draw.to]
    return [*(packet.to for packet in draw.packets), *([draw.apart.to] if draw.apart else [])]
