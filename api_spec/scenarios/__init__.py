"""The scenarios of the recorded examples: for each operation a function of its name, which returns one exchange."""
