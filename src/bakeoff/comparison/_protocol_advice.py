"""Which protocol for how much data: how the evidence is to be made before it is compared."""

from __future__ import annotations

from dataclasses import dataclass

from bakeoff._core.language import Text

VERY_SMALL, SMALL, LARGE = 100, 5_000, 100_000


@dataclass(frozen=True, kw_only=True)
class ProtocolAdvice:
    """A protocol of `bakeoff.protocols` as code, its name in a sentence, why, and the kind of design it makes."""

    code: str
    title: Text
    reason: Text
    kind: str = "k-fold"
    n_folds: int = 10
    n_repeats: int = 1


def protocol_for(n_rows: int | None, *, n_datasets: int, groups: bool) -> ProtocolAdvice:
    """Choose by the number of rows; rows that belong together stay together."""
    if groups:
        return ProtocolAdvice(
            code="LeaveGroupOut()",
            title=Text("cross-validation that keeps groups together"),
            reason=Text("rows of one group in training and test alike would make every model look better than it is"),
        )
    if n_datasets > 1:
        return ProtocolAdvice(
            code="KFold(10)",
            title=Text("10-fold cross-validation on every data set"),
            reason=Text(
                "each data set gives one number per model; more repeats on few data sets do not replace more data sets"
            ),
        )
    return _by_size(n_rows)


def _by_size(n_rows: int | None) -> ProtocolAdvice:
    if n_rows is not None and n_rows < VERY_SMALL:
        return _few_rows(n_rows)
    if n_rows is not None and n_rows >= LARGE:
        reason = Text(
            "with {n} rows a third of them as test set measures closely, at a tenth of the training time", n=n_rows
        )
        title = Text("one hold-out split")
        return ProtocolAdvice(code="HoldOut(1/3)", title=title, reason=reason, kind="test set", n_folds=1)
    repeats, title = 2, Text("2 × 5-fold cross-validation")
    if n_rows is None or n_rows < SMALL:
        repeats, title = 5, Text("5 × 5-fold cross-validation (2 × 5-fold where fits are slow)")
    reason = Text("every row is tested in each repeat, and a second repeat tells what retraining alone changes")
    return ProtocolAdvice(code=f"KFold(5, repeats={repeats})", title=title, reason=reason, n_folds=5, n_repeats=repeats)


def _few_rows(n_rows: int) -> ProtocolAdvice:
    folds = min(5, max(2, n_rows // 2))  # at least two rows in each fold
    return ProtocolAdvice(
        code=f"KFold({folds}, repeats=5)",
        title=Text(
            "{k}-fold cross-validation, five times, to compare; the .632+ bootstrap or leave-one-out to estimate the "
            "error",
            k=folds,
        ),
        reason=Text("with {n} rows a single split says little; repeats steady it, but add no rows", n=n_rows),
        n_folds=folds,
        n_repeats=5,
    )
