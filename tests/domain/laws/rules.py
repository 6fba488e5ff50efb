"""The rules of the built-in games that laws hold, for docs/rules-coverage.md."""

from domain.laws import Law, hidden_cards, non_interference

RULES: dict[Law, list[tuple[str, ...]]] = {
    hidden_cards.a_visible_log_has_named_the_cards_its_reader_knows_and_no_others: [
        ("le-plateau", "3", "no player knows the lower card until it is turned up"),
        ("french-tarot", "11", "everything about it is made public"),
    ],
    hidden_cards.a_view_holds_the_cards_its_viewer_knows_and_no_others: [
        (
            "le-plateau",
            "5",
            "only the giver and the receiver know its card",
            "Only the receiver knows a dealt talon card",
        ),
        ("plateau", "10", "stays known while the piece stays on the board"),
    ],
    hidden_cards.every_card_lies_in_exactly_one_place_at_every_step: [
        (
            "plateau",
            "1",
            "the same twelve discs",
            "`A` / Ace",
            "`TW` / Twister",
            "`RM` / Red Mask",
            "`BM` / Blue Mask",
            "`R` / Red",
            "`B` / Blue",
            "`M` / Mute",
        )
    ],
    non_interference.a_viewer_can_do_the_same_in_every_world_that_looks_the_same: [
        ("plateau", "10", "Undersides, covered faces that were never seen")
    ],
    non_interference.the_log_of_another_world_looks_the_same_and_its_past_was_legal: [
        ("french-tarot", "5", "no other player knows who that is")
    ],
}
"""The law, and for each of its rules the arguments that a marker would have."""
