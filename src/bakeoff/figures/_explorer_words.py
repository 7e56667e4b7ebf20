"""The explorer's own words: English stands in ``web/explorer.js``, the other languages are handed to the page."""

from __future__ import annotations

from bakeoff._core.language import current_language, translate


def explorer_words() -> dict[str, str]:
    """Return the words of the explorer by key in the active language; nothing for English, which the page knows.

    Fields in braces are filled in by the page, as the context moves.
    """
    return {} if current_language() == "en" else {**_pictures(), **_controls(), **_answer(), **_cases()}


def _pictures() -> dict[str, str]:
    return {
        "models": translate("Models"),
        "rocTitle": translate("ROC space"),
        "costTitle": translate("Cost curves"),
        "matrixTitle": translate("What happens to 1000 cases"),
        "rulesTitle": translate("The rules, cheapest first"),
        "fpr": translate("false positive rate"),
        "tpr": translate("true positive rate"),
        "pcTitle": translate("PC(+): how much the positives matter"),
        "necTitle": translate("normalised expected cost"),
        "slope": translate("slope"),
        "dragIsocost": translate("Isocost line: turn it to change the cost of a miss"),
        "dragPc": translate("Context: move it to change the cost of a miss"),
        "dragPoint": translate("Operating point: move it to fix the threshold"),
        "brushHint": translate("Drag over the coloured strip to compare models over a range of contexts."),
    }


def _controls() -> dict[str, str]:
    return {
        "prevalence": translate("Prevalence of"),
        "costFp": translate("Cost of a false alarm"),
        "costFn": translate("Cost of a miss"),
        "costTp": translate("Cost of a hit"),
        "costTn": translate("Cost of a correct pass"),
        "rightCosts": translate("Costs of right answers"),
        "currency": translate("Currency"),
        "asInData": translate("Prevalence as in the data"),
        "policy": translate("Threshold"),
        "policyCheapest": translate("cheapest for the context"),
        "policyFixed": translate("fixed (drag the point)"),
        "copyPython": translate("Copy as Python"),
        "copyCommand": translate("Copy as command"),
        "copyLink": translate("Copy link"),
    }


def _answer() -> dict[str, str]:
    return {
        "atThreshold": translate("at threshold"),
        "modelWins": translate("Use {rule}: {cost} a case (interval {low} to {high}); cheapest in {p} of resamples."),
        "trivialWins": translate("“{model}” is cheapest, {cost} a case: no model is worth deploying here."),
        "runnerUp": translate("Next is {model}, {more} more."),
        "rule": translate("rule"),
        "threshold": translate("threshold"),
        "cost": translate("cost a case"),
        "interval": translate("interval"),
        "pBest": translate("cheapest in"),
        "regret": translate("more than best"),
        "overRange": translate("Mean regret over"),
        "worst": translate("worst"),
        "clearRange": translate("clear range"),
    }


def _cases() -> dict[str, str]:
    return {
        "per1000": translate("Of 1000 cases at a prevalence of"),
        "called": translate("called"),
        "truly": translate("truly"),
        "hits": translate("hits"),
        "misses": translate("misses"),
        "alarms": translate("false alarms"),
        "passes": translate("correct passes"),
    }
