"""The games as games of OpenSpiel: ``load(ruleset, players)``, or after an import, ``load_game(name_of(ruleset))``.

Random numbers come from chance nodes, each of one byte, before every deal. An action is entered as the numbers of
``actions``, one after the other by the same player. ``resample_from_infostate`` redeals everything that a player does
not see, as the ``sample`` of the rules does: all worlds that are consistent with the player's view are equally likely.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import orjson
import pyspiel

from domain.draws import no_draws
from domain.registry import BUILT_IN
from domain.ruleset import AnyRuleset
from domain.serialization import Plain
from domain.table import EVERYTHING, Viewer
from workers.research.actions import numbering
from workers.research.moments import Moment, first_moment, moment_at
from workers.research.observations import observer
from workers.research.tables import Position, Table, read_options, table

_OUTCOMES = [(byte, 1 / 256) for byte in range(256)]
_STEPS = 20_000
"""The most numbers that are entered in a deal."""


def name_of(ruleset_id: str) -> str:
    return f"python_plateau_{ruleset_id.replace('-', '_')}"


def load(
    ruleset_id: str,
    players: int | None = None,
    options: Mapping[str, Plain] | None = None,
    *,
    whole_game: bool = False,
) -> "PlateauGame":
    """Load a game, by default of a single deal, for the fewest players.

    Raise ``NoSuchTable``, or ``InvalidOptions`` if the rules do not allow the options.
    """
    at = table(ruleset_id, players, options, whole_game=whole_game)
    written = ";".join(f"{name}:{quote(orjson.dumps(value))}" for name, value in sorted((options or {}).items()))
    parameters = {"players": at.seats, "options": written, "whole_game": whole_game}
    game: PlateauGame = pyspiel.load_game(name_of(ruleset_id), parameters)
    return game


class PlateauGame(pyspiel.Game):
    ruleset_id: str

    def __init__(self, parameters: Mapping[str, Any]) -> None:
        options = read_options(map(unquote, filter(None, parameters["options"].split(";"))), ":")
        at = table(self.ruleset_id, parameters["players"], options, whole_game=parameters["whole_game"])
        super().__init__(_type_of(at.ruleset, is_zero_sum=_is_zero_sum(at)), _info_of(at), dict(parameters))
        self.table = at
        self.first = first_moment(at)

    def new_initial_state(self) -> "PlateauState":
        return PlateauState(self)

    def state_at(self, position: Position) -> "PlateauState":
        """Return a state with a position of the same table, without a history."""
        return self.state_of(moment_at(position))

    def state_of(self, moment: Moment) -> "PlateauState":
        """Return a state with a moment of the same table, without a history."""
        state = PlateauState(self)
        state.moment = moment
        return state

    def make_py_observer(self, kind: Any = None, parameters: Mapping[str, Any] | None = None) -> "PlateauObserver":
        if parameters:
            raise ValueError(f"an observer has no parameters, but these were given: {', '.join(parameters)}")
        return PlateauObserver(self.table, kind or pyspiel.IIGObservationType(perfect_recall=False))


class PlateauState(pyspiel.State):
    """A state: all of it is in ``moment``, which never changes."""

    def __init__(self, game: PlateauGame) -> None:
        super().__init__(game)
        self.moment = game.first

    def current_player(self) -> int:
        if self.moment.is_drawing:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.moment.seat
        return int(pyspiel.PlayerId.TERMINAL) if seat is None else seat

    def is_terminal(self) -> bool:
        return self.moment.seat is None and not self.moment.is_drawing

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        return _OUTCOMES

    def returns(self) -> Sequence[float]:
        position = self.moment.position
        if position is None or not self.is_terminal():
            return [0.0] * self.num_players()
        return [float(score) for score in position.scores]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "PlateauState":
        """Sample a state, without a history, that is consistent with the player's view; all are equally likely.

        ``sampler`` returns numbers from 0 to 1; one of them is the seed.
        """
        return self.resampled(player, Random(sampler()))  # noqa: S311 - for searches

    def resampled(self, player: int, rng: Random) -> "PlateauState":
        game: PlateauGame = self.get_game()
        return game.state_of(self.moment.resampled(player, rng))

    def _legal_actions(self, _player: int) -> Sequence[int]:
        return self.moment.choices.numbers

    def _apply_action(self, number: int) -> None:
        self.moment = self.moment.drew(number) if self.moment.is_drawing else self.moment.after(number)

    def _action_to_string(self, player: int, number: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"byte {number}"
        return numbering(self.moment.table.ruleset.id).names[number]

    def __str__(self) -> str:
        return f"{self.moment.drawn.hex()} {self.moment.seen(EVERYTHING)}"


class PlateauObserver:
    """What a player sees, as ``string_from``, and as ``tensor``, whose parts are in ``dict``.

    A string is the whole view. An observer of public information only sees what a spectator does; one of the private
    information of all seats sees everything. These two have only strings.
    """

    def __init__(self, at: Table, kind: Any) -> None:
        self._private = kind.private_info
        self._observer = observer(at)
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if self._private == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            self.tensor = np.zeros(self._observer.size, np.float32)
            self.dict = {block.name: self._observer.part(self.tensor, block.name) for block in self._observer.blocks}

    def set_from(self, state: PlateauState, player: int) -> None:
        """Write what a player sees into the tensor; only zeros before the first deal."""
        position = state.moment.position
        if position is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = self._observer.tensor(position, player, state.moment.entered_by(player))

    def string_from(self, state: PlateauState, player: int) -> str:
        return state.moment.seen(self._viewer(player))

    def _viewer(self, player: int) -> Viewer:
        kinds = pyspiel.PrivateInfoType
        return {kinds.NONE: None, kinds.SINGLE_PLAYER: player, kinds.ALL_PLAYERS: EVERYTHING}[self._private]


def _is_zero_sum(at: Table) -> bool:
    return getattr(at.options, "scoring", "zero_sum") == "zero_sum"


def _type_of(ruleset: AnyRuleset, *, is_zero_sum: bool) -> Any:
    game_type = pyspiel.GameType
    draws = ruleset.draws is not no_draws
    return game_type(
        short_name=name_of(ruleset.id),
        long_name=f"{ruleset.name} (Python)",
        dynamics=game_type.Dynamics.SEQUENTIAL,
        chance_mode=game_type.ChanceMode.EXPLICIT_STOCHASTIC if draws else game_type.ChanceMode.DETERMINISTIC,
        information=game_type.Information.IMPERFECT_INFORMATION,
        utility=game_type.Utility.ZERO_SUM if is_zero_sum else game_type.Utility.GENERAL_SUM,
        reward_model=game_type.RewardModel.TERMINAL,
        max_num_players=ruleset.seats[-1],
        min_num_players=ruleset.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": ruleset.seats[0], "options": "", "whole_game": False},
    )


def _info_of(at: Table) -> Any:
    ruleset = at.ruleset
    deals = at.deals.most(at.options, at.whole_game)
    most = float(at.deals.most_points * deals or 1)
    return pyspiel.GameInfo(
        num_distinct_actions=numbering(ruleset.id).size,
        max_chance_outcomes=0 if ruleset.draws is no_draws else len(_OUTCOMES),
        num_players=at.seats,
        min_utility=-most,
        max_utility=most,
        utility_sum=0.0 if _is_zero_sum(at) else None,
        max_game_length=_STEPS * deals,
    )


for _ruleset in BUILT_IN:
    # A class, because the registry releases it after Python has ended, which only a class survives.
    _game = type(f"PlateauGame of {_ruleset.id}", (PlateauGame,), {"ruleset_id": _ruleset.id})
    pyspiel.register_game(_type_of(_ruleset, is_zero_sum=True), _game)
