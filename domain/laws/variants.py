"""The variants show what the options of a ruleset can do."""

from domain.field_types import fields_of, is_closed
from domain.laws.law import of_every_table
from domain.laws.play import Table, played, tables


@of_every_table
def every_value_of_every_option_occurs_with_every_number_of_players(table: Table) -> None:
    """Every value of a switch, and of an option with listed words or numbers."""
    of_the_table = [each for each in tables(table.ruleset, table.facts) if each.seats == table.seats]
    tried = [played(each, 0)[0].game.options for each in of_the_table]
    choices = table.ruleset.options.choices(table.seats)
    for option in fields_of(table.ruleset.options.shape):
        if is_closed(option.type):
            missing = {*(choices[option.key].values or ())} - {getattr(options, option.name) for options in tried}
            assert not missing, f"no game has {missing} of {option.key}: name it in a variant; short replaces defaults"
