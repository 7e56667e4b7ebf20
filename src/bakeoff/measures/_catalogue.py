"""The catalogue: every measure by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff._core.errors import ParameterError, unknown_choice
from bakeoff._core.language import Text, label
from bakeoff._core.result import Result
from bakeoff.measures import _confusion, _other, _probability, _ranking, _regression
from bakeoff.measures._measure import Measure

_CATALOGUE: dict[str, Measure] = {
    m.name: m for room in (_confusion, _ranking, _probability, _regression, _other) for m in room.MEASURES
}

# Other names people know a measure by.
_ALIASES = {
    "acc": "accuracy",
    "error_rate": "error",
    "sensitivity": "recall",
    "tpr": "recall",
    "tnr": "specificity",
    "ppv": "precision",
    "cohen_kappa": "kappa",
    "roc_auc": "auc",
    "ap": "average_precision",
    "ece": "calibration_error",
    "brier_score": "brier",
    "logloss": "log_loss",
    "cross_entropy": "log_loss",
    "rse": "relative_squared_error",
    "rrse": "root_relative_squared_error",
    "rae": "relative_absolute_error",
    "medae": "median_absolute_error",
    "f1_score": "f1",
    "gmean": "g_mean",
}


def find(name: str) -> Measure | None:
    """Return the measure of that name or alias, or None.

    Examples
    --------
    >>> from bakeoff.measures import find
    >>> find("sensitivity"), find("nothing of the kind")
    (Measure('recall', needs labels, greater is better), None)
    """
    return _CATALOGUE.get(_ALIASES.get(name, name))


def get(measure: str | Measure) -> Measure:
    """Return the measure of that name; a `Measure` is returned as it is.

    Examples
    --------
    >>> import bakeoff
    >>> bakeoff.measures.get("sensitivity").name
    'recall'
    """
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str):
        raise ParameterError(
            f"a measure must be a name or a bakeoff.Measure. Got {type(measure).__name__}.",
            hint="wrap a function with Measure.from_function, a scorer with Measure.from_scorer",
        )
    found = find(measure)
    if found is None:
        raise unknown_choice("measure", measure, [*_CATALOGUE, *_ALIASES])
    return found


def label_of(name: str) -> Text:
    """Return the printed name of a measure (AUC, balanced accuracy); of one that is not known, its name in words."""
    found = find(name)
    return found.label if found is not None else label(name.replace("_", " "))


def get_all(measures: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Return several measures, each once.

    Examples
    --------
    >>> from bakeoff.measures import get_all
    >>> [m.name for m in get_all(["auc", "roc_auc", "brier"])]
    ['auc', 'brier']
    """
    given: Sequence[Any] = [measures] if isinstance(measures, (str, Measure)) else list(measures)
    found = [get(m) for m in given]
    if not found:
        raise ParameterError("measures must name at least one measure.")
    return tuple({m.name: m for m in found}.values())


def register(measure: Measure) -> Measure:
    """Add a measure of your own to the catalogue, so that it can be asked for by name.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import get, register
    >>> try:
    ...     register(get("auc"))
    ... except bakeoff.ParameterError as problem:
    ...     print(problem)
    ...
    there is a measure named 'auc' already. Hint: give yours another name
    """
    if find(measure.name) is not None:
        raise ParameterError(f"there is a measure named {measure.name!r} already.", hint="give yours another name")
    _CATALOGUE[measure.name] = measure
    return measure


@dataclass(frozen=True, repr=False)
class Catalogue(Result):
    """All measures: a table when printed, a mapping when asked.

    Examples
    --------
    >>> import bakeoff
    >>> catalogue = bakeoff.measures.catalogue()
    >>> "auc" in catalogue, catalogue["auc"].needs
    (True, 'scores')
    """

    measures: tuple[Measure, ...]

    def __iter__(self) -> Any:
        return iter(m.name for m in self.measures)

    def __len__(self) -> int:
        return len(self.measures)

    def __getitem__(self, name: str) -> Measure:
        return get(name)

    def __contains__(self, name: object) -> bool:
        return any(m.name == name for m in self.measures)

    def _headline(self) -> str:
        return f"{len(self.measures)} measures"

    def _columns(self) -> dict[str, Sequence[Any]]:
        return {
            "name": [m.name for m in self.measures],
            "better": ["greater" if m.greater_is_better else "less" for m in self.measures],
            "low": [m.bounds[0] for m in self.measures],
            "high": [m.bounds[1] for m in self.measures],
            "needs": [m.needs for m in self.measures],
            "meaning": [m.meaning for m in self.measures],
        }

    def to_dict(self) -> dict[str, Any]:
        """Return the table of the catalogue as JSON-able values."""
        from bakeoff._core.result import jsonable

        columns = self._columns()
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return {"kind": "Catalogue", "schema_version": 1, "measures": jsonable(rows)}


def catalogue() -> Catalogue:
    """Return every measure there is, with its direction, bounds, needs and a one-line meaning.

    Examples
    --------
    >>> import bakeoff
    >>> list(bakeoff.measures.catalogue())[:3]
    ['accuracy', 'error', 'balanced_accuracy']
    """
    return Catalogue(tuple(_CATALOGUE.values()))
