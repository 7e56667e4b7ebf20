"""The explorer's own words: English stands in ``web/explorer.js``, the other languages are handed to the page."""

from __future__ import annotations

from bakeoff._core.language import current_language, tr


def explorer_words() -> dict[str, str]:
    """Return the words of the explorer by key in the active language; nothing for English, which the page knows.

    Fields in braces are filled in by the page, as the context moves.
    """
    return {} if current_language() == "en" else {**_pictures(), **_controls(), **_answer(), **_cases()}


def _pictures() -> dict[str, str]:
    return {
        "models": tr("Models"),
        "rocTitle": tr("ROC space"),
        "costTitle": tr("Cost curves"),
        "matrixTitle": tr("What happens to 1000 cases"),
        "rulesTitle": tr("The rules, cheapest first"),
        "fpr": tr("false positive rate"),
        "tpr": tr("true positive rate"),
        "pcTitle": tr("PC(+): how much the positives matter"),
        "necTitle": tr("normalised expected cost"),
        "slope": tr("slope"),
        "dragIsocost": tr("Isocost line: turn it to change the cost of a miss"),
        "dragPc": tr("Context: move it to change the cost of a miss"),
        "dragPoint": tr("Operating point: move it to fix the threshold"),
        "brushHint": tr("Drag over the coloured strip to compare models over a range of contexts."),
    }


def _controls() -> dict[str, str]:
    return {
        "prevalence": tr("Prevalence of"),
        "costFp": tr("Cost of a false alarm"),
        "costFn": tr("Cost of a miss"),
        "costTp": tr("Cost of a hit"),
        "costTn": tr("Cost of a correct pass"),
        "rightCosts": tr("Costs of right answers"),
        "currency": tr("Currency"),
        "asInData": tr("Prevalence as in the data"),
        "policy": tr("Threshold"),
        "policyCheapest": tr("cheapest for the context"),
        "policyFixed": tr("fixed (drag the point)"),
        "copyPython": tr("Copy as Python"),
        "copyCommand": tr("Copy as command"),
        "copyLink": tr("Copy link"),
    }


def _answer() -> dict[str, str]:
    return {
        "atThreshold": tr("at threshold"),
        "modelWins": tr("Use {rule}: {cost} a case (interval {low} to {high}); cheapest in {p} of resamples."),
        "trivialWins": tr("“{model}” is cheapest, {cost} a case: no model is worth deploying here."),
        "runnerUp": tr("Next is {model}, {more} more."),
        "rule": tr("rule"),
        "threshold": tr("threshold"),
        "cost": tr("cost a case"),
        "interval": tr("interval"),
        "pBest": tr("cheapest in"),
        "regret": tr("more than best"),
        "overRange": tr("Mean regret over"),
        "worst": tr("worst"),
        "clearRange": tr("clear range"),
    }


def _cases() -> dict[str, str]:
    return {
        "per1000": tr("Of 1000 cases at a prevalence of"),
        "called": tr("called"),
        "truly": tr("truly"),
        "hits": tr("hits"),
        "misses": tr("misses"),
        "alarms": tr("false alarms"),
        "passes": tr("correct passes"),
    }
