import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advsp.corpora.columns import ColumnForm
from advsp.corpora.conll import ColumnFile, Sentence, read_columns, write_columns
from advsp.support.errors import InputError

TEXT = """\
-DOCSTART- -X- O O

Ada NNP I-NP I-PER
Byron NNP I-NP I-PER
rows VBZ I-VP O

Malta NNP I-NP I-LOC
Malta NNP I-NP B-LOC
-DOCSTART- -X- O O

Tides NNS I-NP O
"""

ADA = Sentence(("Ada", "Byron", "rows"), ("B-PER", "I-PER", "O"))
MALTA = Sentence(("Malta", "Malta"), ("B-LOC", "B-LOC"))
TIDES = Sentence(("Tides",), ("O",))
COUNTED_MARK = Sentence(("-DOCSTART-",), ("O",))
UNCOUNTED_MARK = Sentence(("-DOCSTART-",), ("O",), counted=False)


def glued(sentence: Sentence) -> Sentence:
    return Sentence(("-DOCSTART-", *sentence.words), ("O", *sentence.tags))


@pytest.fixture
def column_file(tmp_path):
    def write(content: str | bytes):
        path = tmp_path / "a.conll"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# ---- what is read


def test_sentences_and_counts(column_file):
    file = read_columns(column_file(TEXT))
    assert file == ColumnFile((ADA, MALTA, TIDES), docstart_lines=2, violations=())
    assert file.counts == {
        "sentences": 3,
        "tokens": 6,
        "entities": {"LOC": 2, "PER": 1},
        "docstart_lines": 2,
        "violations": 0,
    }


@pytest.mark.parametrize(
    "rule, sentences, counted",
    [
        ("drop", (ADA, MALTA, TIDES), 3),
        ("sentence", (COUNTED_MARK, ADA, MALTA, COUNTED_MARK, TIDES), 5),
        ("uncounted", (UNCOUNTED_MARK, ADA, MALTA, UNCOUNTED_MARK, TIDES), 3),
        ("glue", (glued(ADA), MALTA, glued(TIDES)), 3),
    ],
)
def test_docstart_rules(column_file, rule, sentences, counted):
    file = read_columns(column_file(TEXT), docstart=rule)
    assert file.sentences == sentences
    assert file.counts["sentences"] == counted
    assert file.docstart_lines == 2


def test_marks_after_the_last_sentence_are_glued_to_each_other(column_file):
    file = read_columns(column_file("Ada I-PER\n\n-DOCSTART- O\n\n-DOCSTART- O\n"), docstart="glue")
    assert file.sentences[1:] == (Sentence(("-DOCSTART-", "-DOCSTART-"), ("O", "O")),)


def test_a_mark_may_have_other_columns_than_words(column_file):
    file = read_columns(column_file("-DOCSTART-\n\nAda I-PER\n\n-DOCSTART- -X- -X-\n"), docstart="sentence")
    assert file.sentences == (COUNTED_MARK, Sentence(("Ada",), ("B-PER",)), COUNTED_MARK)


def test_columns_are_chosen_by_index(column_file):
    path = column_file("0 I-PER Ada x\n1 O rows x\n")
    expected = (Sentence(("Ada", "rows"), ("B-PER", "O")),)
    assert read_columns(path, word=2, tag=1).sentences == expected
    assert read_columns(path, word=-2, tag=-3).sentences == expected


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text,
        lambda text: text.rstrip("\n"),
        lambda text: "\n\n" + text + "\n\n\n",
        lambda text: text.replace("\n\n", "\n \t \n\n"),
        lambda text: text.replace("\n\n", "\n\u3000\u00a0\n"),
        lambda text: text.replace(" ", "\t"),
        lambda text: text.replace(" ", " \t  "),
        lambda text: text.replace("\n", " \t\n"),
        lambda text: "\ufeff" + text,
    ],
)
def test_one_file_in_many_writings(column_file, change, end):
    path = column_file(change(TEXT).replace("\n", end))
    assert read_columns(path, docstart="glue").sentences == (glued(ADA), MALTA, glued(TIDES))


def test_no_break_space_is_part_of_a_word(column_file):
    path = column_file("10\u00a0000 I-MISC\n\u3000 O\n")
    assert read_columns(path).sentences[0].words == ("10\u00a0000", "\u3000")


def test_other_encoding(column_file):
    path = column_file("Zoë I-PER\n".encode("latin-1"))
    assert read_columns(path, encoding="latin-1").sentences[0].words == ("Zoë",)
    with pytest.raises(InputError, match=r"a\.conll:1: byte 0xeb at offset 2 is not utf-8 text"):
        read_columns(path)


def test_tags_out_of_sequence_are_counted_and_reported_with_their_line(column_file):
    file = read_columns(column_file("Ada B-PER\n\nthe O\nVolga I-LOC\n"), scheme="bio")
    assert file.sentences[1].tags == ("O", "B-LOC")
    assert file.violations == ("line 4: 'I-LOC' continues an entity that was not begun",)
    assert file.counts["violations"] == 1


CHARACTER = st.characters(exclude_characters=" \t\r\n\ufeff", exclude_categories=["Cs"])
WORD = st.text(CHARACTER, min_size=1).filter(lambda word: word != "-DOCSTART-")
SENTENCES = st.lists(
    st.lists(st.tuples(WORD, st.sampled_from(["O", "B-PER", "B-LOC"])), min_size=1), min_size=1, max_size=5
)
#: A file is synced to the disk in every example, which may take its time.
SYNCED = settings(deadline=None)


@SYNCED
@given(sentences=SENTENCES)
def test_what_is_written_is_read_back(tmp_path_factory, sentences):
    path = tmp_path_factory.mktemp("columns") / "a.conll"
    write_columns(path, sentences)
    read = read_columns(path, scheme="iob2").sentences
    assert [list(zip(sentence.words, sentence.tags)) for sentence in read] == sentences


@SYNCED
@given(sentences=SENTENCES, ends=st.lists(st.sampled_from(["\n", "\r\n"]), min_size=1))
def test_line_ends_make_no_difference(tmp_path_factory, sentences, ends):
    folder = tmp_path_factory.mktemp("ends")
    write_columns(folder / "lf", sentences)
    lines = (folder / "lf").read_bytes().decode().split("\n")
    mixed = "".join(line + ends[number % len(ends)] for number, line in enumerate(lines))
    (folder / "mixed").write_bytes(mixed.encode())
    assert read_columns(folder / "mixed", scheme="iob2") == read_columns(folder / "lf", scheme="iob2")


# ---- what is refused

REFUSED = [
    ("", {}, None, "no sentences found"),
    ("\n \n\t\n", {}, None, "no sentences found"),
    ("-DOCSTART- O\n\n", {}, None, "no sentences found"),
    ("-DOCSTART- O\n\n", {"docstart": "uncounted"}, None, "no sentences found"),
    ("Ada x I-PER\n\nrows O\n", {}, 3, "found 2 columns, expected 3 as in line 1"),
    ("\nAda I-PER\nthe cat O\n", {}, 3, "found 3 columns, expected 2 as in line 2"),
    ("Ada\nrows\n", {}, 1, "word and tag are the same column, index 0 of 1"),
    ("Ada I-PER\n", {"word": 1}, 1, "word and tag are the same column, index 1 of 2"),
    ("Ada I-PER\n", {"tag": 3}, 1, "found 2 columns, expected one at tag index 3"),
    ("\nAda I-PER\n", {"word": -3}, 2, "found 2 columns, expected one at word index -3"),
    ("Ada\n", {"tag": 1}, 1, "found 1 column, expected one at tag index 1"),
    ("Ada NAME\n", {}, 1, "tag 'NAME' has no prefix; iob1 has O, B-CLASS, I-CLASS"),
    ("Ada O\n\nrows E-PER\n", {"scheme": "iob2"}, 3, "tag 'E-PER' has the prefix E-"),
    ("Ada I-\n", {}, 1, "tag 'I-' has no class after its prefix"),
]


@pytest.mark.parametrize("content, options, line, problem", REFUSED)
def test_refused_with_file_and_line(column_file, content, options, line, problem):
    path = column_file(content)
    with pytest.raises(InputError) as caught:
        read_columns(path, **options)
    place = f"{path}:{line}: " if line else f"{path}: "
    assert str(caught.value).startswith(place + problem)
    assert caught.value.hint


def test_files_that_are_none(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_columns(tmp_path / "nowhere")
    with pytest.raises(InputError, match="is a folder"):
        read_columns(tmp_path)


def test_unknown_rule_and_scheme(column_file):
    path = column_file(TEXT)
    with pytest.raises(InputError, match="unknown rule 'keep'.*known: drop, sentence, uncounted, glue"):
        read_columns(path, docstart="keep")
    with pytest.raises(InputError, match="unknown tag scheme 'iob'"):
        read_columns(path, scheme="iob")


@pytest.mark.parametrize("cell", ["", "two words", "tab\t", "line\n", "line\r"])
def test_cells_that_would_not_be_read_back_are_not_written(tmp_path, cell):
    with pytest.raises(ValueError, match="cells must be"):
        write_columns(tmp_path / "a.conll", [[("Ada", "O")], [(cell, "O")]])
    assert list(tmp_path.iterdir()) == []


# ---- the real files


@pytest.mark.corpora
@pytest.mark.parametrize(
    "name, sentences, marks, entities",
    [
        ("eng.train", 14041, 946, {"LOC": 7140, "MISC": 3438, "ORG": 6321, "PER": 6600}),
        ("eng.testa", 3250, 216, {"LOC": 1837, "MISC": 922, "ORG": 1341, "PER": 1842}),
        ("eng.testb", 3453, 231, {"LOC": 1668, "MISC": 702, "ORG": 1661, "PER": 1617}),
    ],
)
@pytest.mark.parametrize("rule", ["drop", "uncounted", "sentence", "glue"])
def test_counts_of_conll_2003(corpus_file, name, sentences, marks, entities, rule):
    counts = read_columns(corpus_file(f"conll2003/{name}"), docstart=rule).counts
    assert counts["sentences"] == sentences + (marks if rule == "sentence" else 0)
    assert counts["entities"] == entities
    assert counts["docstart_lines"] == marks
    assert counts["violations"] == 0


# ---- other forms of column files


@pytest.mark.parametrize("letter", ["\u00a0", "\u200b", "\u2028", "\u0085", "\x0b", "\x0c", "\x00", "\u00ad"])
def test_what_cannot_be_seen_in_a_tag_is_named(column_file, letter):
    path = column_file(f"Ada I-PER\nrows O{letter}\n")
    with pytest.raises(InputError) as caught:
        read_columns(path)
    assert ":2: tag 'O" in str(caught.value)
    assert f"holds U+{ord(letter):04X}" in str(caught.value)
    # In words it stays.
    assert read_columns(column_file(f"Ada{letter} I-PER\n")).sentences[0].words == (f"Ada{letter}",)


def test_cr_cr_lf_is_one_line_end(column_file):
    assert read_columns(column_file(TEXT.replace("\n", "\r\r\n"))) == read_columns(column_file(TEXT))


def test_lines_of_comments_are_left_out(column_file):
    text = "# a corpus\nAda I-PER\n# in the middle\nrows O\n\n#\n\nTides O\n"
    found = read_columns(column_file(text), form=ColumnForm(comment="#")).sentences
    assert [sentence.words for sentence in found] == [("Ada", "rows"), ("Tides",)]


@pytest.mark.parametrize(
    "text, line", [("# a corpus of mine\nAda I-PER\n", 1), ("Ada I-PER\n# in the middle of it\n", 2)]
)
def test_an_undeclared_comment_is_named_as_such(column_file, text, line):
    with pytest.raises(InputError) as caught:
        read_columns(column_file(text))
    assert f":{line}: looks like a comment" in str(caught.value)
    assert 'comment: "#" leaves such lines out' in str(caught.value)


def test_cells_apart_by_tabs_may_hold_blanks_or_nothing(column_file):
    path = column_file("New York\t\tB-LOC\nrows\tVBZ\tO\n")
    (found,) = read_columns(path, columns={"pos": 1}, form=ColumnForm(delimiter="tab")).sentences
    assert found.words == ("New\u00a0York", "rows")
    assert found.columns == (("_", "VBZ"),)
    with pytest.raises(InputError, match=":2: found 3 columns, expected 4 as in line 1"):
        read_columns(column_file("New York\tNN\tB-LOC\nrows\tVBZ\tO\n"))


@pytest.mark.parametrize("text, name", [("\tNN\tO\n", "word"), ("a\tNN\t\n", "tag")])
def test_a_word_or_tag_that_is_nothing_is_refused(column_file, text, name):
    with pytest.raises(InputError, match=f":1: the column of the {name} is empty"):
        read_columns(column_file(text), form=ColumnForm(delimiter="tab"))


def test_cells_apart_by_blanks_may_hold_tabs(column_file):
    (found,) = read_columns(column_file("a\tb  I-PER\n"), form=ColumnForm(delimiter="blank")).sentences
    assert (found.words, found.tags) == (("a\tb",), ("B-PER",))


def test_documents_may_begin_otherwise(column_file):
    text = "# newdoc id = 1\nAda I-PER\n# newdoc id = 2\nTides O\n"
    form = ColumnForm(comment="#", document="^# newdoc")
    file = read_columns(column_file(text), docstart="sentence", form=form)
    assert [sentence.words[0] for sentence in file.sentences] == ["-DOCSTART-", "Ada", "-DOCSTART-", "Tides"]
    assert file.docstart_lines == 2


def test_lines_of_several_words_are_refused(column_file):
    lines = ["1\tAda\tB-PER", "2-3\tdel\tO", "2\tde\tO", "3\tel\tO"]
    for bad, number in (("2-3", 2), ("2.1", 2)):
        text = "\n".join(lines).replace("2-3", bad)
        with pytest.raises(
            InputError, match=f":{number}: {bad} is a line of CoNLL-U that is no word of its own"
        ):
            read_columns(column_file(text), word=1)
    # A score is a word where words stand first.
    assert read_columns(column_file("2-3 CD B-X\n")).sentences[0].words == ("2-3",)


@pytest.mark.parametrize("tag", ["0", "o", "_", "-"])
def test_odd_classes_are_refused_unless_they_are_allowed(column_file, tag):
    path = column_file(f"Ada PER\nrows {tag}\n")
    with pytest.raises(InputError, match=f":2: tag '{tag}' is probably no class .*odd_classes: true"):
        read_columns(path, scheme="io")
    assert read_columns(path, scheme="io", odd_classes=True).counts["entities"] == {"PER": 1, tag: 1}


def test_a_class_with_a_comma_or_a_blank_is_odd(column_file):
    for tag in ("PER,LOC", "a person"):
        with pytest.raises(InputError, match="is probably no class"):
            read_columns(column_file(f"Ada\t{tag}\n"), scheme="io", form=ColumnForm(delimiter="tab"))


@pytest.mark.parametrize(
    "options, problem",
    [
        ({"delimiter": ";"}, "unknown delimiter ';'"),
        ({"comment": ""}, "comment"),
        ({"document": "("}, "not a regular"),
    ],
)
def test_forms_that_are_none(options, problem):
    with pytest.raises(InputError, match=problem):
        ColumnForm(**options)
