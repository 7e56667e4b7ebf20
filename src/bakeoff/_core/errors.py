"""The exceptions of bakeoff.

::

    BakeoffError
    ├── EvidenceError(ValueError)            the data given cannot answer the question
    ├── ParameterError(ValueError)           an argument is out of its range
    └── MissingDependencyError(ImportError)  an optional package is not installed

A message names the place, what must be and what was given; the hint is what to do about it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bakeoff._core.language import Text


class BakeoffError(Exception):
    """Base of everything bakeoff raises on purpose.

    Parameters
    ----------
    message
        Where, what must be, what was got. A full sentence.
    hint
        What the user can do about it.

    Examples
    --------
    >>> import bakeoff
    >>> try:
    ...     bakeoff.measures.get("acuracy")
    ... except bakeoff.BakeoffError as problem:
    ...     print(problem.hint)
    ...
    did you mean 'accuracy'?
    """

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        self.message = message
        self.hint = hint
        super().__init__(message if hint is None else f"{message} Hint: {hint}")

    @property
    def texts(self) -> tuple[Text, Text | None]:
        """Message and hint for a reader; the strings `message` and `hint` are English, for programs."""
        from bakeoff._core.error_words import Said  # only where an error is shown

        return Said(self.message), None if self.hint is None else Said(self.hint)

    @property
    def text(self) -> Text:
        """All that the error says, for a reader."""
        from bakeoff._core.language import Text

        message, hint = self.texts
        return message if hint is None else Text("{message} Hint: {hint}", message=message, hint=hint)

    def __str__(self) -> str:
        return str(self.text)


class EvidenceError(BakeoffError, ValueError):
    """The data given cannot answer the question asked.

    Examples
    --------
    >>> import bakeoff
    >>> try:
    ...     bakeoff.Predictions.from_arrays([0, 1, 1], y_pred={"a": [0, 1]})
    ... except bakeoff.EvidenceError as problem:
    ...     print(problem.message)
    ...
    y_pred of model 'a' must have as many rows as y_true (3). Got 2 rows.
    """


class ParameterError(BakeoffError, ValueError):
    """An argument is not what it must be.

    Examples
    --------
    >>> import bakeoff
    >>> try:
    ...     bakeoff.OperatingContext(prevalence=1.5)
    ... except bakeoff.ParameterError as problem:
    ...     print(problem)
    ...
    prevalence must be a finite number in [0, 1]. Got 1.5 instead.
    """


class MissingDependencyError(BakeoffError, ImportError):
    """An optional dependency is needed and not installed.

    Examples
    --------
    >>> import bakeoff
    >>> print(bakeoff.MissingDependencyError.for_extra("matplotlib", "plot", "plot()"))
    plot() needs the package 'matplotlib', which is not installed. Hint: install it with: pip install 'bakeoff[plot]'
    """

    @classmethod
    def for_extra(cls, package: str, extra: str, purpose: str) -> MissingDependencyError:
        """Name the package, what it is for, and the extra that installs it."""
        return cls(
            f"{purpose} needs the package '{package}', which is not installed.",
            hint=f"install it with: pip install 'bakeoff[{extra}]'",
        )


class BakeoffWarning(UserWarning):
    """The answer stands, but it is weaker than it looks.

    Examples
    --------
    >>> import warnings
    >>> import bakeoff
    >>> shy = bakeoff.Predictions.from_arrays([0, 0, 1, 1], y_pred={"shy": [0, 0, 0, 0]})
    >>> with warnings.catch_warnings(record=True, action="always") as seen:
    ...     found = bakeoff.evaluate(shy, "precision", rng=0)
    ...
    >>> print(seen[0].message)
    precision undefined: no row is predicted positive in 'data'. [undefined]
    """


def did_you_mean(got: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Guess which of the known names was meant; None where none is near."""
    close = difflib.get_close_matches(got, list(known), n=1, cutoff=cutoff)
    return f"did you mean '{close[0]}'?" if close else None


def unknown_choice(name: str, got: object, options: Iterable[str]) -> ParameterError:
    """Build the error for a string argument that must be one of `options`, with a guess at what was meant."""
    options = list(options)
    folded = {option.lower(): option for option in reversed(options)}
    close = [folded[c] for c in difflib.get_close_matches(str(got).lower(), folded, n=1, cutoff=0.5)]
    hint = f"did you mean '{close[0]}'?" if close else None
    shown = options if len(options) <= 20 else difflib.get_close_matches(str(got), options, n=6, cutoff=0.0)
    listed = ", ".join(repr(option) for option in shown) + (f", … ({len(options)} in all)" if shown != options else "")
    return ParameterError(f"{name} must be one of {listed}. Got {got!r} instead.", hint=hint)
