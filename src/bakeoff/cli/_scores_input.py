"""From a file to what can be compared: predictions, a table of scores (wide or long), or outcomes per item."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bakeoff._core.errors import EvidenceError
from bakeoff.cli._inputs import read_predictions
from bakeoff.evidence import Predictions, Scores, read_table


def read_evidence(
    path: Path,
    *,
    truth: str | None,
    pred: Sequence[str] | None,
    score: Sequence[str] | None,
    value: Sequence[str] | None,
    positive: str | None,
    model: str | None,
    outcomes: bool = False,
    measure: str | None = None,
    n_train: int | None = None,
    n_test: int | None = None,
    **keys: Any,
) -> Predictions | Scores:
    """Read predictions where a truth is named (or the path is a store), outcomes where asked, else scores."""
    if not path.exists():
        raise EvidenceError(f"there is no file {str(path)!r}.", hint="check the spelling and the current folder")
    if truth is not None or path.is_dir():
        if truth is not None and not (pred or score or value):
            raise EvidenceError(
                "no column was named as a model's predictions.", hint="--pred, --score or --value, once per model"
            )
        sizes = {} if n_train is None else {"n_train": n_train}
        return read_predictions(
            path, truth=truth, pred=pred, score=score, value=value, positive=positive, model=model, **keys, **sizes
        )
    if outcomes:
        return read_outcomes(path, groups=keys.get("groups"))
    if pred or score:
        raise EvidenceError("predictions need the column of the truth.", hint="name it with --truth")
    return read_scores(path, model=model, value=value, measure=measure, n_train=n_train, n_test=n_test, **keys)


def read_scores(
    path: Path,
    *,
    model: str | None = None,
    value: Sequence[str] | None = None,
    measure: str | None = None,
    n_train: int | None = None,
    n_test: int | None = None,
    **keys: Any,
) -> Scores:
    """Read a table of scores: wide (rows data sets, columns models), or long with --model and --value."""
    frame = read_table(path)
    if model is None:
        return Scores.from_wide(frame, measure=measure)
    if not value or len(value) != 1:
        raise EvidenceError(
            "a long table of scores needs the column of the scores.", hint="--model COLUMN --value COLUMN"
        )
    where = {k: keys.get(k) for k in ("dataset", "repeat", "fold")}
    return Scores.from_frame(
        frame, model=model, value=value[0], measure=measure, n_train=n_train, n_test=n_test, **where
    )


def read_outcomes(path: Path, *, groups: str | None = None) -> Predictions:
    """Read a table of outcomes: rows items, columns models, cells 0/1 or graded; text columns are left out."""
    frame = read_table(path)
    kept = [c for c in frame.columns if c == groups or frame[c].dtype.is_numeric() or str(frame[c].dtype) == "Boolean"]
    return Predictions.from_outcomes(frame.select(kept), groups=groups)
