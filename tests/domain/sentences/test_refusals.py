"""Every refusal in the code has words for exactly its parameters, and every text of a refusal is used.

Anyone who reads a sentence counts seats from 1, and a seat has one name in each language.
"""

import ast
import re
from pathlib import Path

import pytest

from domain.errors import IllegalAction, InvalidOptions, Refusals, WrongMoment, wrong_moment
from domain.game import aggregate, seating, take_backs
from domain.le_plateau import RULESET
from domain.le_plateau.actions import Pass
from domain.registry import BUILT_IN, RULESETS
from domain.sentences.catalogue import SHARED, catalogue, languages
from domain.sentences.message import Card, Message
from domain.sentences.pattern import parameters
from tests.domain.sentences.messages import entries

DOMAIN = Path(__file__).parents[3] / "domain"
MAKERS = ("_refuse", "Refusals")
KINDS = {"message": "", "wrong_moment": "moment.", "refusal": "refusal."}


def refusals_in(folder):
    """List the refusals in the modules of a folder: their ids, and the names of their parameters where these stand."""
    for module in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if isinstance(node, ast.Call) and maker_of(node.func) in MAKERS and is_literal(node.args):
                names = {keyword.arg for keyword in node.keywords}
                yield ast.literal_eval(node.args[0]), None if None in names else names, module.name


def is_literal(args):
    return len(args) == 2 and isinstance(args[0], ast.Constant)


def maker_of(function):
    inner = function.func if isinstance(function, ast.Call) else function
    return getattr(inner, "id", None)


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=repr)
def test_every_refusal_has_words_for_exactly_its_parameters(ruleset):
    patterns = catalogue(ruleset.package).patterns
    for message_id, names, module in refusals_in(DOMAIN / ruleset.package.removeprefix("domain.")):
        assert f"refused.{message_id}" in patterns, f"no words for {message_id} in {module}"
        if names is not None:
            assert names == parameters(patterns[f"refused.{message_id}"]), f"{message_id} in {module}"


@pytest.mark.parametrize("package", [SHARED, *(ruleset.package for ruleset in BUILT_IN)])
def test_every_text_of_a_refusal_is_used(package):
    shared = set(catalogue(SHARED).patterns)
    folder = DOMAIN if package == SHARED else DOMAIN / package.removeprefix("domain.")
    worded = {each for each in catalogue(package).patterns if each.startswith("refused.")}
    code = "".join(module.read_text("utf-8") for module in folder.glob("*.py"))
    own = worded - (set() if package == SHARED else shared)
    assert not {each for each in own if f'"{each.removeprefix("refused.")}"' not in code}


def test_a_refusal_is_said_in_each_language():
    refusal = Refusals("domain.plute")("card-not-held", "5. Play", card=Card("KS"))
    assert (refusal.code, str(refusal)) == ("card-not-held", "you do not hold the king of spades")
    assert [refusal.in_words(language) for language in languages()] == [
        "you do not hold the king of spades",
        "vous n’avez pas le roi de pique",
        "スペードのキングは手札にありません",
    ]


def test_an_outside_ruleset_can_refuse_in_a_text_of_its_own():
    refusal = IllegalAction("bid-too-low", "a bid must name more dice", "2")
    assert {refusal.in_words(language) for language in languages()} == {str(refusal)} == {"a bid must name more dice"}


def messages_in(folder, prefixes):
    """List the literal messages in the modules of a folder and below: their ids, parameters and modules."""
    for module in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            name = getattr(node.func, "id", None) if isinstance(node, ast.Call) else None
            if name in KINDS and node.args and isinstance(node.args[0], ast.Constant):
                message_id = KINDS[name] + node.args[0].value
                names = {keyword.arg for keyword in node.keywords}
                if message_id.startswith(prefixes) and None not in names:
                    yield message_id, names, package_of(module)


def package_of(module):
    """Return the package that has the words of a module."""
    top, within = module.relative_to(DOMAIN.parent).parts[:2]
    own = f"{top}.{within}"
    return "service" if top == "service" else own if own in {each.package for each in BUILT_IN} else SHARED


@pytest.mark.parametrize("folder", ["domain", "service"])
def test_every_fault_and_wrong_moment_has_words_for_exactly_its_parameters(folder):
    found = list(messages_in(DOMAIN.parent / folder, ("fault.", "moment.", "note.", "refusal.")))
    assert len(found) > 10
    for message_id, names, package in found:
        patterns = catalogue(package).patterns
        assert message_id in patterns, f"no words for {message_id} in {package}"
        assert names == parameters(patterns[message_id]), message_id


@pytest.mark.parametrize("package", [SHARED, "service", *(ruleset.package for ruleset in BUILT_IN)])
def test_every_text_of_a_fault_is_used(package):
    folder = DOMAIN.parent / package.replace(".", "/") if package != SHARED else DOMAIN
    code = "".join(module.read_text("utf-8") for module in folder.rglob("*.py"))
    own = set(catalogue(package).patterns) - (set() if package == SHARED else set(catalogue(SHARED).patterns))
    for message_id in own:
        kind, _, rest = message_id.partition(".")
        if kind in ("fault", "moment", "note", "refusal"):
            written = {f'"{rest}"', f'"{message_id}"', f'"{rest.rpartition(".")[2]}"'}
            assert any(each in code for each in written), message_id


def test_a_wrong_moment_and_a_rejected_option_are_said_in_each_language():
    moment = wrong_moment("game-not-active", status=Message("status.paused"))
    assert (moment.code, str(moment)) == ("game-not-active", "the game is paused, so no action is possible")
    assert [moment.in_words(language) for language in languages()[1:]] == [
        "la partie est en pause\u00a0; personne ne peut jouer",
        "ゲームは中断中です。今は誰も行動できません",
    ]
    with pytest.raises(InvalidOptions) as rejected:
        RULESETS["french-tarot"].options.complete({"five_player_mode": "call_king"}, 4)
    assert [rejected.value.in_words(language) for language in languages()] == [
        'five_player_mode: "call_king" is not possible with 4 players; this option is for 5 players; leave it out',
        'five_player_mode\u00a0: "call_king" n’est pas possible à 4 joueurs\u00a0; '
        "cette option est pour 5 joueurs\u00a0; omettez-la",
        'five_player_mode："call_king"は4人では選べません。このオプションは5人用です。省略してください',
    ]


@pytest.mark.parametrize("ruleset", BUILT_IN, ids=repr)
def test_every_note_of_an_option_is_said_in_each_language(ruleset):
    for seats in ruleset.seats:
        for option, choice in ruleset.options.choices(seats).items():
            notes = {ruleset.options.note(choice, language) for language in languages()}
            assert len(notes) == (len(languages()) if choice.note else 1), option


SECRET = bytes(range(32))


def table(*sitters, **options):
    chosen = RULESET.options.complete(options, len(sitters))
    return seating.create(
        seating.NewGame("gm_1", RULESET, chosen, visibility="public", sandbox=False, creator="pl_a", sitters=sitters),
        SECRET,
    )[1]


ACTIVE = table("pl_a", "pl_b", "pl_c", first_dealer=2)
REFUSED = {
    "not the turn": (lambda: aggregate.act(ACTIVE, 1, Pass()), ["player 2", "player 1"]),
    "seated already": (lambda: seating.join(table("pl_a", "pl_b", None), "pl_b", None, None), ["player 2"]),
    "another's seat": (lambda: seating.leave(table("pl_a", "pl_b", None), "pl_a", 1), ["player 2"]),
    "a seat that is taken": (lambda: seating.put_bot(table("pl_a", "pl_b", None), "pl_a", 1, "random"), ["player 2"]),
    "nothing to take back": (lambda: take_backs.target(aggregate.act(ACTIVE, 0, Pass())[1], 1, None), ["player 2"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_count_seats_as_sentences_and_pictures_do(case):
    call, seats = REFUSED[case]
    with pytest.raises(WrongMoment) as refused:
        call()
    assert re.findall(r"player \d", str(refused.value)) == seats
    for language, word in (("fr", "joueur "), ("ja", "プレイヤー")):
        found = re.findall(word + r"(\d)", refused.value.in_words(language), re.IGNORECASE)
        assert found == [seat[-1] for seat in seats]


def test_a_seat_has_one_name_in_french():
    """A player without a name is “Joueur 2”, so nothing calls the same seat “place 2”."""
    assert not [
        message_id for message_id, text in entries("fr") if re.search(r"place (\{seat\}|\d)", text, re.IGNORECASE)
    ]
