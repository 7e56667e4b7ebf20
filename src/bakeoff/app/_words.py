"""The words of the application page, handed to `web/app.js` in the language of the reader."""

from __future__ import annotations

from bakeoff._core.language import translate


def app_words() -> dict[str, str]:
    """Return every word of the page by its key in ``APP_TEXT``; fields in braces are filled by the page."""
    return {
        "serverAnswered": translate("The server answered {status}."),
        "refused": translate("refused"),
        "noRuns": translate(
            "No experiment here yet. Start `bakeoff serve FOLDER` with a folder of runs, "
            "or drop a file in the next tab."
        ),
        "experiments": translate("experiments"),
        "experiment": translate("experiment"),
        "models": translate("models"),
        "dataSets": translate("data sets"),
        "done": translate("done"),
        "failed": translate("failed"),
        "drop": translate(
            "Drop a CSV or Parquet file of predictions (one row per case, one column per model) "
            "or of scores (rows data sets, columns models)."
        ),
        "choose": translate("or choose a file:"),
        "reading": translate("Reading {name} …"),
        "whatIsEach": translate("{name}: {rows} rows. What is each column?"),
        "column": translate("column"),
        "firstValues": translate("first values"),
        "is": translate("is"),
        "positiveClass": translate("positive class"),
        "pick": translate("– choose –"),
        "fileHolds": translate("the file holds"),
        "holdsPredictions": translate("predictions: one row per case"),
        "holdsScores": translate("scores: one row per data set"),
        "compareModels": translate("Compare the models"),
        "roleScores": translate("scores of a model"),
        "roleTruth": translate("the truth"),
        "roleDataset": translate("name of the data set"),
        "roleSkip": translate("leave out"),
        "roleLabels": translate("labels of a model"),
        "roleValues": translate("values of a model"),
        "roleFold": translate("fold"),
        "roleRepeat": translate("repeat"),
        "roleGroup": translate("group"),
        "roleOf": translate("role of {name}"),
        "computing": translate("Computing …"),
        "asFits": translate("as fits the evidence"),
        "measure": translate("measure"),
        "allPairs": translate("all pairs"),
        "control": translate("control"),
        "confidence": translate("confidence level"),
        "margin": translate("margin"),
        "again": translate("start again"),
        "accuracy": translate("accuracy"),
        "toShow": translate("difference to show"),
        "power": translate("power"),
        "toBeat": translate("value of the model to beat"),
        "correlation": translate("correlation of the two models"),
        "share": translate("share of positives"),
    }
