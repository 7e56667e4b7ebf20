"""Scores of two classes: ROC and precision–recall curves, areas under them, DeLong's tests, hulls and costs."""

from bakeoff._core.lazy import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(__name__)
