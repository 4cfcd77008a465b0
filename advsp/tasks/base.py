"""What an experiment needs to know of a kind of corpus: its files, instances and predictions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from advsp.corpora.tag_models import EdgeWeights, TagModel
from advsp.features.spec import FeatureSpec
from advsp.support.arrays import Bools
from advsp.support.equality import equal_by_value
from advsp.support.progress import Reporter
from advsp.tasks.corpus_section import CorpusSection
from advsp.training.instances import Instances

SectionT = TypeVar("SectionT", bound=CorpusSection)
InstancesT = TypeVar("InstancesT", bound=Instances)

#: Class name of all classes together, and of the only one where there are none to tell apart.
ALL = "all"
#: What the mean over the classes is called.
MEAN = "mean"


@equal_by_value
@dataclass(frozen=True)
class View:
    """A corpus seen through one set of features.

    Attributes
    ----------
    instances: split to instances, the training split first.
    save: writes what the features learnt to a path without ending; None for ready-made features.
    """

    instances: Mapping[str, Instances]
    save: Callable[[Path], None] | None


class TaskOf(ABC, Generic[SectionT, InstancesT]):
    """One kind of corpus, by its section and its instances, and what is learnt from it.

    Attributes
    ----------
    section: what a configuration says of such a corpus.
    task: which learners it is for, ``"tagging"`` or ``"alignment"``.
    metrics: registered names of the metrics it is scored by, in the order of the tables; systems are chosen
        by the first one where a configuration names none.
    classes: the classes it has, or None where the configuration names them or the corpus has them.
    features: the features where a configuration names none.
    tables: those its scores may be in, first where they are if a configuration names none.
    has_references: whether :meth:`references` finds any; they are read from the corpus.
    has_tags: whether there are tag models to choose from (:mod:`advsp.corpora.tag_models`).
    """

    section: ClassVar[type[CorpusSection]]
    task: ClassVar[str]
    metrics: ClassVar[tuple[str, ...]]
    classes: ClassVar[tuple[str, ...] | None] = None
    features: ClassVar[str]
    tables: ClassVar[tuple[str, ...]]
    has_references: ClassVar[bool] = False
    has_tags: ClassVar[bool] = False

    def __init__(
        self, corpus: SectionT, classes: Sequence[str], tags: TagModel = "io", edges: EdgeWeights = "all"
    ) -> None:
        self.corpus, self.names, self.folder = corpus, tuple(classes), Path(corpus.path)
        self.tags, self.edges = tags, edges

    @abstractmethod
    def check_features(self, spec: FeatureSpec) -> None:
        """Refuse unknown features before anything is read.

        Raises
        ------
        InputError: there are none of that name, or something is added to them that cannot be.
        """

    def find_classes(self) -> tuple[str, ...]:
        """The classes where a configuration names none.

        Raises
        ------
        InputError: what reading raises; there are none, or none can be found.
        """
        return self.classes or ()

    @abstractmethod
    def files(self) -> dict[str, Path]:
        """Every file that a result depends on, by a name of its own.

        Raises
        ------
        InputError: no corpus there, or one without a split that is in use.
        """

    @abstractmethod
    def featurise(self, specs: Sequence[FeatureSpec], reporter: Reporter) -> dict[str, View]:
        """The splits in use, seen through all the features asked for, by their names.

        Raises
        ------
        InputError: what reading raises; a class that never occurs in the training split.
        """

    @abstractmethod
    def write_predictions(
        self,
        folder: Path,
        split: str,
        instances: InstancesT,
        claimed: Mapping[str, Bools],
        joint: Mapping[str, Bools],
        begins: Mapping[str, Bools] | None = None,
    ) -> None:
        """Write the predictions for a split into ``folder``, as other programs read them.

        Parameters
        ----------
        claimed: class to bool [T], every class decided by itself.
        joint: the same of one class a position.
        begins: class to bool [T], whether an entity begins at a position of the class, where that is said.
        """

    @classmethod
    def further_metrics(cls) -> list[str]:
        """Metrics beside its own that it can be measured by where a configuration names them."""
        return []

    @classmethod
    def measures(cls, metric: str) -> bool:
        """Whether it can be measured by a metric."""
        return metric in cls.metrics or metric in cls.further_metrics()

    def references(self, split: str, instances: InstancesT) -> dict[str, Bools]:
        """What a reader wants to see beside the systems: names to decisions bool [T]."""
        return {}


#: A task of whatever kind.
Task: TypeAlias = TaskOf[Any, Any]
