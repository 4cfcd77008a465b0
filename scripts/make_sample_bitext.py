#!/usr/bin/env python3
"""Write the sample bitext: invented English sentences, their French translations, their words' links.

    python scripts/make_sample_bitext.py [--output data/sample/bitext] [--seed 20]

Every pair of sentences is expanded from ``data/sample/source/bitext-grammar.txt``, both sides at once, and
the links come with the templates, so the corpus quotes nobody. The words are in ``bitext-lexicon.txt``,
irregular forms in ``bitext-forms.txt``. The same seed always gives the same bytes.

The labelled pairs are written as SPLIT.en and SPLIT.fr, a sentence a line, and SPLIT.naacl, a link a line:
``pair english french S|P``, all from 1, where S links are sure and P links possible. Beside them stand the
pairs without links (unlabelled.en.gz, unlabelled.fr.gz) and what an aligner without supervision, IBM Model 1
trained on all of this text, makes of each split: aligners/ibm1.ef.SPLIT.pharaoh links every French word to
an English one, ibm1.fe.SPLIT.pharaoh every English word to a French one, as ``english-french`` from 0.

The corpus is meant to be hard. Words have several translations, idioms are translated as a whole, adjectives
and pronouns change places, articles come and go, negation takes two words, and most words are rare.
"""

from __future__ import annotations

import argparse
import gzip
import math
import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sample_sources import ROOT, matched, read_sections

from advsp.support.files import atomic

# ------------------------------------------------------------------------------------------------
# Settings
# ------------------------------------------------------------------------------------------------

# Pairs of each labelled split and without labels; the bounds of a sentence's length.
SPLITS = {"train": 80, "valid": 30, "test": 60}
UNLABELLED = 2000
LENGTHS = (3, 22)

# The n-th option of a rule of the lexicon weighs 1 / (n + SKEW), counted from 0.
SKEW = 6

# The share of sure links between different words that annotators doubt, which makes them possible ones.
DOUBT = 0.05

# Passes of expectation maximisation over the text.
ROUNDS = 3

# The slots that numbers fill, in English and in French.
NUMBERS: dict[str, Callable[[random.Random], tuple[str, str]]] = {
    "number": lambda rng: (str(rng.randint(2, 75)),) * 2,
    "hour": lambda rng: (str(rng.randint(2, 11)),) * 2,
    "date": lambda rng: (str(rng.randint(2, 30)),) * 2,
    "year": lambda rng: (str(rng.randint(1951, 1998)),) * 2,
    "percent": lambda rng: (f"{(tenths := rng.randint(11, 199)) / 10}", f"{tenths // 10},{tenths % 10}"),
    "count": lambda rng: (f"{(count := 50 * rng.randint(21, 980)):,}", f"{count:,}".replace(",", " ")),
}

# What becomes of French words before a vowel, and of others before a consonant.
BEFORE_VOWEL = {"la": "le", "ma": "mon", "sa": "son"}
BEFORE_CONSONANT = {"cet": "ce", "bel": "beau", "nouvel": "nouveau", "vieil": "vieux"}

PUNCTUATION = set(".,:?!()")

# ------------------------------------------------------------------------------------------------
# Reading the sources
# ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Words:
    """A place for one of several words or runs of words."""

    choices: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Slot:
    """A place for the expansion of a rule, in a form; the head is what the words around it agree with."""

    rule: str
    form: str | None
    key: str | None
    head: bool

    def same_as(self, other: Slot) -> bool:
        """Whether both are places of one and the same expansion."""
        return (self.rule, self.key) == (other.rule, other.key)


@dataclass(frozen=True)
class Part:
    """A part of one side of a template.

    Attributes
    ----------
    content: what stands there.
    labels: what it is linked by, each with whether that is certain.
    braces: the number of the braces that it is in, if any.
    """

    content: Words | Slot
    labels: tuple[tuple[str, bool], ...] = ()
    braces: int | None = None


# The parts of the English and of the French side of a template.
Sides = tuple[tuple[Part, ...], tuple[Part, ...]]


@dataclass(frozen=True)
class Option:
    """One way to expand a rule on both sides, and what it agrees with of itself."""

    english: tuple[Part, ...]
    french: tuple[Part, ...]
    features: str | None = None
    weight: float = 1
    test_only: bool = False


class GrammarReader:
    """Reads the grammar and the lexicon, whose notation is described at the head of the grammar."""

    ATOM = re.compile(r"([{}])|(<[^<>]+>|\[[^\]]*\]|[^\s/~]+)((?:[/~]\w)*)(?:\s|$)")
    SLOT = re.compile(r"<([a-z.*]+)(?::([a-z.*]+))?(?:/(\w))?(!)?>")

    def read(self) -> dict[str, list[Option]]:
        """Every rule by its name; in the lexicon, the later an option of a rule, the rarer."""
        grammar: dict[str, list[Option]] = {}
        for name in ("bitext-grammar.txt", "bitext-lexicon.txt"):
            for rule, lines in read_sections(name).items():
                options = [option for line in lines for option in self._line(line)]
                if name == "bitext-lexicon.txt":
                    options = [
                        replace(option, weight=option.weight / rank)
                        for rank, option in enumerate(options, start=SKEW)
                    ]
                grammar[rule] = options
        self._check(grammar)
        return grammar

    def _line(self, line: str) -> Iterator[Option]:
        """The options of a line: one translation, or words that are the same in both languages."""
        star, weight, template, features = matched(r"(\* )?(?:(\d+)x )?(.*?)(?: @(\w+))?", line).groups()
        sides = template.split(" = ")
        pairs = [sides] if len(sides) == 2 else [(word, word) for word in template.split()]
        for english, french in pairs:
            parts = self._link_in_turn(line, *self._match_braces(self._parts(english), self._parts(french)))
            yield Option(*parts, features, float(weight or 1), bool(star))

    def _parts(self, side: str) -> Iterator[Part]:
        """The parts of one side of a template."""
        count, braces = 0, None
        for brace, text, labels in self.ATOM.findall(side):
            if brace == "{":
                count, braces = count + 1, count
            elif brace == "}":
                braces = None
            else:
                content: Words | Slot
                if match := self.SLOT.fullmatch(text):
                    rule, form, key, head = match.groups()
                    content = Slot(rule, form, key, bool(head))
                else:
                    choices = text[1:-1].split("|") if text.startswith("[") else [text]
                    content = Words(tuple(tuple(choice.split()) for choice in choices))
                marks = re.findall(r"([/~])(\w)", labels)
                yield Part(content, tuple((label, mark == "/") for mark, label in marks), braces)

    @staticmethod
    def _match_braces(*sides: Iterable[Part]) -> list[list[Part]]:
        """Both sides with their braces numbered alike, all with one number if there are more on one side."""
        english, french = map(list, sides)
        if {part.braces for part in english} | {None} != {part.braces for part in french} | {None}:
            return [
                [part if part.braces is None else replace(part, braces=0) for part in side]
                for side in (english, french)
            ]
        return [english, french]

    @staticmethod
    def _link_in_turn(line: str, english: list[Part], french: list[Part]) -> Sides:
        """Label the words outside braces in turn, or only the punctuation if others have labels."""
        sides = english, french
        labelled = any(part.labels for side in sides for part in side if part.braces is None)

        def is_open(part: Part) -> bool:
            if part.braces is not None or part.labels or isinstance(part.content, Slot):
                return False
            return not labelled or part.content.choices[0][0] in PUNCTUATION

        places = [[place for place, part in enumerate(side) if is_open(part)] for side in sides]
        if len(places[0]) != len(places[1]):
            if not labelled:
                raise ValueError(f"words without a counterpart in {line!r}")
            places = [[], []]
        for number, pair in enumerate(zip(*places)):
            for side, place in zip(sides, pair):
                side[place] = replace(side[place], labels=((f"in turn {number}", True),))
        return tuple(english), tuple(french)

    @staticmethod
    def _check(grammar: dict[str, list[Option]]) -> None:
        """Raise unless both sides of each option have the same slots, labels and braces, and rules exist."""
        for rule, options in grammar.items():
            for option in options:
                found = []
                for side in (option.english, option.french):
                    slots = [part.content for part in side if isinstance(part.content, Slot)]
                    for slot in slots:
                        if slot.rule != "*" and slot.rule not in grammar and slot.rule not in NUMBERS:
                            raise ValueError(f"{rule} uses {slot.rule}, which is no rule")
                    found.append(
                        (
                            sorted((slot.rule, slot.key or "") for slot in slots),
                            {label for part in side for label, _ in part.labels} - {"0"},
                            {part.braces for part in side} - {None},
                        )
                    )
                if found[0] != found[1] or len(set(found[0][0])) < len(found[0][0]):
                    raise ValueError(f"the sides of an option of {rule} do not match: {found}")


# ------------------------------------------------------------------------------------------------
# Inflection
# ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Agreement:
    """Person, gender and number, by which the forms of a word are chosen."""

    person: int = 3
    gender: str = "m"
    number: str = "s"

    @classmethod
    def read(cls, features: str, number: str | None) -> Agreement:
        """What features such as ``3fp`` say; ``number`` is what holds if they do not name one."""
        person, gender, own = matched(r"(\d?)([mf]?)([sp]?)", features).groups()
        return cls(int(person or 3), gender or "m", own or (number if number in ("s", "p") else "s"))

    @property
    def third_singular(self) -> bool:
        """Whether English verbs end in -s."""
        return self.person == 3 and self.number == "s"

    @property
    def place(self) -> int:
        """The place of the person among je, il, nous, vous, ils."""
        return {"1s": 0, "3s": 1, "1p": 2, "3p": 4}.get(f"{self.person}{self.number}", 3)


class English:
    """The forms of English words."""

    def __init__(self) -> None:
        forms = read_sections("bitext-forms.txt")
        self._plurals = dict(line.split() for line in forms["english nouns"])
        self._verbs = {line.split()[0]: line.split()[1:] for line in forms["english verbs"]}
        self._consonants = set(" ".join(forms["english consonants"]).split())
        self._vowels = set(" ".join(forms["english vowels"]).split())

    def choose(self, forms: list[str], agreement: Agreement) -> str:
        """The one of several forms that agrees."""
        if len(forms) == 2:
            return forms[0 if agreement.third_singular else 1]
        return forms[1 if agreement.third_singular else 0 if agreement.place == 0 else 2]

    def inflect(self, word: str, form: str | None, agreement: Agreement) -> str:
        """A form of a noun or verb."""
        if form == "p":
            return self._plurals.get(word) or self._with_s(word)
        if form not in ("pres", "past", "part", "ing"):
            return word
        if form == "pres" and not agreement.third_singular:
            return word
        place = ("pres", "past", "part", "ing").index(form)
        if word in self._verbs:
            return self._verbs[word][place]
        if form == "pres":
            return self._with_s(word)
        if form == "ing":
            return re.sub(r"(?<=[^eoy])e$", "", word) + "ing"
        return re.sub(r"(?<=[^aeiou])y$", "i", word.removesuffix("e")) + "ed"

    @staticmethod
    def _with_s(word: str) -> str:
        if re.search(r"(s|x|z|ch|sh)$", word):
            return word + "es"
        return re.sub(r"(?<=[^aeiou])y$", "ie", word) + "s"

    def join(self, words: list[str]) -> list[str]:
        """The words of a sentence with their articles adapted."""
        following = [*words[1:], ""]
        return [
            "an" if word == "a" and self._sounds_vowel(after) else word
            for word, after in zip(words, following, strict=True)
        ]

    def _sounds_vowel(self, word: str) -> bool:
        return word in self._vowels or (word[:1] in set("aeiou") and word not in self._consonants)


class French:
    """The forms of French words, without accents."""

    def __init__(self) -> None:
        forms = read_sections("bitext-forms.txt")
        self._plurals = dict(line.split() for line in forms["french nouns"])
        self._adjectives = {line.split()[0]: line.split() for line in forms["french adjectives"]}
        self._verbs = {line.split()[0]: line.split()[1:] for line in forms["french verbs"]}
        self._aspirates = tuple(" ".join(forms["french aspirates"]).split())

    def choose(self, forms: list[str], agreement: Agreement) -> str:
        """The one of several forms that agrees."""
        feminine, plural = agreement.gender == "f", agreement.number == "p"
        if len(forms) == 5:
            return forms[agreement.place]
        if len(forms) == 3:
            return forms[2 if plural else feminine]
        return forms[2 * plural + feminine] if len(forms) == 4 else forms[feminine]

    def inflect(self, word: str, form: str | None, agreement: Agreement) -> str:
        """A form of a noun, adjective or verb."""
        if form in ("s", "inf"):
            return word
        if form == "p":
            return self._plurals.get(word) or self._plural(word)
        if form is None:
            return self.choose(self._adjectives.get(word) or self._agreeing(word), agreement)
        *present, future, participle = self._verbs.get(word) or self._regular(word)
        if form == "pres":
            return present[agreement.place]
        if form == "part":
            return participle
        if form == "parta":
            return self.choose(self._agreeing(participle, participle + "e"), agreement)
        imperfect = ("ais", "ait", "ions", "iez", "aient")[agreement.place]
        if form == "impf":
            return ("et" if word == "etre" else present[2].removesuffix("ons")) + imperfect
        if form == "cond":
            return future + imperfect
        if form == "fut":
            return future + ("ai", "a", "ons", "ez", "ont")[agreement.place]
        raise ValueError(f"{word} has no form {form}")

    @staticmethod
    def _plural(word: str) -> str:
        if re.search(r"[sxz]$", word):
            return word
        return word[:-1] + "ux" if word.endswith("al") else word + ("x" if word.endswith("au") else "s")

    def _agreeing(self, word: str, feminine: str | None = None) -> list[str]:
        """Masculine and feminine, then their plurals."""
        for ending, other in (("eux", "euse"), ("if", "ive"), ("er", "ere"), ("el", "elle"), ("en", "enne")):
            if not feminine and word.endswith(ending):
                feminine = word.removesuffix(ending) + other
        feminine = feminine or (word if word.endswith("e") else word + "e")
        return [word, feminine, self._plural(word), feminine + "s"]

    @staticmethod
    def _regular(word: str) -> list[str]:
        """The forms of a verb in -er."""
        if not word.endswith("er"):
            raise ValueError(f"bitext-forms.txt lacks {word}")
        stem = word.removesuffix("er")
        mute = re.sub(r"y$", "i", stem)
        hard = stem + "e" if stem.endswith("g") else stem
        return [mute + "e", mute + "e", hard + "ons", stem + "ez", mute + "ent", mute + "er", stem + "e"]

    def join(self, words: list[str]) -> list[str]:
        """The words of a sentence with those adapted that depend on the next one's first sound."""
        joined = []
        for word, after in zip(words, [*words[1:], ""], strict=True):
            vowel = after[:1] in set("aeiouhy") and not after.startswith(self._aspirates)
            joined.append((BEFORE_VOWEL if vowel else BEFORE_CONSONANT).get(word, word))
        return joined


# ------------------------------------------------------------------------------------------------
# Sentences
# ------------------------------------------------------------------------------------------------

Sentence = tuple[str, ...]
Link = tuple[int, int]

# The form that a slot asks for in English and in French, or a rule that it hands over.
Forms = tuple[str | None, str | None]

# The expansions of the slots of an option, by rule and key.
Expansions = dict[tuple[str, str | None], "Phrase"]


@dataclass(frozen=True)
class Phrase:
    """A piece of a sentence and its translation, the links in it, and what other words agree with."""

    english: Sentence
    french: Sentence
    sure: frozenset[Link]
    possible: frozenset[Link]
    agreement: Agreement = Agreement()


@dataclass
class Writer:
    """Expands rules into sentence pairs of one split."""

    grammar: dict[str, list[Option]]
    languages: tuple[English, French]
    test: bool
    rng: random.Random

    def pair(self) -> Phrase:
        """A sentence and its translation within the bounds of length."""
        low, high = LENGTHS
        while True:
            phrase = self._expand("top", (None, None), Agreement())
            if low <= len(phrase.english) <= high and low <= len(phrase.french) <= high:
                english, french = self.languages
                return replace(
                    phrase,
                    english=tuple(english.join(list(phrase.english))),
                    french=tuple(french.join(list(phrase.french))),
                )

    def _expand(self, rule: str, forms: Forms, agreement: Agreement) -> Phrase:
        """Expand a rule; ``forms`` are what the slot asks for in each language."""
        if rule in NUMBERS:
            english, french = (text.split() for text in NUMBERS[rule](self.rng))
            links = frozenset((i, j) for i in range(len(english)) for j in range(len(french)))
            return Phrase(tuple(english), tuple(french), links, frozenset())
        options = [option for option in self.grammar[rule] if self.test or not option.test_only]
        (option,) = self.rng.choices(options, [option.weight for option in options])
        return self._fill(option, forms, agreement)

    def _fill(self, option: Option, forms: Forms, agreement: Agreement) -> Phrase:
        """Expand the slots of an option, the head first, and lay out both sides."""
        if option.features:
            agreement = Agreement.read(option.features, forms[0])
        slots = [part.content for part in option.english if isinstance(part.content, Slot)]
        translations = {
            (part.content.rule, part.content.key): part.content
            for part in option.french
            if isinstance(part.content, Slot)
        }
        phrases: Expansions = {}
        for slot in sorted(slots, key=lambda slot: not slot.head):
            translation = translations[slot.rule, slot.key]
            asked = (slot.form, translation.form or slot.form)
            first, second = (given if form == "*" else form for form, given in zip(asked, forms, strict=True))
            rule = forms[0] if slot.rule == "*" else slot.rule
            if rule is None:
                raise ValueError("an option with the slot * is used where no rule is handed over")
            phrase = self._expand(rule, (first, second), Agreement() if slot.head else agreement)
            phrases[slot.rule, slot.key] = phrase
            if slot.head:
                agreement = phrase.agreement
        english, english_starts = self._lay_out(option, 0, phrases, forms[0], agreement)
        french, french_starts = self._lay_out(option, 1, phrases, forms[1], agreement)
        sure, possible = self._link(option, phrases, english_starts, french_starts)
        return Phrase(tuple(english), tuple(french), frozenset(sure), frozenset(possible - sure), agreement)

    def _lay_out(
        self,
        option: Option,
        side: int,
        phrases: Expansions,
        form: str | None,
        agreement: Agreement,
    ) -> tuple[list[str], list[int]]:
        """The words of one side, and where each of its parts starts and the last one ends."""
        words: list[str] = []
        starts = [0]
        for part in (option.english, option.french)[side]:
            if isinstance(part.content, Slot):
                phrase = phrases[part.content.rule, part.content.key]
                words += (phrase.english, phrase.french)[side]
            else:
                choices = part.content.choices
                chosen = self.rng.choice(choices) if len(choices) > 1 else choices[0]
                words += [self._word(word, side, form, agreement) for word in chosen]
            starts.append(len(words))
        return words, starts

    def _word(self, word: str, side: int, form: str | None, agreement: Agreement) -> str:
        """The form that a word of a template takes."""
        language = self.languages[side]
        if "+" in word:
            lemma, _, own = word.partition("+")
            return language.inflect(lemma, own or form, agreement)
        if ":" in word and word != ":":
            return language.choose(word.split(":"), agreement)
        return word

    @staticmethod
    def _link(
        option: Option,
        phrases: Expansions,
        english_starts: list[int],
        french_starts: list[int],
    ) -> tuple[set[Link], set[Link]]:
        """Sure and possible links, those of the slots among them."""
        sure: set[Link] = set()
        possible: set[Link] = set()
        for i, source in enumerate(option.english):
            for j, target in enumerate(option.french):
                first, second = source.content, target.content
                if isinstance(first, Slot) and isinstance(second, Slot) and first.same_as(second):
                    phrase = phrases[first.rule, first.key]
                    for links, inner in ((sure, phrase.sure), (possible, phrase.possible)):
                        links.update((english_starts[i] + a, french_starts[j] + b) for a, b in inner)
                block = {
                    (a, b)
                    for a in range(*english_starts[i : i + 2])
                    for b in range(*french_starts[j : j + 2])
                }
                if source.braces is not None and source.braces == target.braces:
                    possible |= block
                for label, certain in source.labels:
                    for other, certain_too in target.labels:
                        if label == other != "0":
                            (sure if certain and certain_too else possible).update(block)
        return sure, possible


def doubt(phrase: Phrase, rng: random.Random) -> Phrase:
    """The pair with a few of its sure links, if not of equal words, made possible ones."""
    doubted = {
        (i, j)
        for i, j in sorted(phrase.sure)
        if phrase.english[i] != phrase.french[j] and rng.random() < DOUBT
    }
    return replace(phrase, sure=phrase.sure - doubted, possible=phrase.possible | doubted)


def make_corpus(seed: int) -> dict[str, list[Phrase]]:
    """The pairs of every split and those without labels; no pair comes twice."""
    grammar = GrammarReader().read()
    languages = English(), French()
    seen: set[tuple[Sentence, Sentence]] = set()
    corpus: dict[str, list[Phrase]] = {}
    for split, size in {**SPLITS, "unlabelled": UNLABELLED}.items():
        rng = random.Random(f"{seed} {split}")
        writer = Writer(grammar, languages, split == "test", rng)
        corpus[split] = []
        while len(corpus[split]) < size:
            phrase = writer.pair()
            if (phrase.english, phrase.french) not in seen:
                seen.add((phrase.english, phrase.french))
                corpus[split].append(doubt(phrase, rng))
    return corpus


# ------------------------------------------------------------------------------------------------
# IBM Model 1
# ------------------------------------------------------------------------------------------------

# The word that stands for no word at all.
NULL = ""


def train_model1(pairs: list[tuple[Sentence, Sentence]]) -> dict[str, dict[str, float]]:
    """The probability of each target word given each source word, by expectation maximisation."""
    table: dict[str, dict[str, float]] = {}
    for source, target in pairs:
        for word in (NULL, *source):
            table.setdefault(word, {}).update(dict.fromkeys(target, 1.0))
    for _ in range(ROUNDS):
        counts = {word: dict.fromkeys(row, 0.0) for word, row in table.items()}
        for source, target in pairs:
            for other in target:
                total = math.fsum(table[word][other] for word in (NULL, *source))
                for word in (NULL, *source):
                    counts[word][other] += table[word][other] / total
        for word, row in counts.items():
            total = math.fsum(row.values())
            table[word] = {other: count / total for other, count in row.items()}
    return table


def align(table: dict[str, dict[str, float]], source: Sentence, target: Sentence) -> list[Link]:
    """The source word, if any, that explains each target word best, as (source, target) positions."""
    links: list[Link] = []
    for j, other in enumerate(target):
        scores = [table[word][other] for word in source]
        best = max(scores)
        if best > table[NULL][other]:
            links.append((scores.index(best), j))
    return links


def predict(corpus: dict[str, list[Phrase]]) -> dict[str, list[list[Link]]]:
    """The (English, French) links of every labelled pair by file name, in both directions."""
    pairs = [(phrase.english, phrase.french) for phrases in corpus.values() for phrase in phrases]
    forward = train_model1(pairs)
    backward = train_model1([(french, english) for english, french in pairs])
    predictions: dict[str, list[list[Link]]] = {}
    for split in SPLITS:
        predictions[f"ibm1.ef.{split}.pharaoh"] = [
            sorted(align(forward, phrase.english, phrase.french)) for phrase in corpus[split]
        ]
        predictions[f"ibm1.fe.{split}.pharaoh"] = [
            sorted((j, i) for i, j in align(backward, phrase.french, phrase.english))
            for phrase in corpus[split]
        ]
    return predictions


# ------------------------------------------------------------------------------------------------
# Files
# ------------------------------------------------------------------------------------------------


def write_text(path: Path, sentences: list[Sentence]) -> None:
    """Write a sentence a line, compressed if the name ends in .gz."""
    text = "".join(" ".join(sentence) + "\n" for sentence in sentences)
    if path.suffix != ".gz":
        with atomic(path) as stream:
            stream.write(text)
        return
    with atomic(path, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        packed.write(text.encode())


def write_links(path: Path, phrases: list[Phrase]) -> None:
    """Write the gold links, a link a line."""
    with atomic(path) as stream:
        for number, phrase in enumerate(phrases, start=1):
            for i, j in sorted(phrase.sure | phrase.possible):
                kind = "S" if (i, j) in phrase.sure else "P"
                stream.write(f"{number:04} {i + 1} {j + 1} {kind}\n")


def write_corpus(output: Path, corpus: dict[str, list[Phrase]]) -> None:
    """Write texts, gold links and predicted links."""
    for split, phrases in corpus.items():
        ending = "" if split in SPLITS else ".gz"
        write_text(output / f"{split}.en{ending}", [phrase.english for phrase in phrases])
        write_text(output / f"{split}.fr{ending}", [phrase.french for phrase in phrases])
        if split in SPLITS:
            write_links(output / f"{split}.naacl", phrases)
    for name, predictions in predict(corpus).items():
        with atomic(output / "aligners" / name) as stream:
            for links in predictions:
                stream.write(" ".join(f"{i}-{j}" for i, j in links) + "\n")


def summary(split: str, phrases: list[Phrase]) -> str:
    """One line that counts what a split holds."""
    english, french = (sum(map(len, side)) for side in zip(*((p.english, p.french) for p in phrases)))
    counts = f"{split}: {len(phrases)} pairs, {english} English and {french} French words"
    if split not in SPLITS:
        return counts
    sure, possible = (sum(map(len, kind)) for kind in zip(*((p.sure, p.possible) for p in phrases)))
    edges = sum(len(phrase.english) * len(phrase.french) for phrase in phrases)
    return f"{counts}, {sure} sure and {possible} possible links, {edges} edges"


def main() -> None:
    """Write the corpus and print its counts."""
    parser = argparse.ArgumentParser(description="Write the sample bitext.")
    parser.add_argument(
        "--output", type=Path, default=ROOT / "data" / "sample" / "bitext", help="folder to write to"
    )
    parser.add_argument("--seed", type=int, default=20, help="seed of every choice")
    arguments = parser.parse_args()
    corpus = make_corpus(arguments.seed)
    write_corpus(arguments.output, corpus)
    for split, phrases in corpus.items():
        print(summary(split, phrases))


if __name__ == "__main__":
    main()
