"""Play a whole game of each ruleset at random, by means of the package that openapi-python-client writes."""

import random
import sys

from made_client import AuthenticatedClient, Client
from made_client import models as m
from made_client.api.games import create_game
from made_client.api.play import act, list_events, list_legal_actions, show_view
from made_client.api.players import create_player
from made_client.types import Unset

GAMES = (m.LePlateauGameAtVersion, m.PlateauGameAtVersion, m.FrenchTarotGameAtVersion, m.PluteGameAtVersion)
VIEWS = (m.LePlateauView, m.PlateauView, m.FrenchTarotView, m.PluteView)
ANSWERS = (m.LePlateauActionAnswer, m.PlateauActionAnswer, m.FrenchTarotActionAnswer, m.PluteActionAnswer)
PAGES = (m.LePlateauLegalActions, m.PlateauLegalActions, m.FrenchTarotLegalActions, m.PluteLegalActions)
ME = m.SeatForMe(player="me")
WISHES = (
    m.LePlateauGameInput("le-plateau", [ME] * 2, sandbox=True, options=m.LePlateauOptionsInput(hands=2)),
    m.PlateauGameInput("plateau", [ME] * 2, sandbox=True, options=m.PlateauOptionsInput(max_plies=60)),
    m.FrenchTarotGameInput("french-tarot", [ME] * 4, sandbox=True, options=m.FrenchTarotOptionsInput(deals=1)),
    m.PluteGameInput("plute", [ME] * 6, sandbox=True, options=m.PluteOptionsInput(win_at=1, lose_at=1)),
)


def took_a_turn(client: AuthenticatedClient, game_id: str, rng: random.Random) -> bool:
    """Act at random for the seat whose turn it is; return False if the game is over."""
    view = show_view.sync(game_id, client=client)
    assert isinstance(view, VIEWS), view
    if isinstance(view.legal_actions, Unset):
        assert view.game.status is m.GameStatus.FINISHED
        return False
    legal = view.legal_actions.actions
    if legal is None:
        page = list_legal_actions.sync(game_id, client=client, limit=20)
        assert isinstance(page, PAGES), page
        legal = page.actions
    done = act.sync(game_id, client=client, body=rng.choice(legal), if_match=f'"{view.version}"')
    assert isinstance(done, ANSWERS), done
    return True


def main(url: str) -> None:
    """Play the games one after the other, and print how many turns each took."""
    ada = create_player.sync(client=Client(url), body=m.PlayerInput("Ada"))
    assert isinstance(ada, m.NewPlayerAnswer)
    with AuthenticatedClient(url, ada.token) as client:
        for wish in WISHES:
            game = create_game.sync(client=client, body=wish)
            assert isinstance(game, GAMES), game
            turns, rng = 0, random.Random(1)
            while took_a_turn(client, game.id, rng):
                turns += 1
            log = list_events.sync(game.id, client=client, limit=1000)
            if isinstance(log, m.FrenchTarotEventPage):
                print([event.data.winner for event in log.events if isinstance(event, m.FrenchTarotTrickWonEvent)])
            print(wish.ruleset, game.id, turns)


main(sys.argv[1])
