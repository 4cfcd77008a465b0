"""Parameters of an estimator as scikit-learn reads and sets them, without needing scikit-learn."""

from __future__ import annotations

import inspect
from typing import Any, Self


class Parameters:
    """What ``__init__`` is given is kept under the same names, and is all that makes an estimator.

    Subclasses store every argument of ``__init__`` unchanged; :func:`sklearn.base.clone`, grids and pipelines
    rely on that.
    """

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; none of them is an estimator, so ``deep`` changes nothing."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """Set some parameters.

        Raises
        ------
        ValueError: one that there is not.
        """
        for name, value in params.items():
            if name not in self._names():
                known = ", ".join(self._names())
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; it has {known}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = {n: value for n, value in self.get_params().items() if value != defaults[n].default}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in changed.items())})"

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks of an estimator; only it calls this, so that it is there."""
        from sklearn.utils import Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=True))
