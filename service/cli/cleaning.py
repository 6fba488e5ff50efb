"""Text of others, such as names that players chose and what a service sends, made safe for a terminal."""

_SPACES = str.maketrans({"\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ", "\n": " "})


def clean(text: object) -> str:
    """Leave out whatever acts on a terminal, so that the text is one line."""
    return "".join(sign for sign in str(text).translate(_SPACES) if sign.isprintable())
