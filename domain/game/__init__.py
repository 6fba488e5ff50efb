"""The game around the rules: seats, clocks, proposals, and the events that every game has."""
