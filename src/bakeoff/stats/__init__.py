"""Statistics of comparing models: arrays in, a small frozen result out (the words are SciPy's)."""

from bakeoff._core.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__, internal={"": "bayes distributions means multiplicity power ranks resample roc tables"}
)
