"""What happened reads as a sentence to every viewer, and says nothing that the viewer's log does not show.

What a seat can do reads as a phrase that no other of its actions has.
"""

import random
from collections.abc import Iterator, Sequence

from domain.laws.facts import strings_in
from domain.laws.law import Check, Law, of_a_ruleset, some
from domain.laws.moments import of_every_kind
from domain.laws.play import Table, log_of, played
from domain.log.record import Shown, visible
from domain.ruleset import AnyRuleset
from domain.sentences import pattern
from domain.sentences.catalogue import ORIGINAL, WITHOUT_CAPITALS, Catalogue, lacking, languages, speaks
from domain.sentences.message import Card, Items, Message, Parameter
from domain.serialization import Plain, to_plain
from domain.texts import form
from domain.texts.sentences import tell, tell_action, words


def check_worded(known: Catalogue, message: Message) -> None:
    """Fail unless a catalogue has a message, and each in it, with exactly its parameters."""
    for each in messages(message):
        assert each.id in known, f"no words for {each.id}"
        words = known.saying(each.id).patterns[each.id]
        assert pattern.parameters(words) == {*each.parameters}, f"other parameters in {each.id}"


def messages(parameter: Parameter) -> Iterator[Message]:
    """List a message and those within it."""
    if isinstance(parameter, Message):
        yield parameter
    for inner in _inside(parameter):
        yield from messages(inner)


def cards_named(parameter: Parameter) -> Iterator[str]:
    """List the cards that a message names."""
    if isinstance(parameter, Card):
        yield parameter.value
    for inner in _inside(parameter):
        yield from cards_named(inner)


def _inside(parameter: Parameter) -> tuple[Parameter, ...]:
    match parameter:
        case Message(_, parameters):
            return tuple(parameters.values())
        case Items(items):
            return items
        case _:
            return ()


def _has_words(ruleset: AnyRuleset) -> bool:
    return bool(ruleset.tellers)


def _of_games(check: Check) -> Law:
    return Law(check, "game", 2, _has_words)


def _shown(table: Table, seed: int) -> Iterator[Shown]:
    """List what each viewer sees of the log of a game, while it runs and once it is over."""
    steps = played(table, seed)
    for record in log_of(steps):
        for viewer in (*range(table.seats), None):
            yield visible(record, steps[-1].game.secrets, viewer, everything=False)
        yield visible(record, steps[-1].game.secrets, None, everything=True)


@of_a_ruleset
def a_language_of_the_ruleset_has_all_its_words(table: Table) -> None:
    """Each message is in the original language, and in each other that has a file; with no other parameters."""
    package = table.ruleset.package
    for language in (each for each in languages() if each == ORIGINAL or speaks(package, each)):
        missing = lacking(package, language)
        assert not missing, f"{language} lacks words, or has them with other parameters: {', '.join(missing)}"


@_of_games
def every_event_reads_as_a_sentence_to_every_viewer(table: Table, seed: int) -> None:
    """Every message has words for exactly its parameters in every language, which end as a sentence does."""
    catalogues = [words(table.ruleset, language) for language in languages()]
    for event in _shown(table, seed):
        message = tell(table.ruleset, event)
        assert message.id.split(".")[0] == event["type"], f"no sentence for {event['type']}"
        for known in catalogues:
            check_worded(known, message)
            sentence = known.sentence(message)
            assert sentence == " ".join(filter(None, sentence.split(" ")))
            assert sentence[0] == sentence[0].upper() or known.language in WITHOUT_CAPITALS
            assert sentence.endswith((".", "。"))
            assert not {*"{}_"} & {*sentence}


@_of_games
def no_sentence_names_a_card_that_its_event_does_not_show(table: Table, seed: int) -> None:
    """A hidden card has no part in the message, and so in no language."""
    for event in _shown(table, seed):
        assert {*cards_named(tell(table.ruleset, event))} <= {*strings_in(event["data"])}


def _once(check: Check) -> Law:
    return Law(check, "ruleset", 0, _has_words)


@_once
def every_option_and_every_value_of_it_has_words(table: Table) -> None:
    """No two options read the same, nor two values of one. A number needs no words."""
    ruleset = table.ruleset
    for language in languages():
        known = words(ruleset, language)
        for seats in ruleset.seats:
            for option, choice in ruleset.options.choices(seats).items():
                assert f"option.{option}" in known, f"no words for option.{option}: {language}"
                for value in choice.values or ():
                    if value is None or isinstance(value, bool | str):
                        ids = [*form.message_ids(option, value)]
                        assert any(each in known for each in ids), f"no words for {' or '.join(ids)}: {language}"
        said = form.option_words(ruleset, language)
        assert len({each.name for each in said.values()}) == len(said), f"two options read the same: {language}"
        for option, each in said.items():
            assert len({*each.values.values()}) == len(each.values), f"values of {option} read the same: {language}"


def _has_words_of_actions(ruleset: AnyRuleset) -> bool:
    return bool(ruleset.action_tellers)


def _of_games_with_words_of_actions(check: Check) -> Law:
    return Law(check, "game", 1, _has_words_of_actions)


def _listed(table: Table, seed: int) -> Iterator[list[dict[str, Plain]]]:
    """List what seats can do at moments of every kind in a game, as clients post it."""
    rng = random.Random(seed)
    names = {cls: name for name, cls in table.ruleset.actions.items()}
    steps = played(table, seed)
    for game in [steps[place].game for place in of_every_kind(rng, steps)]:
        for seat in game.pending:
            actions = some(rng, game.ruleset.legal_actions(game.state, seat), 200)
            yield [{"type": names[type(action)], **to_plain(action)} for action in actions]


@_of_games_with_words_of_actions
def every_legal_action_reads_differently(table: Table, seed: int) -> None:
    """Every action has words for exactly its parameters, names the cards in it and no others, and is not mistaken."""
    catalogues = [words(table.ruleset, language) for language in languages()]
    for actions in _listed(table, seed):
        messages_of = [tell_action(table.ruleset, action) for action in actions]
        for action, message in zip(actions, messages_of, strict=True):
            assert message.id.split(".")[:2] == ["action", action["type"]], f"no words for {action['type']}"
            assert {*cards_named(message)} <= {*strings_in(action)}
        for known in catalogues:
            _check_distinct(known, messages_of)


def _check_distinct(known: Catalogue, messages_of: Sequence[Message]) -> None:
    for message in messages_of:
        check_worded(known, message)
    said = [known.sentence(message) for message in messages_of]
    assert len({*said}) == len(said), f"two actions read the same: {known.language}"
    for text in said:
        assert text[0] == text[0].upper() or known.language in WITHOUT_CAPITALS
        assert text[-1] not in ".。"
        assert not {*"{}_"} & {*text}
