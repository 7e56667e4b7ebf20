"""Preprocessing by name, for experiment files: encode, impute, scale."""

from __future__ import annotations

from typing import Any

import numpy as np

from bakeoff._core.frames import columns_of, is_frame

STEPS = ("encode", "impute", "scale")


def text_columns(X: Any) -> list[str]:
    """Names of the columns of a frame that are not numbers; none for an array."""
    if not is_frame(X):
        return []
    return [name for name, values in columns_of(X).items() if np.asarray(values).dtype.kind not in "iufb"]


def named_step(name: str) -> Any:
    """Return the preprocessing step of a name.

    ``encode`` turns columns of text into 0/1 columns (a category not seen in training has none), ``impute`` fills
    missing numbers with the median, ``scale`` gives every column mean 0 and variance 1.
    """
    if name == "encode":
        from sklearn.compose import make_column_transformer
        from sklearn.preprocessing import OneHotEncoder

        encoder = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        return make_column_transformer((encoder, text_columns), remainder="passthrough")
    if name == "impute":
        from sklearn.impute import SimpleImputer

        return SimpleImputer(strategy="median")
    from sklearn.preprocessing import StandardScaler

    return StandardScaler()
