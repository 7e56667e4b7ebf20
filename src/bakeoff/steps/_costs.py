"""Working of ROC curves, hulls, cost lines, isocost lines and decisions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from bakeoff._core.language import Text, current_language, joined, listed, rule_in
from bakeoff._core.text import Figure
from bakeoff.steps._common import Around, interval, percent, table, terms
from bakeoff.steps._formula import Formula
from bakeoff.steps._step import Step

# -- ROC --------------------------------------------------------------------------------------------------------------


def roc_curve(result: Any, around: Around) -> Iterator[Step]:
    """Point by point from (0, 0), up for positives, right for negatives; then area, hull and slopes."""
    counted = not math.isnan(result.n_positive) and result.fpr.size > 1
    if counted:
        yield Step(
            Text("Classes"),
            Text(
                "{n_positive} positives and {n_negative} negatives: a positive is a step of 1/{n_positive} up, a "
                "negative one of 1/{n_negative} to the right. Equal scores are one step.",
                n_positive=Figure(result.n_positive), n_negative=Figure(result.n_negative),
            ),
        )  # fmt: skip
    yield Step(Text("Points of the curve"), table=_points(result, counted))
    if counted:
        yield _area(result)
    yield from _hull_slopes(result.fpr, result.tpr)


def _points(result: Any, counted: bool) -> Any:
    columns: dict[Any, Any] = {Text("score"): result.thresholds}
    if counted:
        columns[Text("positives")] = np.diff(result.tpr, prepend=0.0) * result.n_positive
        columns[Text("negatives")] = np.diff(result.fpr, prepend=0.0) * result.n_negative
    on_hull = {(v[0], v[1]) for v in _hull(result.fpr, result.tpr)}
    columns |= {"FPR": result.fpr, "TPR": result.tpr}
    marks = [Text("hull") if (x, y) in on_hull else "" for x, y in zip(result.fpr, result.tpr, strict=True)]
    return _longer(table({name: _rounded(cells) for name, cells in columns.items()} | {"": marks}))


def _longer(made: Any) -> Any:
    """A curve of a lecture's twenty cases is shown whole."""
    return replace(made, max_rows=30, last_rows=6)


def _rounded(values: Any) -> list[float]:
    """Shares of whole counts, without the noise of binary arithmetic."""
    return [round(float(v), 10) for v in values]


def _hull(fpr: Any, tpr: Any) -> list[tuple[float, float]]:
    from bakeoff.stats import roc_hull

    made = roc_hull(fpr, tpr)
    return list(zip(made.fpr.tolist(), made.tpr.tolist(), strict=True))


def _area(result: Any) -> Step:
    """Pairs won by the positives, positive by positive."""
    ups = np.diff(result.tpr) * result.n_positive
    rights = np.diff(result.fpr) * result.n_negative
    below = result.n_negative * (1 - result.fpr[1:]) + rights / 2
    wins = float((ups * below).sum())
    pairs = result.n_positive * result.n_negative
    whole = bool(np.allclose(ups, np.rint(ups)))
    each = np.repeat(below, np.rint(ups).astype(int)) if whole and result.n_positive <= 1000 else ups * below
    text = Text(
        "For each positive, the negatives below it (ties count half): {sum} = {wins} of {n_positive} · {n_negative} = "
        "{pairs} pairs.",
        sum=terms(_rounded(each), most=12), wins=Figure(round(wins, 10)), n_positive=Figure(result.n_positive),
        n_negative=Figure(result.n_negative), pairs=Figure(pairs),
    )  # fmt: skip
    formula = Formula("AUC = {wins} / {pairs} = {auc}", wins=round(wins, 10), pairs=pairs, auc=wins / pairs)
    return Step(Text("Area under the curve"), text, formula)


def _hull_slopes(fpr: Any, tpr: Any) -> Iterator[Step]:
    corners = _hull(fpr, tpr)
    rows = []
    for (x0, y0), (x1, y1) in pairwise(corners):
        rows.append(
            (
                f"({Figure(x0)!s}; {Figure(y0)!s})",
                f"({Figure(x1)!s}; {Figure(y1)!s})",
                (y1 - y0) / (x1 - x0) if x1 > x0 else math.inf,
            )
        )
    text = Text("A corner is the best where the slope of the isocost lines lies between those of its two edges.")
    columns = {
        Text("from"): [r[0] for r in rows],
        Text("to"): [r[1] for r in rows],
        Text("slope"): [round(r[2], 10) for r in rows],
    }
    yield Step(Text("Convex hull and slopes of its edges"), text, table=table(columns))
    gaps = [(round(y - x, 12), f"({Figure(x)!s}; {Figure(y)!s})") for x, y in corners]
    most = max(g for g, _ in gaps)
    best = [p for g, p in gaps if g == most]
    said = (
        Text("At slope 1 the largest TPR − FPR is the best: {points}, {gap}.", points=best[0], gap=Figure(most))
        if len(best) == 1
        else Text(
            "At slope 1 the largest TPR − FPR is the best: {points} share it, {gap} (a tie).",
            points=", ".join(best),
            gap=Figure(most),
        )
    )
    yield Step(Text("Best point at slope 1"), said)


def precision_recall(result: Any, around: Around) -> Iterator[Step]:
    """Precision and recall at each score."""
    columns = {Text("score"): result.thresholds, Text("recall"): result.recall, Text("precision"): result.precision}
    text = Text(
        "“Always positive” has precision {prevalence}, the share of positives.", prevalence=Figure(result.prevalence)
    )
    yield Step(Text("Points of the curve"), text, table=_longer(table(columns)))


def analysis(result: Any, around: Around) -> Iterator[Step]:
    """Every model's curve, area and interval; then the hull over all."""
    for model, curve in result.curves.items():
        for step in roc_curve(curve, around):
            yield Step(Text("{model}: {title}", model=model, title=step.title), step.text, step.formula, step.table)
        found = result.auc[model]
        yield Step(Text("{model}: {title}", model=model, title=Text("Confidence interval")), interval(found).text)
    if len(result.curves) > 1:
        yield from hull(result.hull, around)


def hull(result: Any, around: Around) -> Iterator[Step]:
    """Corners, slopes, who is never the best, and who is where."""
    points = {name: (c.fpr[1], c.tpr[1]) for name, c in result.curves.items() if c.fpr.size == 3}
    if points:
        columns = {
            Text("model"): list(points), "FPR": [x for x, _ in points.values()], "TPR": [y for _, y in points.values()],
            "TPR − FPR": [round(y - x, 12) for x, y in points.values()],
        }  # fmt: skip
        text = Text("Up and to the left is better; the diagonal is guessing.")
        yield Step(Text("Points in ROC space"), text, table=table(columns))
    corners = result.vertices
    slopes: list[Any] = [None]
    for before, after in pairwise(corners):
        gap = after.fpr - before.fpr
        slopes.append(round((after.tpr - before.tpr) / gap, 10) if gap > 0 else math.inf)
    columns = _place(corners) | {Text("slope up to here"): slopes}
    yield Step(Text("Convex hull and slopes of its edges"), table=table(columns))
    beaten = result.dominated
    if beaten:
        rows = {Text("model"): list(beaten), Text("beaten by"): [_beaten_by(v) for v in beaten.values()]}
        yield Step(Text("Below the hull: never the best"), table=table(rows))
    yield _who_where(result.ranges())


def _place(points: Sequence[Any]) -> dict[Any, Any]:
    """Columns: whose points of ROC space, and where they are."""
    model, fpr, tpr = zip(*((p.model, p.fpr, p.tpr) for p in points), strict=True) if points else ((), (), ())
    return {Text("model"): model, "FPR": fpr, "TPR": tpr}


def _beaten_by(found: Any) -> str:
    by = getattr(found, "by", found)
    names = by if isinstance(by, (tuple, list, set, frozenset)) else (by,)
    return ", ".join(str(rule_in(current_language(), name)) for name in names)


def _who_where(ranges: Any) -> Step:
    text = Text("PC(+) = P · c_FN / (P · c_FN + N · c_FP) sums up prevalence and costs in one number from 0 to 1.")
    columns = {
        Text("model"): [r.model for r in ranges],
        Text("PC(+) from"): [r.pc_low for r in ranges],
        Text("PC(+) to"): [r.pc_high for r in ranges],
    }
    return Step(Text("Who is cheapest where"), text, table=table(columns))


# -- costs ------------------------------------------------------------------------------------------------------------


def cost_curve(result: Any, around: Around) -> Iterator[Step]:
    """The line of each point, the envelope, and who is cheapest where."""
    names, at_zero, at_one = [], [], []
    for model in (*result.trivial, *result.models):
        for low, high in np.asarray(result.lines(model)).reshape(-1, 2).tolist():
            names.append(model)
            at_zero.append(low)
            at_one.append(high)
    text = Text(
        "A point (FPR, TPR) is the line from FPR at PC(+) = 0 to 1 − TPR at PC(+) = 1. Equations of these lines:"
    )
    equations = [_line(a, b) for a, b in zip(at_zero, at_one, strict=True)]
    columns = {Text("model"): names, "FPR": at_zero, "1 − TPR": at_one, Text("normalised cost"): equations}
    yield Step(Text("Cost lines"), text, table=table(columns))
    yield from cost_envelope(result.envelope, around)
    yield _who_where(result.ranges())
    yield Step(
        Text("Area under the envelope"),
        Text("The mean normalised cost if every PC(+) is as likely."),
        Formula("{r.area}", r=result),
    )


def _line(fpr: float, fnr: float) -> str:
    return f"{Figure(fpr)!s} · (1 − x) + {Figure(fnr)!s} · x"


def isocost(result: Any, around: Around) -> Iterator[Step]:
    """Slope and intercept of the points of one cost."""
    context = result.context
    yield _slope(context)
    lines = "TPR = {slope} · FPR + {intercept}"
    if context.cost_tp == 0 and context.cost_tn == 0:
        lines = "TPR = m · FPR + 1 − cost / (P · c_FN) = {slope} · FPR + 1 − {line.expected_cost} / {miss} = "
        lines += "{slope} · FPR + {intercept}"
    formula = Formula(
        lines, line=result, slope=round(result.slope, 12), intercept=round(result.intercept, 12),
        miss=context.prevalence * context.cost_fn,
    )  # fmt: skip
    text = Text("All points of it cost {cost} per case.", cost=Figure(result.expected_cost))
    yield Step(Text("Isocost line"), text, formula)


def _slope(context: Any) -> Step:
    p = context.prevalence
    fp, fn = context.cost_fp - context.cost_tn, context.cost_fn - context.cost_tp
    return Step(
        Text("Slope of the isocost lines, and PC(+)"),
        Text(
            "P: share of positives, N = 1 − P; c_FP, c_FN: costs of a false positive and of a false negative (above "
            "those of right answers)."
        ),
        Formula(
            "m = c_FP · N / (c_FN · P) = {fp} · {n} / ({fn} · {p}) = {slope}\n"
            "PC = P · c_FN / (P · c_FN + N · c_FP) = {miss} / ({miss} + {alarm}) = {pc}",
            fp=fp, fn=fn, n=1 - p, p=p, slope=round(context.slope, 12), miss=p * fn, alarm=(1 - p) * fp, pc=context.pc,
        ),
    )  # fmt: skip


def tangent(result: Any, around: Around) -> Iterator[Step]:
    """The first point that the line touches."""
    yield from isocost(result.line, around)
    points = [result.point] if result.runner_up is None else [result.point, result.runner_up]
    columns = _place(points) | {Text("expected cost"): [p.expected_cost for p in points]}
    yield Step(Text("First touched, and the second best"), table=table(columns))


def decision(result: Any, around: Around) -> Iterator[Step]:
    """Slope, expected cost of everything one could do, the choice, and how sure it is."""
    context, every = result.context, result._every
    two = hasattr(context, "slope") and getattr(context, "prevalence", None) is not None
    if two:
        yield _slope(context)
        yield _expected_costs(context, every)
    columns = {
        Text("model"): [a.model for a in every],
        Text("threshold"): [None if a.threshold is None or math.isinf(a.threshold) else a.threshold for a in every],
        Text("expected cost"): [a.expected_cost.estimate for a in every],
        Text("low"): [a.expected_cost.low for a in every],
        Text("high"): [a.expected_cost.high for a in every],
        Text("more than the choice"): [a.regret.estimate for a in every],
    }
    words: list[Text | str] = [Text("Cheapest: {model}.", model=result.model)]
    if result.cross_fitted:
        words.append(
            Text(
                "A threshold chosen on the same rows looks {optimism} too cheap; here each is paid for by rows "
                "that did not choose it.",
                optimism=Figure(result.optimism),
            )
        )
    yield Step(Text("Costs of all, with their intervals"), joined(words), table=table(columns))
    if result.calibrated_threshold is not None and two:
        yield Step(
            Text("Threshold for calibrated probabilities"),
            Text("Moved to the prevalence of these rows: {threshold}.", threshold=Figure(result.calibrated_threshold)),
            Formula(
                "t = c_FP / (c_FP + c_FN) = {fp} / ({fp} + {fn}) = {context.threshold}",
                fp=context.cost_fp - context.cost_tn, fn=context.cost_fn - context.cost_tp, context=context,
            ),
        )  # fmt: skip
    share = Text("In {share} % of the resamples the choice falls on it.", share=percent(result.p_best))
    same = Text("Not shown to cost more: {models}.", models=listed(result.not_worse, most=99))
    yield Step(Text("How sure is the choice?"), joined([share, same]))


def _expected_costs(context: Any, every: Any) -> Step:
    known = [a for a in every if not math.isnan(a.fpr)]
    p = context.prevalence
    terms_of = [
        f"{Figure(p)!s} · {Figure(round(1 - a.tpr, 12))!s} · {Figure(context.cost_fn)!s} + {Figure(1 - p)!s} · "
        f"{Figure(round(a.fpr, 12))!s} · {Figure(context.cost_fp)!s}"
        for a in known
    ]
    columns = _place(known) | {
        "P · FNR · c_FN + N · FPR · c_FP": terms_of,
        Text("expected cost"): [round(context.expected_cost(a.fpr, a.tpr), 10) for a in known],
    }
    text = Text("Cost per case from the rates on these rows (costs of right answers are added where there are any).")
    return Step(Text("Expected cost"), text, table=table(columns))


def cost_envelope(result: Any, around: Around) -> Iterator[Step]:
    """Breakpoints and costs."""
    columns = {"PC(+)": result.pc, Text("normalised cost"): result.cost}
    yield Step(Text("Lower envelope"), Text("Where two neighbouring lines cross:"), table=table(columns))


def hull_points(result: Any, around: Around) -> Iterator[Step]:
    """Corners and slopes."""
    yield from _hull_slopes(result.fpr, result.tpr)


# -- net benefit and calibration --------------------------------------------------------------------------------------


def decision_curves(result: Any, around: Around) -> Iterator[Step]:
    """Net benefit at each threshold probability."""
    t = result.threshold
    yield Step(
        Text("Net benefit"),
        Text(
            "Who is at least t likely to be positive is treated. A false positive counts t / (1 − t) of a true one. "
            "Treating all: P − N · t / (1 − t); treating none: 0."
        ),
        Formula("NB = TP / n − FP / n · t / (1 − t), P = {r.prevalence}", r=result),
    )
    columns: dict[Any, Any] = {"t": t, "t / (1 − t)": t / (1 - t)}
    yield Step(Text("Net benefit of each model"), table=table(columns | dict(result.net_benefit)))
    yield Step(Text("What was found"), joined(result.sentences))


def calibration(result: Any, around: Around) -> Iterator[Step]:
    """Observed over expected, slope, distances; and the groups behind the curve."""
    for model in result.models:
        found = {measure: made for (name, measure), made in result.intervals.items() if name == model}
        columns = {
            Text("measure"): [result._label(name) for name in found],
            Text("estimate"): [i.estimate for i in found.values()],
            Text("low"): [i.low for i in found.values()],
            Text("high"): [i.high for i in found.values()],
        }
        yield Step(Text("{model}: {title}", model=model, title=Text("Calibration in numbers")), table=table(columns))
        if result._rows is not None:
            for step in calibration_curve(result.curve(model), around):
                yield Step(Text("{model}: {title}", model=model, title=step.title), step.text, step.formula, step.table)


def calibration_curve(result: Any, around: Around) -> Iterator[Step]:
    """Stated and observed shares of each group."""
    columns = {
        Text("rows"): result.count,
        Text("stated"): result.stated,
        Text("observed"): result.observed,
        Text("low"): result.low,
        Text("high"): result.high,
    }
    text = Text("Rows in groups of like scores: the mean probability stated, and the share of positives seen.")
    yield Step(Text("Stated and observed"), text, table=table(columns))
    yield Step(
        Text("Line through the log odds"),
        Text("0 and 1 would be perfect; a slope below 1 is overconfident."),
        Formula("logit(P) = {r.intercept} + {r.slope} · logit(p)", r=result),
    )


WORKING = {
    "RocCurveResult": (Text("ROC curve, point by point"), roc_curve),
    "RocCurve": (Text("ROC curve, point by point"), roc_curve),
    "PrecisionRecallResult": (Text("Precision and recall, point by point"), precision_recall),
    "RocAnalysis": (Text("ROC analysis"), analysis),
    "RocHull": (Text("Convex hull of ROC space"), hull),
    "RocHullResult": (Text("Convex hull of ROC space"), hull_points),
    "CostCurve": (Text("Cost curves"), cost_curve),
    "CostEnvelopeResult": (Text("Cost curves"), cost_envelope),
    "IsocostLine": (Text("Isocost line"), isocost),
    "Tangent": (Text("Where the isocost line touches the hull"), tangent),
    "Decision": (Text("The decision of least cost"), decision),
    "DecisionCurves": (Text("Decision curves: net benefit"), decision_curves),
    "Calibration": (Text("Are the probabilities right?"), calibration),
    "CalibrationCurve": (Text("Calibration curve"), calibration_curve),
}
