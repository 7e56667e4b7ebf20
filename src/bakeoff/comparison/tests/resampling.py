"""Any measure on the same instances, by resampling and swapping them: bootstrap and permutation."""

from __future__ import annotations

from bakeoff._core.language import Text
from bakeoff.comparison._conditions import BY_NAME, ON_ROWS, DesignFacts
from bakeoff.comparison._entry import Reference, Test, Words
from bakeoff.comparison._jobs import InstanceJob
from bakeoff.comparison._on_resampling import bootstrap, permutation
from bakeoff.comparison._planners import CannotPlan
from bakeoff.measures import label_of

_PERMUTATION_TEST = Text("permutation test")
_SIMULATE = CannotPlan(Text("it would take a simulation of your own models' answers"))


def _because(facts: DesignFacts) -> Text:
    measure = label_of(facts.measure)
    if facts.weighted:
        return Text("the rows are weighted: they are resampled with their weights")
    if facts.grouped:
        return Text("{measure} on rows in clusters: whole clusters are resampled", measure=measure)
    return Text("{measure} on one test set: rows are resampled for all models alike", measure=measure)


TESTS = (
    Test(
        name="bootstrap",
        label=Text("the paired bootstrap"),
        reads=InstanceJob,
        run=bootstrap,
        needs=ON_ROWS,
        because=_because,
        why=Text("no formula is known: rows are resampled for all models alike"),
        also=Text("valid here too; it needs random numbers where a formula is at hand"),
        plan=_SIMULATE,
        references=(
            Reference("Efron (1987), Better bootstrap confidence intervals", "10.1080/01621459.1987.10478410"),
        ),
    ),
    Test(
        name="permutation",
        label=Text("the paired permutation test"),
        reads=InstanceJob,
        run=permutation,
        needs=(*ON_ROWS, BY_NAME),
        also=Text("valid here too; it asks whether the models are exchangeable, and needs random numbers"),
        plan=_SIMULATE,
        words=Words(pair=_PERMUTATION_TEST),
        references=(
            Reference(
                "Pitman (1937), Significance tests which may be applied to samples from any populations",
                "10.2307/2984124",
            ),
        ),
    ),
)
