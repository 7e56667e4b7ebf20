"""Counts: what suffices. Rows become counts, counts add up, and every answer is a function of counts.

Forms say what a row adds (`Cells`, `Sums`, `Tally`, `Answers`); `Counted` joins a form with its units and has one
primitive, `apply`. `resample`, `leave_out` and `swap` are functions over it; `Influence` gives standard errors and
covariances without a draw.
"""

from bakeoff.counts._answers import Answers, AnswersKind, TimesKind
from bakeoff.counts._cells import Cells, CellsKind
from bakeoff.counts._counted import (
    Counted,
    Influence,
    acceleration,
    can_leave_out,
    leave_out,
    resample,
    swap,
)
from bakeoff.counts._draws import Draws, Patterns, multipliers
from bakeoff.counts._form import Countable, Form, FormKind, RowTerms, Sample, sample_of, splits_of
from bakeoff.counts._sums import Sums, SumsKind, SumTotals
from bakeoff.counts._tally import Tally, TallyKind
from bakeoff.counts._within import Within, area_within, within

CELLS = CellsKind()
TALLY = TallyKind()
ANSWERS = AnswersKind()

__all__ = [
    "ANSWERS",
    "CELLS",
    "TALLY",
    "Answers",
    "Cells",
    "Countable",
    "Counted",
    "Draws",
    "Form",
    "FormKind",
    "Influence",
    "Patterns",
    "RowTerms",
    "Sample",
    "SumTotals",
    "Sums",
    "SumsKind",
    "Tally",
    "TallyKind",
    "TimesKind",
    "Within",
    "acceleration",
    "area_within",
    "can_leave_out",
    "leave_out",
    "multipliers",
    "resample",
    "sample_of",
    "splits_of",
    "swap",
    "within",
]
