"""Input validation for the statistics: return the argument in one form, or raise with what is wrong with it."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

ALTERNATIVES = ("two-sided", "less", "greater")


def check_choice(name: str, value: object, options: Iterable[str]) -> str:
    """Return `value` if it is one of `options`, else raise with the nearest option as a hint."""
    options = tuple(options)
    if not isinstance(value, str) or value not in options:
        raise unknown_choice(name, value, options)
    return value


def check_alternative(alternative: object) -> str:
    """Return the alternative if it is SciPy's ``two-sided``, ``less`` or ``greater``."""
    return check_choice("alternative", alternative, ALTERNATIVES)


def check_level(confidence_level: object, name: str = "confidence_level") -> float:
    """Return a confidence level strictly between 0 and 1."""
    if isinstance(confidence_level, (int, float, np.floating, np.integer)) and 0 < confidence_level < 1:
        return float(confidence_level)
    hint = None
    if isinstance(confidence_level, (int, float)) and 1 < confidence_level < 100:
        hint = f"give a fraction: {confidence_level / 100:g}, not {confidence_level:g}"
    raise ParameterError(f"{name} must be between 0 and 1, both excluded. Got {confidence_level!r} instead.", hint=hint)


_MOST_RESAMPLES = 1_000_000  # more change no digit that is shown, and take memory or hours
_MOST_COUNTED = 10**12  # rows, data sets, models: what nobody has, and what would be counted up to for ever


def check_count(name: str, value: object, *, minimum: int = 1) -> int:
    """Return a whole number of at least `minimum`."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) >= minimum:
        most = _MOST_RESAMPLES if name == "n_resamples" else _MOST_COUNTED if name[:2] in ("n", "n_") else None
        if most is not None and int(value) > most:
            raise ParameterError(f"{name} must be at most {most}. Got {value} instead.", hint="ask for fewer")
        return int(value)
    raise ParameterError(f"{name} must be a whole number of at least {minimum}. Got {value!r} instead.")


def check_number(name: str, value: Any, *, low: float = -np.inf, high: float = np.inf, closed: str = "both") -> float:
    """Return a finite number within the bounds; `closed` says which bounds are allowed (both, left, right, none)."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = np.nan
    inside_low = number >= low if closed in ("both", "left") else number > low
    inside_high = number <= high if closed in ("both", "right") else number < high
    if np.isfinite(number) and inside_low and inside_high:
        return number
    left = "[" if closed in ("both", "left") else "("
    right = "]" if closed in ("both", "right") else ")"
    raise ParameterError(f"{name} must be a finite number in {left}{low:g}, {high:g}{right}. Got {value!r} instead.")


def as_array(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return an array of any kind; Python numbers and booleans kept as objects become plain ones."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise EvidenceError(f"{name} must be rectangular: every row of the same length.") from None
    if array.dtype != object:
        return array
    kinds = {type(v) for v in array.ravel().tolist()}
    if kinds <= {bool, np.bool_}:
        return array.astype(bool)
    return as_floats(name, array) if kinds <= {int, float} else array


def as_floats(name: str, values: ArrayLike) -> FloatArray:
    """Return a float array of any shape, NaN and infinities included."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise EvidenceError(f"{name} must be numbers. Got values of another kind.") from None


def as_groups(groups: ArrayLike, n: int) -> tuple[IntArray, int]:
    """Return the cluster of each row as 0, 1, …, and the number of clusters."""
    labels = as_array("groups", groups)
    if labels.shape != (n,):
        raise EvidenceError(f"groups must have one label per row ({n}). Got shape {labels.shape} instead.")
    missing = _missing(labels)
    if missing.any():
        raise EvidenceError(
            f"groups must not have missing values. Got {labels[missing][0]} at row {int(missing.argmax())}.",
            hint="give a row that belongs to no cluster a label of its own",
        )
    try:
        distinct, code = np.unique(labels, return_inverse=True)
    except TypeError:
        raise EvidenceError("groups must be labels of one kind, all numbers or all strings.") from None
    return code.astype(np.int64), int(distinct.size)


def _missing(labels: NDArray[Any]) -> BoolArray:
    """Tell which labels are None or NaN (also pandas' missing value, which is unequal to everything)."""
    if labels.dtype.kind == "f":
        return np.asarray(np.isnan(labels))
    if labels.dtype != object:
        return np.zeros(labels.shape, dtype=bool)
    return np.array([v is None or type(v).__name__ in ("NAType", "NaTType") or v != v for v in labels], dtype=bool)


def as_float_vector(name: str, values: ArrayLike, *, minimum: int = 1) -> FloatArray:
    """Return a finite one-dimensional float array of at least `minimum` values."""
    array = as_floats(name, values)
    if array.ndim != 1:
        raise EvidenceError(f"{name} must be one-dimensional. Got shape {array.shape} instead.")
    if array.size < minimum:
        raise EvidenceError(f"{name} needs at least {minimum} value{'s' * (minimum != 1)}. Got {array.size}.")
    _check_finite(name, array)
    return array


def as_float_matrix(name: str, values: ArrayLike, *, min_rows: int = 1, min_columns: int = 2) -> FloatArray:
    """Return a finite two-dimensional float array (rows = blocks, columns = models)."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise EvidenceError(f"{name} must be a rectangular table of numbers.") from None
    if array.ndim != 2:
        raise EvidenceError(
            f"{name} must be two-dimensional, rows = data sets and columns = models. Got shape {array.shape} instead."
        )
    if array.shape[0] < min_rows or array.shape[1] < min_columns:
        raise EvidenceError(
            f"{name} needs at least {min_rows} row{'s' * (min_rows != 1)} and {min_columns} columns. "
            f"Got {array.shape[0]} × {array.shape[1]}.",
            hint="rows are data sets (blocks), columns are models",
        )
    _check_finite(name, array)
    return array


def _check_finite(name: str, array: FloatArray) -> None:
    bad = ~np.isfinite(array)
    if bad.any():
        where = np.argwhere(bad)[0]
        place = f"row {where[0]}" if array.ndim == 1 else f"row {where[0]}, column {where[1]}"
        value = array[tuple(where)]
        raise EvidenceError(
            f"{name} must be finite, but has {int(bad.sum())} NaN or infinite value{'s' * bool(bad.sum() != 1)} "
            f"(the first is {value} at {place}).",
            hint="drop or repair those rows for every model alike, so that the pairing is kept",
        )


def as_paired(a: ArrayLike, b: ArrayLike | None, *, minimum: int = 1) -> tuple[FloatArray, FloatArray]:
    """Return two float vectors of equal length; with ``b=None``, `a` holds differences and `b` is zero."""
    first = as_float_vector("a", a, minimum=minimum)
    if b is None:
        return first, np.zeros_like(first)
    second = as_float_vector("b", b, minimum=minimum)
    if first.size != second.size:
        raise EvidenceError(
            f"a and b must be paired, value by value. Got {first.size} and {second.size} values.",
            hint="both models must be measured on the same rows, folds or data sets, in the same order",
        )
    return first, second


def as_binary_truth(y_true: ArrayLike, *, pos_label: object = None, name: str = "y_true") -> BoolArray:
    """Return a boolean vector (True = positive); the positive class is explicit or unambiguous.

    Unambiguous are {0, 1}, {-1, 1} and {False, True}; anything else needs `pos_label`.
    """
    array = as_array(name, y_true)
    if array.ndim != 1:
        raise EvidenceError(f"{name} must be one-dimensional. Got shape {array.shape} instead.")
    if array.dtype == bool and pos_label is None:
        return array
    missing = _missing(array)
    if missing.any():
        row = int(missing.argmax())
        got = "NaN" if array.dtype.kind == "f" else array[row]
        raise EvidenceError(f"{name} must not have missing values. Got {got} at row {row}.")
    if pos_label is not None:
        positive: BoolArray = np.asarray(array == pos_label)
        if array.size and not positive.any():
            raise EvidenceError(f"{name} has no row of the positive class {pos_label!r}.")
        return positive
    if array.dtype.kind in "iuf":
        ones = np.asarray(array == 1)
        if (ones | (array == 0)).all() or (ones | (array == -1)).all():
            return ones
    labels = {repr(v): v for v in array.ravel().tolist()}
    found = ", ".join(sorted(labels, key=lambda text: _by_kind(labels[text]))[:5]) or "nothing"
    raise EvidenceError(
        f"the positive class of {name} is not clear: found {found}.",
        hint="give labels 0/1, -1/1 or False/True, or name the positive class with pos_label=",
    )


def _by_kind(label: object) -> tuple[str, Any]:
    """Sort labels of mixed kinds: numbers among numbers, strings among strings."""
    return ("", label) if isinstance(label, (int, float)) else (type(label).__name__, str(label))


def as_correctness(name: str, values: ArrayLike) -> BoolArray:
    """Return a boolean array from True/False or 0/1 (right/wrong per instance)."""
    array = as_array(name, values)
    if array.dtype == bool:
        return array
    if array.dtype.kind in "iuf" and np.isin(array, (0, 1)).all():
        return array.astype(bool)
    raise EvidenceError(f"{name} must be True/False or 0/1 (right or wrong on each instance).")


RngLike: TypeAlias = "int | np.integer | np.random.Generator | np.random.SeedSequence | None"


def as_generator(rng: RngLike = None) -> np.random.Generator:
    """Turn None (fresh entropy), a seed, a SeedSequence or a Generator into a Generator."""
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None or isinstance(rng, np.random.SeedSequence):
        return np.random.default_rng(rng)
    if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool):
        if rng < 0:
            raise ParameterError(f"rng must be a non-negative seed, a numpy Generator or None. Got {rng!r} instead.")
        return np.random.default_rng(int(rng))
    raise ParameterError(
        f"rng must be a non-negative seed, a numpy Generator or None. Got {type(rng).__name__} instead.",
        hint="scikit-learn's RandomState is not accepted; pass the seed it was made from",
    )


def as_seed(rng: RngLike = None) -> int:
    """Return a seed that can be used again: the one given, or one drawn."""
    if isinstance(rng, (int, np.integer)) and not isinstance(rng, bool):
        as_generator(rng)
        return int(rng)
    return int(as_generator(rng).integers(2**62))


def named_stream(seed: int, *names: object) -> np.random.Generator:
    """Return the stream that belongs to these names under this seed, whatever else was drawn before or elsewhere.

    The names enter the seed sequence's spawn key by a fixed hash, so the stream of ("credit", "rf", 3) is the same
    in every process, on every machine and in every order of work.
    """
    key = tuple(zlib.crc32(repr(name).encode()) for name in names)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


# -- products over rows, on one thread of BLAS ------------------------------------------------------------------------
#
# Its threads wait busily for each other: 500 times the processor time of a sum over 100,000 rows on a loaded machine,
# and the last digits depend on how many there are.

_AT_ONCE = 8192  # numbers: OpenBLAS wakes its threads for about 10,000


def dot(left: NDArray[Any], right: NDArray[Any]) -> Any:
    """``left.T @ right`` of ``[n]`` or ``[n, k]`` each, a piece of the rows at a time."""
    n = len(left)
    step = max(_AT_ONCE * n // max(left.size, right.size, 1), 1)
    if n <= step:
        return left.T @ right
    return np.sum([left[at : at + step].T @ right[at : at + step] for at in range(0, n, step)], axis=0)


def combine(columns: NDArray[Any], times: NDArray[Any]) -> NDArray[np.float64]:
    """``columns @ times`` of ``[n, k]`` and ``[k]``, a column at a time."""
    return np.asarray(sum(time * columns[:, k] for k, time in enumerate(times.tolist())))
