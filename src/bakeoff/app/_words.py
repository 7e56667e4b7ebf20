"""The words of the application page, handed to `web/app.js` in the language of the reader."""

from __future__ import annotations

from bakeoff._core.language import tr


def app_words() -> dict[str, str]:
    """Return every word of the page by its key in ``APP_TEXT``; fields in braces are filled by the page."""
    return {
        "serverAnswered": tr("The server answered {status}."),
        "refused": tr("refused"),
        "noRuns": tr(
            "No experiment here yet. Start `bakeoff serve FOLDER` with a folder of runs, "
            "or drop a file in the next tab."
        ),
        "experiments": tr("experiments"),
        "experiment": tr("experiment"),
        "models": tr("models"),
        "dataSets": tr("data sets"),
        "done": tr("done"),
        "failed": tr("failed"),
        "drop": tr(
            "Drop a CSV or Parquet file of predictions (one row per case, one column per model) "
            "or of scores (rows data sets, columns models)."
        ),
        "choose": tr("or choose a file:"),
        "reading": tr("Reading {name} …"),
        "whatIsEach": tr("{name}: {rows} rows. What is each column?"),
        "column": tr("column"),
        "firstValues": tr("first values"),
        "is": tr("is"),
        "positiveClass": tr("positive class"),
        "pick": tr("– choose –"),
        "fileHolds": tr("the file holds"),
        "holdsPredictions": tr("predictions: one row per case"),
        "holdsScores": tr("scores: one row per data set"),
        "compareModels": tr("Compare the models"),
        "roleScores": tr("scores of a model"),
        "roleTruth": tr("the truth"),
        "roleDataset": tr("name of the data set"),
        "roleSkip": tr("leave out"),
        "roleLabels": tr("labels of a model"),
        "roleValues": tr("values of a model"),
        "roleFold": tr("fold"),
        "roleRepeat": tr("repeat"),
        "roleGroup": tr("group"),
        "roleOf": tr("role of {name}"),
        "computing": tr("Computing …"),
        "asFits": tr("as fits the evidence"),
        "measure": tr("measure"),
        "allPairs": tr("all pairs"),
        "control": tr("control"),
        "confidence": tr("confidence level"),
        "margin": tr("margin"),
        "again": tr("start again"),
        "accuracy": tr("accuracy"),
        "toShow": tr("difference to show"),
        "power": tr("power"),
        "toBeat": tr("value of the model to beat"),
        "correlation": tr("correlation of the two models"),
        "share": tr("share of positives"),
    }
