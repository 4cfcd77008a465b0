#!/usr/bin/env python3
"""Write the sample named-entity corpus: invented newswire in the CoNLL-2003 column format.

    python scripts/make_sample_conll.py [--output data/sample/conll] [--seed 20]

Every sentence is expanded from ``data/sample/source/grammar.txt`` and every name is put together from
the parts in ``names.txt`` beside it, so the corpus quotes nobody and names nobody. Parts of speech come
from ``lexicon.txt``, chunks from the parts of speech. The same seed always gives the same bytes.

The corpus is meant to be hard. Towns, football clubs, companies and families share names; clubs go by
the name of their town; some surnames are plain words; headlines are in capitals; some contexts do not
tell a person from a company or a country at all. The test splits have names and phrases of their own.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from sample_sources import ROOT, matched, read_sections

from advsp.support.files import atomic

# ------------------------------------------------------------------------------------------------
# Settings
# ------------------------------------------------------------------------------------------------

CLASSES = ("PER", "LOC", "ORG", "MISC")

# Sentences of each split; the bounds of a document's and of a sentence's length.
SPLITS = {"sample.train": 400, "sample.testa": 150, "sample.testb": 150}
DOCUMENT_LENGTHS = (5, 20)
SENTENCE_LENGTHS = (2, 45)

# How often each topic comes up, and what a document is made of besides its stories.
TOPICS = {"politics": 4, "sport": 4, "markets": 3, "weather": 2, "court": 3, "culture": 4}
PLAIN_SHARE = 0.26
BYLINE_SHARE = 0.2
TABLE_SHARE = 0.22
TABLE_ROWS = (2, 4)

# Of the names of a kind, the shares that every split may use and that only the training split may use;
# the rest are for the test splits, which draw from them this often. The higher the skew, the oftener the
# first names of a list come up.
SHARED, TRAIN_ONLY = 0.35, 0.35
NOVELTY = 0.4
SKEW = 2

# What a document has at hand: of each pool, how many records and their fields. A clan, a trust and a realm
# are a person, an organisation and a place with names of one kind, which turn up in the same contexts.
CAST = {
    "person": (6, ("first", "last", "initial")),
    "nation": (3, ("country", "adjective", "people")),
    "town": (5, ("town",)),
    "firm": (4, ("firm",)),
    "acronym": (2, ("acronym",)),
    "stem": (3, ("stem",)),
    "clan": (1, ("clan",)),
    "trust": (1, ("trust",)),
    "realm": (1, ("realm",)),
}
POOL_OF_FIELD = {name: pool for pool, (_, fields) in CAST.items() for name in fields}

NUMBERS: dict[str, Callable[[random.Random], str]] = {
    "small": lambda rng: str(rng.randint(1, 12)),
    "number": lambda rng: str(rng.randint(13, 89)),
    "age": lambda rng: str(rng.randint(23, 88)),
    "count": lambda rng: f"{rng.randint(3, 980) * rng.choice((5, 10, 50)):,}",
    "decimal": lambda rng: f"{rng.randint(1, 240)}.{rng.randint(0, 99):02d}",
    "percent": lambda rng: f"{rng.randint(0, 14)}.{rng.randint(1, 9)}",
    "win": lambda rng: rng.choice(("1-0", "2-0", "3-0", "4-0", "2-1", "3-1", "4-1", "3-2", "5-2", "4-3")),
    "set": lambda rng: rng.choice(("6-0", "6-1", "6-2", "6-3", "6-4", "7-5", "7-6")),
    "warm": lambda rng: str(rng.randint(17, 39)),
    "minute": lambda rng: f"{rng.choice((2, 3, 4, 5, 6, 7, 8))}{rng.choice(('1st', '4th', '7th', '8th'))}",
    "clock": lambda rng: f"{rng.randint(1, 4)}:{rng.randint(0, 59):02d}.{rng.randint(0, 99):02d}",
    "year": lambda rng: str(rng.randint(1987, 2030)),
    "date": lambda rng: f"2031-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}",
}

# Parts of speech of what is not in the lexicon; words with a capital and most names are NNP.
POS_OF_SLOT = dict.fromkeys(NUMBERS, "CD") | {"minute": "JJ", "adjective": "JJ", "people": "NNPS"}

# Tags that a tagger keeps in a headline in capitals, where it takes every other word for a name.
HEADLINE_TAGS = {"CC", "CD", "DT", "IN", "MD", "POS", "PRP", "PRP$", "TO", ",", ".", ":", "(", ")", '"'}

NOUN_PHRASE = {"NN", "NNS", "NNP", "NNPS", "DT", "CD", "PRP", "PRP$", "POS", "WP", "WDT"}
NEW_NOUN_PHRASE = {"DT", "PRP", "PRP$", "POS", "WP", "WDT"}
VERB_PHRASE = {"MD", "VB", "VBP", "VBZ", "VBD", "VBN", "VBG"}

# ------------------------------------------------------------------------------------------------
# Reading the sources
# ------------------------------------------------------------------------------------------------


def read_words(name: str) -> dict[str, list[str]]:
    """The words of a source file under their headings."""
    return {heading: " ".join(lines).split() for heading, lines in read_sections(name).items()}


@dataclass(frozen=True)
class Word:
    """A word of a template, with its part of speech."""

    text: str
    pos: str


@dataclass(frozen=True)
class Slot:
    """A place for a rule, a name or a number; ``key`` is the record it must draw from, if it says."""

    name: str
    key: str | None


@dataclass(frozen=True)
class Option:
    """One way to expand a rule; a part flagged as glued joins the word before it."""

    parts: tuple[tuple[Word | Slot | Choice, bool], ...]
    weight: int = 1
    test_only: bool = False


@dataclass(frozen=True)
class Choice:
    """Several options, one of which is taken."""

    options: tuple[Option, ...]


class GrammarReader:
    """Reads the grammar, whose notation is described at the head of its file."""

    ATOM = re.compile(r"\s+|<([a-z.]+)(?:/(\w+))?>|[\[\]|]|[^\s\[\]|<>]+")

    def __init__(self) -> None:
        self.lexicon = {word: tag for tag, words in read_words("lexicon.txt").items() for word in words}

    def read(self) -> dict[str, Choice]:
        """Every rule by its name."""
        return {
            name: Choice(tuple(self._line(line) for line in lines))
            for name, lines in read_sections("grammar.txt").items()
        }

    def _line(self, line: str) -> Option:
        star, weight, template = matched(r"(\* )?(?:(\d+)x )?(.*)", line).groups()
        (option,) = self._options(self.ATOM.finditer(template))
        return Option(option.parts, int(weight or 1), bool(star))

    def _options(self, atoms: Iterator[re.Match[str]]) -> list[Option]:
        """Options separated by bars, up to the bracket that closes them or the end of the template."""
        options: list[Option] = []
        parts: list[tuple[Word | Slot | Choice, bool]] = []
        glued = False
        for atom in atoms:
            text = atom.group()
            if text.isspace():
                glued = False
            elif text in ("|", "]"):
                options.append(Option(tuple(parts)))
                parts, glued = [], False
                if text == "]":
                    return options
            else:
                if text == "[":
                    part: Word | Slot | Choice = Choice(tuple(self._options(atoms)))
                elif atom.group(1):
                    part = Slot(atom.group(1), atom.group(2))
                else:
                    part = self._word(text)
                parts.append((part, glued))
                glued = True
        return [*options, Option(tuple(parts))]

    def _word(self, text: str) -> Word:
        word, _, pos = text.partition("/")
        if not pos:
            pos = "NNP" if word[0].isupper() else "CD" if word[0].isdigit() else self.lexicon.get(word, "")
        if not pos:
            raise ValueError(f"lexicon.txt has no part of speech for {word!r}")
        return Word(word, pos)


# ------------------------------------------------------------------------------------------------
# Names
# ------------------------------------------------------------------------------------------------

Record = dict[str, str]


def combine(heads: list[str], tails: list[str]) -> list[str]:
    """Every head with every tail, no letter three times in a row."""
    return [re.sub(r"(\w)\1\1", r"\1\1", head + tail) for head in heads for tail in tails]


class NameBook:
    """The names that each side of the split may use, kind by kind."""

    def __init__(self, rng: random.Random) -> None:
        source = read_words("names.txt")

        def some(kind: str, count: int) -> list[str]:
            return rng.sample(combine(source[f"{kind} heads"], source[f"{kind} tails"]), count)

        stems, towns, surnames = some("stem", 60), some("town", 90), some("surname", 110)
        kinds: dict[str, list[str]] = {
            "first": some("first", 120),
            "last": surnames + source["words"] + rng.sample(stems, 25) + rng.sample(towns, 10),
            "town": towns + rng.sample(stems, 25) + rng.sample(surnames, 8),
            "firm": some("firm", 50) + rng.sample(stems, 20) + rng.sample(surnames, 8),
            "nation": read_sections("names.txt")["nations"],
            "acronym": source["acronyms"],
            **dict.fromkeys(("stem", "clan", "trust", "realm"), stems),
        }
        self._sides: dict[str, dict[str, list[str]]] = {}
        for kind, names in kinds.items():
            names = rng.sample(names, len(names))
            shared = round(SHARED * len(names))
            train = shared + round(TRAIN_ONLY * len(names))
            self._sides[kind] = {"shared": names[:shared], "train": names[:train], "test": names[train:]}

    def cast(self, test: bool, rng: random.Random) -> dict[str, list[Record]]:
        """The records that one document, of a test split or not, draws its names from."""

        def draw(kind: str) -> str:
            side = "train" if not test else "test" if rng.random() < NOVELTY else "shared"
            names = self._sides[kind][side]
            return names[int(len(names) * rng.random() ** SKEW)]

        def record(pool: str) -> Record:
            if pool == "person":
                first = draw("first")
                return {"first": first, "initial": f"{first[0]}.", "last": draw("last")}
            return dict(zip(CAST[pool][1], draw(pool).split(), strict=True))

        return {pool: [record(pool) for _ in range(size)] for pool, (size, _) in CAST.items()}


# ------------------------------------------------------------------------------------------------
# Sentences
# ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Token:
    """A word of a sentence; ``entity`` is the class of the entity it is in and that entity's number."""

    text: str
    pos: str
    entity: tuple[str, int] | None = None


Sentence = list[Token]
Document = list[Sentence]


def tidy(tokens: Sentence) -> Sentence:
    """A sentence without the commas that another comma or the full stop makes idle."""
    following = [token.text for token in tokens[1:]] + [""]
    return [token for token, after in zip(tokens, following) if token.text != "," or after not in (",", ".")]


@dataclass
class Writer:
    """Expands rules into the sentences of one document."""

    grammar: dict[str, Choice]
    cast: dict[str, list[Record]]
    test: bool
    rng: random.Random
    _bound: dict[tuple[str, str], Record] = field(default_factory=dict)
    _spent: set[Option] = field(default_factory=set)
    _entities: int = 0

    def sentence(self, rule: str) -> Sentence:
        """One sentence that a rule makes; headlines come out in capitals, templates in turn."""
        self._bound.clear()
        options = self._open(self.grammar[rule])
        option = self._draw([option for option in options if option not in self._spent] or options)
        if not rule.endswith(".table"):
            self._spent.add(option)
        tokens = tidy(self._fill(option, "", None))
        if rule.endswith(".headline"):
            return [
                Token(token.text.upper(), token.pos if token.pos in HEADLINE_TAGS else "NNP", token.entity)
                for token in tokens
            ]
        start = 1 if tokens[0].text in ('"', "(") else 0
        text = tokens[start].text
        tokens[start] = replace(tokens[start], text=text[0].upper() + text[1:])
        return tokens

    def _expand(self, part: Word | Slot | Choice, key: str, entity: tuple[str, int] | None) -> list[Token]:
        """The tokens of a part; ``key`` is the record to draw from, ``entity`` what the part lies in."""
        if isinstance(part, Word):
            return [Token(part.text, part.pos, entity)]
        if isinstance(part, Choice):
            return self._choose(part, key, entity)
        key = part.key or key
        pos = POS_OF_SLOT.get(part.name, "NNP")
        if part.name in NUMBERS:
            return [Token(NUMBERS[part.name](self.rng), pos, entity)]
        if part.name in POOL_OF_FIELD:
            return [Token(self._record(POOL_OF_FIELD[part.name], key)[part.name], pos, entity)]
        label = part.name.partition(".")[0].upper()
        if label in CLASSES:
            self._entities += 1
            entity = (label, self._entities)
            key = part.key or f"entity {self._entities}"
        return self._choose(self.grammar[part.name], key, entity)

    def _choose(self, choice: Choice, key: str, entity: tuple[str, int] | None) -> list[Token]:
        """Expand one of the options of a choice."""
        return self._fill(self._draw(self._open(choice)), key, entity)

    def _open(self, choice: Choice) -> list[Option]:
        """The options that are open to this split."""
        return [option for option in choice.options if self.test or not option.test_only]

    def _draw(self, options: list[Option]) -> Option:
        (option,) = self.rng.choices(options, [option.weight for option in options])
        return option

    def _fill(self, option: Option, key: str, entity: tuple[str, int] | None) -> list[Token]:
        """The tokens of an option's parts, one after another."""
        tokens: list[Token] = []
        for part, glued in option.parts:
            new = self._expand(part, key, entity)
            if glued:
                head = tokens.pop()
                new[0] = replace(head, text=head.text + new[0].text)
            tokens += new
        return tokens

    def _record(self, pool: str, key: str) -> Record:
        """The record bound to a key in this sentence, or one that the sentence has not used yet."""
        if (pool, key) not in self._bound:
            used = [record for (other, _), record in self._bound.items() if other == pool]
            unused = [record for record in self.cast[pool] if record not in used]
            self._bound[pool, key] = self.rng.choice(unused or self.cast[pool])
        return self._bound[pool, key]


# ------------------------------------------------------------------------------------------------
# Documents
# ------------------------------------------------------------------------------------------------


def document_lengths(total: int, rng: random.Random) -> list[int]:
    """Lengths of documents, each within bounds, that add up to ``total`` sentences."""
    low, high = DOCUMENT_LENGTHS
    lengths: list[int] = []
    while total > high:
        lengths.append(rng.randint(low, min(high, total - low)))
        total -= lengths[-1]
    return [*lengths, total]


def deal_topics(rng: random.Random) -> Iterator[str]:
    """Topics without end, dealt from a deck that holds each as often as its weight."""
    while True:
        yield from rng.sample(list(TOPICS), sum(TOPICS.values()), counts=TOPICS.values())


def outline(topic: str, length: int, rng: random.Random) -> list[str]:
    """The rules of a document's sentences: headline, dateline, then stories, plain lines and tables."""
    rules = [f"{topic}.headline"]
    if rng.random() < BYLINE_SHARE:
        rules.append("byline")
    rules.append("dateline")
    while len(rules) < length:
        if topic == "sport" and rng.random() < TABLE_SHARE:
            rules += ["sport.table"] * rng.randint(*TABLE_ROWS)
        else:
            rules.append(f"{topic}.plain" if rng.random() < PLAIN_SHARE else f"{topic}.story")
    return rules[:length]


def make_corpus(seed: int) -> dict[str, list[Document]]:
    """The documents of every split; no sentence comes twice."""
    grammar = GrammarReader().read()
    names = NameBook(random.Random(f"{seed} names"))
    low, high = SENTENCE_LENGTHS
    seen: set[str] = set()
    corpus: dict[str, list[Document]] = {}
    for split, size in SPLITS.items():
        rng = random.Random(f"{seed} {split}")
        test = split != "sample.train"
        corpus[split] = []
        for length, topic in zip(document_lengths(size, rng), deal_topics(rng)):
            writer = Writer(grammar, names.cast(test, rng), test, rng)
            document: Document = []
            for rule in outline(topic, length, rng):
                while True:
                    sentence = writer.sentence(rule)
                    text = " ".join(token.text for token in sentence)
                    if low <= len(sentence) <= high and text not in seen:
                        break
                seen.add(text)
                document.append(sentence)
            corpus[split].append(document)
    return corpus


# ------------------------------------------------------------------------------------------------
# Columns and files
# ------------------------------------------------------------------------------------------------


def tag_column(sentence: Sentence) -> list[str]:
    """Entity tags in IOB1: B- only where an entity directly follows another of its class."""
    tags: list[str] = []
    previous = None
    for token in sentence:
        if token.entity is None:
            tags.append("O")
        else:
            label, number = token.entity
            begins = previous is not None and previous[0] == label and previous[1] != number
            tags.append(f"{'B' if begins else 'I'}-{label}")
        previous = token.entity
    return tags


def chunk_column(sentence: Sentence) -> list[str]:
    """Chunk tags in IOB1, read off the parts of speech."""
    tags: list[str] = []
    previous = None
    for token, following in zip(sentence, [token.pos for token in sentence[1:]] + ["."], strict=True):
        chunk = chunk_class(token.pos, previous, following)
        begins = chunk == previous == "NP" and token.pos in NEW_NOUN_PHRASE
        tags.append("O" if chunk is None else f"{'B' if begins else 'I'}-{chunk}")
        previous = chunk
    return tags


def chunk_class(pos: str, previous: str | None, following: str) -> str | None:
    """The class of chunk that a word is in, given the chunk before it and the part of speech after it."""
    if pos in NOUN_PHRASE:
        return "NP"
    if pos in VERB_PHRASE:
        return "VP"
    if pos == "TO":
        return "VP" if following == "VB" else "PP"
    if pos == "IN":
        return "PP"
    if pos.startswith("JJ"):
        return "NP" if following in NOUN_PHRASE or following.startswith("JJ") else "ADJP"
    if pos in ("RB", "WRB"):
        return "VP" if previous == "VP" and following in VERB_PHRASE else "ADVP"
    return None


def write_documents(path: Path, documents: list[Document]) -> None:
    """Write documents in the four columns of CoNLL-2003."""
    with atomic(path) as stream:
        for document in documents:
            stream.write("-DOCSTART- -X- O O\n\n")
            for sentence in document:
                columns = zip(sentence, chunk_column(sentence), tag_column(sentence), strict=True)
                for token, chunk, tag in columns:
                    stream.write(f"{token.text} {token.pos} {chunk} {tag}\n")
                stream.write("\n")


def summary(split: str, documents: list[Document]) -> str:
    """One line that counts what a split holds."""
    sentences = [sentence for document in documents for sentence in document]
    tokens = sum(map(len, sentences))
    entities = Counter(
        label for sentence in sentences for label, _ in {token.entity for token in sentence if token.entity}
    )
    classes = ", ".join(f"{label} {entities[label]}" for label in CLASSES)
    return (
        f"{split}: {len(documents)} documents, {len(sentences)} sentences, {tokens} tokens, "
        f"{entities.total()} entities ({classes})"
    )


def main() -> None:
    """Write the corpus and print its counts."""
    parser = argparse.ArgumentParser(description="Write the sample named-entity corpus.")
    parser.add_argument(
        "--output", type=Path, default=ROOT / "data" / "sample" / "conll", help="folder to write to"
    )
    parser.add_argument("--seed", type=int, default=20, help="seed of every choice")
    arguments = parser.parse_args()
    for split, documents in make_corpus(arguments.seed).items():
        write_documents(arguments.output / split, documents)
        print(summary(split, documents))


if __name__ == "__main__":
    main()
