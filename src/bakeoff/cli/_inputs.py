"""From command-line options to evidence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence import Predictions


def named_columns(given: Sequence[str] | None) -> dict[str, str | list[str]] | None:
    """Turn ``rf``, ``rf=column`` and ``rf=p_a,p_b,p_c`` into model → column (or class columns)."""
    if not given:
        return None
    named: dict[str, str | list[str]] = {}
    for text in given:
        model, _, column = text.partition("=")
        source = column or model
        if model in named:
            raise EvidenceError(f"the model {model!r} was given twice.", hint="model names must differ")
        named[model] = source.split(",") if "," in source else source
    return named


def read_predictions(
    path: Path,
    *,
    truth: str | None,
    pred: Sequence[str] | None,
    score: Sequence[str] | None,
    value: Sequence[str] | None,
    positive: str | None,
    **keys: Any,
) -> Predictions:
    """Read the evidence that the options describe."""
    if not path.exists():
        raise EvidenceError(f"there is no file {str(path)!r}.", hint="check the spelling and the current folder")
    columns = {
        "y_true": truth,
        "y_pred": named_columns(pred),
        "y_score": named_columns(score),
        "y_value": named_columns(value),
        "pos_label": positive,
        **keys,
    }
    return Predictions.read(path, **{k: v for k, v in columns.items() if v is not None})
