"""Text cut into words, and their places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.notation.lexer import Lexer, NotationError, Word


def taken(text):
    """Take all words of a text: (text, line, column)."""
    lexer, found = Lexer(text), []
    while lexer.next.text:
        word = lexer.take()
        found.append((word.text, word.line, word.column))
    return found


def test_words_stand_between_white_space_and_bars():
    assert taken("a |b\t c|d\n|\n  e") == [("a", 1, 1), ("b", 1, 4), ("c", 1, 7), ("d", 1, 9), ("e", 3, 3)]


def test_a_semicolon_begins_a_comment_and_a_number_sign_does_not():
    assert taken("a ; b | c\n#1;d\n;\nRH") == [("a", 1, 1), ("#1", 2, 1), ("RH", 4, 1)]


def test_a_label_is_a_word_of_its_own_even_if_the_next_word_follows_at_once():
    assert taken("0:RH 1: T3 talon:2D") == [
        ("0:", 1, 1), ("RH", 1, 3), ("1:", 1, 6), ("T3", 1, 9), ("talon:", 1, 12), ("2D", 1, 18),
    ]  # fmt: skip


def test_a_quoted_text_is_one_word_whatever_it_contains():
    assert taken('a "b ; | c: \\" ?" d') == [("a", 1, 1), ('"b ; | c: \\" ?"', 1, 3), ("d", 1, 19)]


def test_a_quote_that_is_not_closed_is_a_word_of_its_own():
    assert taken('"a b\nc"') == [('"', 1, 1), ("a", 1, 2), ("b", 1, 4), ("c", 2, 1), ('"', 2, 2)]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_line_endings_are_recognized(end):
    assert taken(f"a{end}{end}b{end}") == [("a", 1, 1), ("b", 3, 1)]


def test_the_end_of_the_text_is_an_empty_word_that_can_be_taken_again_and_again():
    lexer = Lexer("a\n bc ; d\n")
    assert [lexer.take().text for _ in range(2)] == ["a", "bc"]
    assert [lexer.take() for _ in range(2)] == [Word("", 2, 4)] * 2
    assert not lexer.more
    assert str(lexer.next) == "the end of the text"


def test_the_words_of_the_game_end_where_the_result_begins():
    lexer = Lexer("a result: b")
    assert lexer.more
    lexer.take()
    assert not lexer.more


def test_a_hidden_word_cannot_be_taken():
    lexer = Lexer("0: 1\n RH/?")
    assert [lexer.take().text for _ in range(2)] == ["0:", "1"]
    with pytest.raises(NotationError, match=r"2:2: a \? stands for"):
        lexer.take()


def test_the_rest_of_a_line_can_be_taken():
    lexer = Lexer("a: b c\nd")
    lexer.take()
    assert [word.text for word in lexer.take_line(1)] == ["b", "c"]
    assert lexer.take_line(1) == []
    assert lexer.next.text == "d"


def test_the_parts_of_a_word_keep_their_places():
    word = Word("RH=2", 3, 7)
    assert word.cut("=") == (Word("RH", 3, 7), Word("2", 3, 10))
    assert word.cut("/") == (word, None)
    assert list(Word("a,bc,", 1, 1).pieces(",")) == [Word("a", 1, 1), Word("bc", 1, 3), Word("", 1, 6)]
    assert word.after() == Word("", 3, 11)


def test_an_error_names_its_place_and_its_rule():
    assert str(Word("RH", 3, 7).wrong("too high", "7. Play")) == "3:7: too high (rule 7. Play)"
    assert str(Word("RH", 3, 7).wrong("unknown")) == "3:7: unknown"


@given(st.text(alphabet=st.sampled_from('ab0:;|"\\?/=# \t\n\r\u2028é')))
def test_every_word_of_any_text_has_its_true_place(text):
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for word, line, column in taken(text.replace("?", "!")):
        assert lines[line - 1].replace("?", "!")[column - 1 :].startswith(word)
