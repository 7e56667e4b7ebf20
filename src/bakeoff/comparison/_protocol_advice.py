"""Which protocol for how much data: how the evidence is to be made before it is compared."""

from __future__ import annotations

from dataclasses import dataclass

from bakeoff._core.language import tr

TINY, VERY_SMALL, SMALL, LARGE = 20, 100, 5_000, 100_000


@dataclass(frozen=True)
class ProtocolAdvice:
    """A protocol of `bakeoff.protocols` as code, its name in a sentence, why, and the kind of design it makes."""

    code: str
    title: str
    reason: str
    kind: str
    n_folds: int = 1
    n_repeats: int = 1


def protocol_for(n_rows: int | None, *, n_datasets: int, groups: bool) -> ProtocolAdvice:
    """Choose by the number of rows; rows that belong together stay together."""
    if groups:
        return ProtocolAdvice(
            "LeaveGroupOut()", tr("cross-validation that keeps groups together"),
            tr("rows of one group in training and test alike would make every model look better than it is"),
            "k-fold", 10,
        )  # fmt: skip
    if n_datasets > 1:
        return ProtocolAdvice(
            "KFold(10)", tr("10-fold cross-validation on every data set"),
            tr("each data set gives one number per model; more repeats on few data sets do not replace more data sets"),
            "k-fold", 10,
        )  # fmt: skip
    if n_rows is not None and n_rows < TINY:  # ten folds would have fewer than two rows each
        folds = max(2, n_rows // 2)
        return ProtocolAdvice(
            f"KFold({folds}, repeats=10)",
            tr("{k}-fold cross-validation, ten times, to compare; the .632+ bootstrap or leave-one-out to estimate the "
               "error", k=folds),
            tr("with {n} rows a single split says little; repeats steady it, but add no rows", n=n_rows),
            "k-fold", folds, 10,
        )  # fmt: skip
    if n_rows is not None and n_rows < VERY_SMALL:
        return ProtocolAdvice(
            "KFold(10, repeats=10)",
            tr("10 × 10-fold cross-validation to compare; the .632+ bootstrap or leave-one-out to estimate the error"),
            tr("with {n} rows a single split says little; repeats steady it, but add no rows", n=n_rows),
            "k-fold", 10, 10,
        )  # fmt: skip
    if n_rows is None or n_rows < SMALL:
        return ProtocolAdvice(
            "KFold(10, repeats=10)", tr("10 × 10-fold cross-validation"),
            tr("every row is tested, and repeats steady the estimate against the luck of one partition"),
            "k-fold", 10, 10,
        )  # fmt: skip
    if n_rows < LARGE:
        return ProtocolAdvice(
            "KFold(10)", tr("10-fold cross-validation"),
            tr("with {n} rows one partition is steady enough", n=n_rows), "k-fold", 10,
        )  # fmt: skip
    return ProtocolAdvice(
        "HoldOut(1/3)", tr("one hold-out split"),
        tr("with {n} rows a third of them as test set measures closely, at a tenth of the training time", n=n_rows),
        "test set",
    )  # fmt: skip
