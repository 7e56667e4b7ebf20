"""The catalogue of tests: one ordered list of entries, from which everything that shows or chooses tests is derived."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from bakeoff._core.errors import ParameterError, unknown_choice
from bakeoff.comparison._entry import Test
from bakeoff.comparison._jobs import J
from bakeoff.comparison._planners import Planning
from bakeoff.comparison.tests import areas, datasets, folds, instances, labels, posteriors, resampling, rule

_ENTRIES: dict[str, Test[Any]] = {}


def catalogue() -> Mapping[str, Test[Any]]:
    """Return every test by name, in the order of preference: ``test="auto"`` takes the first one that is valid.

    Examples
    --------
    >>> from bakeoff import comparison
    >>> print(comparison.catalogue()["delong"].label)
    DeLong's test
    """
    return MappingProxyType(_ENTRIES)


def register(test: Test[J]) -> Test[J]:
    """Add a test of your own, so that `compare`, `advise`, the guide and the help of the commands know it.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff import comparison
    >>> try:
    ...     comparison.register(comparison.catalogue()["delong"])
    ... except bakeoff.ParameterError as problem:
    ...     print(problem)
    ...
    there is a test named 'delong' already. Hint: give yours another name
    """
    if test.name in _ENTRIES or test.name == "auto":
        raise ParameterError(f"there is a test named {test.name!r} already.", hint="give yours another name")
    if test.before is not None and test.before not in _ENTRIES:
        raise unknown_choice("before", test.before, tuple(_ENTRIES))
    listed = dict(_ENTRIES)
    _ENTRIES.clear()
    for name, entry in listed.items():
        if name == test.before:
            _ENTRIES[test.name] = test
        _ENTRIES[name] = entry
    _ENTRIES.setdefault(test.name, test)
    return test


def unregister(name: str) -> None:
    """Take a test out of the catalogue again."""
    del _ENTRIES[name]


def plannable() -> tuple[str, ...]:
    """Name the tests that can be planned for.

    Examples
    --------
    >>> from bakeoff import comparison
    >>> "mcnemar" in comparison.plannable(), "sign" in comparison.plannable()
    (True, False)
    """
    return tuple(name for name, entry in _ENTRIES.items() if isinstance(entry.plan, Planning))


for _family in (instances, areas, rule, labels, resampling, folds, datasets, posteriors):
    for _entry in _family.TESTS:
        register(_entry)
