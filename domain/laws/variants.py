"""The variants show what the options of a ruleset can do."""

from typing import cast

from domain.laws.law import of_every_table
from domain.laws.play import Table, played, tables
from domain.serialization import literals, optional, plain_fields


@of_every_table
def every_value_of_every_option_occurs_with_every_number_of_players(table: Table) -> None:
    """Of every switch, and of every option with listed words or numbers."""
    of_the_table = [each for each in tables(table.ruleset, table.facts) if each.seats == table.seats]
    tried = [played(each, 0)[0].game.options for each in of_the_table]
    choices = table.ruleset.options.choices(table.seats)
    for option in plain_fields(cast("type", table.ruleset.options.shape)):
        if option.type is bool or literals(optional(option.type) or option.type):
            assert {getattr(options, option.name) for options in tried} == {*(choices[option.key].values or ())}
