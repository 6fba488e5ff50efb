"""Nameplates: names of players who sit together, told apart where they look alike, and a digest that follows them."""

from dataclasses import replace

import orjson
import pytest

from domain.game.parts import Sitter
from service.accounts.players import Person
from service.games.projections.naming import CAST, named_list, nameplates, put_names
from tests.support.random_games import played

GAME = played("le-plateau", 3, 0)[-1].game
FIRST, SECOND, THIRD = (sitter.player for sitter in GAME.sitters)


def plates(*names: str):
    """Make the nameplates of the game's three players."""
    known = {player: Person(name) for player, name in zip((FIRST, SECOND, THIRD), names, strict=False) if name}
    return nameplates(GAME, lambda players: {each: known[each] for each in players if each in known})


@pytest.mark.parametrize(
    ("names", "tagged"),
    [
        (("Ada", "Ben", "Cleo"), set()),
        (("Ada", "Ada", "Cleo"), {FIRST, SECOND}),
        (("Ada", "Ben", "АDА"), {FIRST, THIRD}),
        (("mary", "rnary", "Mary"), {FIRST, SECOND, THIRD}),
        (("Ada", "", ""), set()),
        ((), set()),
    ],
)
def test_only_players_whose_names_look_alike_have_tags_and_each_has_another(names: tuple[str, ...], tagged: set[str]):
    tags = plates(*names).tags
    assert tags.keys() == tagged
    assert len(set(tags.values())) == len(tagged)
    assert all(len(tag) >= 4 for tag in tags.values())


def test_a_tag_belongs_to_its_player_at_every_table():
    assert plates("Ada", "Ada", "Cleo").tags[FIRST] == plates("Bob", "Ben", "Bob").tags[FIRST]


def test_the_digest_changes_with_any_name_and_only_then():
    assert plates("Ada", "Ben").digest == plates("Ada", "Ben").digest
    digests = {
        plates(*names).digest for names in (("Ada", "Ben"), ("Ben", "Ada"), ("Ada", "Ben", "Cleo"), ("Ada",), ())
    }
    assert len(digests) == 5
    assert all(len(digest) == 8 for digest in digests)


def test_a_picture_gets_the_beginning_of_a_long_name_and_always_the_tag():
    labels = plates("Ada", "Constantinople the First", "Constantinople the First").labels()
    tags = plates("Ada", "Constantinople the First", "Constantinople the First").tags
    assert labels[FIRST] == "Ada"
    assert labels[SECOND] == f"Constant… {tags[SECOND]}"
    assert labels[THIRD] == f"Constant… {tags[THIRD]}"
    assert plates("x" * 14).labels() == {FIRST: "x" * 14}
    assert plates("x" * 15).labels() == {FIRST: "x" * 13 + "…"}


def test_names_that_are_cut_to_the_same_beginning_are_drawn_with_tags():
    alike = plates("Alexander the Great", "Alexander the Grim", "Ada")
    assert alike.tags == {}
    labels = alike.labels()
    assert labels[THIRD] == "Ada"
    assert labels[FIRST] != labels[SECOND]
    assert labels[FIRST].startswith("Alexande… ")
    assert labels[SECOND].startswith("Alexande… ")


def test_a_name_that_looks_like_another_with_its_tag_has_a_tag_itself():
    tag = plates("Ada", "Ada", "Cleo").tags[FIRST]
    named = plates("Ada", "Ada", f"ADA {tag}")
    assert named.tags.keys() == {FIRST, SECOND, THIRD}
    assert named.labels()[THIRD] == f"ADA {tag} {named.tags[THIRD]}"


def test_a_name_that_looks_like_another_with_its_tag_is_drawn_with_a_tag():
    label = plates("x" * 15, "x" * 15).labels()[FIRST]
    assert len(set(plates("x" * 15, "x" * 15, label).labels().values())) == 3


@pytest.mark.parametrize("name", ["You (Ada)", "Ada (you)", "you (АDА)"])
def test_a_name_that_looks_like_anothers_drawn_name_is_drawn_with_a_tag(name: str):
    assert plates("Ada", name).labels()[SECOND] != name


def test_a_name_that_looks_like_a_seat_without_one_is_drawn_with_a_tag():
    assert plates("Player 1").labels()[FIRST] != "Player 1"
    assert plates("Player 1").tags == {}
    assert plates("Player 12").labels()[FIRST] != "Player 12"
    assert plates("Player 13").labels()[FIRST] == "Player 13"


def test_names_are_put_beside_every_id_of_a_game_and_of_a_list_and_looked_up_once():
    def kept(creator: str, *players: str | None) -> bytes:
        seats = [
            {"seat": seat, "player": player, "bot": None if player else "random"} for seat, player in enumerate(players)
        ]
        return orjson.dumps({"id": f"gm_{creator}", "creator": creator, "clock": None, "seats": seats})

    asked = []

    def look_up(players):
        asked.append(set(players))
        return {"pl_a": Person("Ada", "otter"), "pl_b": Person("Ben"), "pl_c": Person("ada")}

    games = [kept("pl_a", "pl_b", None), kept("pl_gone", "pl_c", "pl_a", "pl_gone")]
    listed = [orjson.loads(game) for game in named_list(games, look_up)]
    assert asked == [{"pl_a", "pl_b", "pl_c", "pl_gone"}]
    assert [game["creator_name"] for game in listed] == ["Ada", None]
    assert [game["creator_tag"] for game in listed] == [None, None]
    bot, *_ = (each for each in CAST if each.name == listed[0]["seats"][1]["name"])
    assert [[seat["name"] for seat in game["seats"]] for game in listed] == [["Ben", bot.name], ["ada", "Ada", None]]
    portraits = [[seat["portrait"] for seat in game["seats"]] for game in listed]
    assert portraits == [[None, bot.portrait], [None, "otter", None]]
    assert [[bool(seat["tag"]) for seat in game["seats"]] for game in listed] == [[False] * 2, [True, True, False]]


def test_names_are_put_into_a_view_which_has_no_creator():
    shown = {"seats": [{"seat": 0, "player": FIRST, "bot": None}]}
    put_names(shown, plates("Ada"))
    assert shown == {"seats": [{"seat": 0, "player": FIRST, "bot": None, "name": "Ada", "tag": None, "portrait": None}]}


def test_bots_are_drawn_from_the_cast_for_each_game_and_only_a_player_who_looks_like_one_has_a_tag():
    sitters = tuple(Sitter(None, None, bot="random") for _ in range(len(CAST) + 2))
    games = [replace(GAME, id=f"gm_{number}", sitters=(GAME.sitters[0], *sitters)) for number in range(40)]
    drawn = [[*nameplates(game, lambda _: {}).bots.values()] for game in games]
    assert all(len({each.name for each in bots}) == len(sitters) for bots in drawn)
    assert {bots[0] for bots in drawn} == {*CAST}
    taken = drawn[0][3].name
    named = nameplates(games[0], lambda _: {FIRST: Person(taken.upper())})
    assert named.tags.keys() == {FIRST}
    assert list(named.in_sentences().values()).count(taken) == list(named.labels().values()).count(taken) == 1
