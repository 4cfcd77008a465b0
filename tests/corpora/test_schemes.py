import pytest
from hypothesis import given
from hypothesis import strategies as st

from advsp.corpora.schemes import canonical, to_iob2, violations
from advsp.metrics.entity import chunks
from advsp.support.errors import InputError

#: Schemes that say where entities end, and their own letters for those of bioes.
OTHERS = {"bioes": {}, "bmes": {"I": "M"}, "bilou": {"E": "L", "S": "U"}}


def encode(entities, length, scheme):
    """Tags of a scheme from spans, written without looking at the code under test."""
    tags = ["O"] * length
    for name, start, end in entities:
        touches = any(other == name and stop == start for other, _, stop in entities)
        for t in range(start, end):
            prefix = "I"
            if scheme == "iob2" and t == start or scheme == "iob1" and t == start and touches:
                prefix = "B"
            if scheme in OTHERS:
                prefix = {(True, True): "S", (True, False): "B", (False, True): "E"}.get(
                    (t == start, t == end - 1), "I"
                )
                prefix = OTHERS[scheme].get(prefix, prefix)
            tags[t] = f"{prefix}-{name}"
    return tags


@st.composite
def segmentations(draw, apart=False):
    """Spans from left to right and the sentence length; ``apart``: same classes never touch."""
    entities, position = [], draw(st.integers(0, 2))
    for name in draw(st.lists(st.sampled_from(["PER", "LOC", "LOC-CITY"]), max_size=5)):
        if apart and entities and entities[-1][0] == name and entities[-1][2] == position:
            position += 1
        end = position + draw(st.integers(1, 3))
        entities.append((name, position, end))
        position = end + draw(st.integers(0, 2))
    return entities, max(position, 1)


@pytest.mark.parametrize("scheme", ["iob1", "iob2", *OTHERS])
@given(segmentation=segmentations())
def test_round_trip_keeps_every_boundary(scheme, segmentation):
    entities, length = segmentation
    tags = encode(entities, length, scheme)
    assert violations(tags, scheme) == []
    iob2 = to_iob2(tags, scheme)
    assert chunks(iob2) == entities
    assert list(iob2) == encode(entities, length, "iob2")


@given(segmentation=segmentations(apart=True))
def test_round_trip_of_io_where_classes_do_not_touch(segmentation):
    entities, length = segmentation
    tags = encode(entities, length, "io")
    assert violations(tags, "io") == []
    iob2 = to_iob2(tags, "io")
    assert chunks(iob2) == entities
    assert to_iob2([tag.removeprefix("B-").removeprefix("I-") for tag in iob2], "io") == iob2


ARBITRARY = st.lists(st.sampled_from(["O", *(f"{p}-{c}" for p in "BIES" for c in ("PER", "LOC"))]))


@given(tags=ARBITRARY)
def test_repaired_tags_are_in_sequence_and_stay_as_they_are(tags):
    iob2 = to_iob2(tags, "bioes")
    assert violations(iob2, "iob2") == []
    assert to_iob2(iob2, "iob2") == iob2
    assert [tag[2:] for tag in iob2] == [tag[2:] for tag in tags]


def test_bare_classes_are_a_writing_of_io():
    assert to_iob2(["PER", "PER", "O", "LOC"], "io") == ("B-PER", "I-PER", "O", "B-LOC")
    assert to_iob2(["NAME", "O"], "io") == ("B-NAME", "O")


def test_a_class_may_hold_hyphens():
    assert to_iob2(["I-LOC-CITY", "LOC-CITY"], "io") == ("B-LOC-CITY", "I-LOC-CITY")


def test_bio_is_iob2():
    assert canonical("bio") == "iob2"
    assert to_iob2(["B-PER", "I-PER"], "bio") == ("B-PER", "I-PER")


def test_unknown_scheme():
    with pytest.raises(InputError, match="unknown tag scheme 'bilouu'.*known: io, iob1"):
        violations(["O"], "bilouu")


@pytest.mark.parametrize(
    "tag, scheme, why",
    [
        ("NAME", "iob2", "has no prefix"),
        ("ME", "iob1", "has no prefix"),
        ("PER", "bioes", "has no prefix"),
        ("", "io", "has no prefix"),
        ("o", "iob1", "has no prefix"),
        ("BPER", "iob2", "has no prefix"),
        ("E-PER", "iob2", "has the prefix E-"),
        ("S-PER", "iob1", "has the prefix S-"),
        ("B-PER", "io", "has the prefix B-"),
        ("U-PER", "bioes", "has the prefix U-"),
        ("b-PER", "iob2", "has the prefix b-"),
        ("O-PER", "iob2", "has the prefix O-"),
        ("I-", "iob1", "has no class"),
    ],
)
def test_foreign_tags_are_listed_and_have_no_reading(tag, scheme, why):
    ((index, found, reason),) = violations(["O", tag, "O"], scheme)
    assert (index, found) == (1, tag)
    assert reason.startswith(why)
    with pytest.raises(InputError, match=f"tag '{tag}' {why}"):
        to_iob2(["O", tag, "O"], scheme)


@pytest.mark.parametrize(
    "scheme, tags, at, repaired",
    [
        ("iob2", "O I-PER", [1], "O B-PER"),
        ("iob2", "I-PER I-PER", [0], "B-PER I-PER"),
        ("iob2", "B-PER I-LOC", [1], "B-PER B-LOC"),
        ("iob1", "B-PER I-PER", [0], "B-PER I-PER"),
        ("iob1", "I-PER B-LOC", [1], "B-PER B-LOC"),
        ("iob1", "I-PER B-PER B-PER", [], "B-PER B-PER B-PER"),
        ("bioes", "B-PER O", [1], "B-PER O"),
        ("bioes", "B-PER", [0], "B-PER"),
        ("bioes", "B-PER B-PER E-PER", [1], "B-PER B-PER I-PER"),
        ("bioes", "B-PER I-PER S-PER", [2], "B-PER I-PER B-PER"),
        ("bioes", "E-PER E-PER", [0, 1], "B-PER B-PER"),
        ("bioes", "S-PER I-PER", [1, 1], "B-PER B-PER"),
        ("bioes", "B-PER E-LOC", [1], "B-PER B-LOC"),
    ],
)
def test_tags_out_of_sequence_are_listed_and_read_as_conlleval_reads_them(scheme, tags, at, repaired):
    assert [violation.position for violation in violations(tags.split(), scheme)] == at
    assert to_iob2(tags.split(), scheme) == tuple(repaired.split())


def test_empty_sentence():
    assert to_iob2([], "bioes") == () and violations([], "bioes") == []
