import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.features.shape import becomes_known, known_word_shape, word_shape

KNOWN = {"the", "rejects", "call", "lamb", "to", "commission", "black", "a", "alphabet"}

# Printed by Stanford NER itself with these known words.
PRINTED = {
    "EU": "XX",
    "The": "Xxxk",
    "a": "xk",
    "rejects": "xxxxxk",
    "lamb": "xxxxk",
    "Lamb": "Xxxxk",
    "Blackburn": "Xxxxx",
    "COMMISSION": "XXXXXk",
    "1996-08-22": "dd-ddd",
    "10,663": "dd,ddd",
    "U.S.": "X.X.",
    "S&P": "X&X",
    "McDonald": "XxXxxx",
    "O'Brien": "X'Xxxx",
    "cattle-on-feed": "xx-xxx",
    "'s": "'x",
    "2:29.34": "d:.ddd",
    "-DOCSTART-": "-XXX-",
    "Minnesota-born": "Xx-xxx",
    "BayerVB": "XxxXX",
    "alphabet": "gxxx",
    "sigma": "g",
    "betting": "xxxxx",
    "(": "(",
}


@pytest.mark.parametrize("word, shape", PRINTED.items())
def test_shapes_printed_by_stanford(word, shape):
    assert known_word_shape(word, KNOWN) == shape
    assert word_shape(word) == shape.removesuffix("k")


@pytest.mark.parametrize(
    "word, shape",
    [
        ("", ""),
        ("Beta", "Xxxx"),
        ("betas", "gx"),
        ("xbetas", "xgx"),
        ("thetau", "gx"),
        ("beta", "g"),
        ("Ǆ", "X"),
        ("ǅ", "X"),
        ("é", "x"),
        ("١٢", "dd"),
        ("²", "²"),
        ("東京", "東京"),
        ("c.a.b.a.", "x..xx."),
        ("abcde", "xxxxx"),
        ("aBcDe", "xXxXx"),
    ],
)
def test_more_shapes(word, shape):
    assert word_shape(word) == shape


@given(word=st.text())
def test_a_shape_is_never_longer_than_its_word_and_k(word):
    assert len(word_shape(word)) <= len(word)
    known = known_word_shape(word, {word.lower()})
    assert known in (word_shape(word), word_shape(word) + "k")
    assert known_word_shape(word, set()) == word_shape(word)


@pytest.mark.parametrize(
    "word, known", [("the", True), ("eBay", True), ("The", False), ("'s", False), ("", False)]
)
def test_words_that_become_known(word, known):
    assert becomes_known(word) is known
