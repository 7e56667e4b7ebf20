"""The working of a result, step by step: what ``result.steps()`` returns.

Every number is one that the answer was computed from, or that of the answer itself; the formulas are read once and
written as text, MathML or LaTeX.
"""

from bakeoff.steps._formula import Formula
from bakeoff.steps._of import steps_of as steps_of
from bakeoff.steps._step import Step, Steps

__all__ = ["Formula", "Step", "Steps"]
