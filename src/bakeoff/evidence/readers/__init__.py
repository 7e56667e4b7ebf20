"""Readers of other people's runs: scikit-learn, Weka, OpenML and MLflow.

Each returns `Predictions` (rows) or `Scores` (one number per fold), ready for `evaluate` and `compare`. Logs of
language-model evaluations are read by `bakeoff.read` itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bakeoff.evidence.readers._arff import read_arff
    from bakeoff.evidence.readers._cross_validate import read_cross_validate
    from bakeoff.evidence.readers._mlflow import read_mlflow
    from bakeoff.evidence.readers._openml import read_openml
    from bakeoff.evidence.readers._weka import read_weka

    __all__ = [
        "read_arff",
        "read_cross_validate",
        "read_mlflow",
        "read_openml",
        "read_weka",
    ]
else:
    from bakeoff._core.lazy import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(
        __name__,
        {
            "_arff": "read_arff",
            "_cross_validate": "read_cross_validate",
            "_mlflow": "read_mlflow",
            "_openml": "read_openml",
            "_weka": "read_weka",
        },
    )
