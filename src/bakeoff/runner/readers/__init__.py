"""Readers of other people's runs: language-model benchmarks, scikit-learn, Weka, OpenML and MLflow.

Each returns `Predictions` (rows) or `Scores` (one number per fold), ready for `evaluate` and `compare`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bakeoff.runner.readers._arff import read_arff
    from bakeoff.runner.readers._cross_validate import read_cross_validate
    from bakeoff.runner.readers._inspect import read_inspect
    from bakeoff.runner.readers._lm_eval import read_lm_eval
    from bakeoff.runner.readers._mlflow import log_mlflow, read_mlflow
    from bakeoff.runner.readers._openml import read_openml
    from bakeoff.runner.readers._weka import read_weka

    __all__ = [
        "log_mlflow", "read_arff", "read_cross_validate", "read_inspect", "read_lm_eval", "read_mlflow", "read_openml",
        "read_weka",
    ]  # fmt: skip
else:
    from bakeoff._core.lazy import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(
        __name__,
        {
            "_arff": "read_arff",
            "_cross_validate": "read_cross_validate",
            "_inspect": "read_inspect",
            "_lm_eval": "read_lm_eval",
            "_mlflow": "log_mlflow read_mlflow",
            "_openml": "read_openml",
            "_weka": "read_weka",
        },
    )
