"""`bakeoff demo`: a real comparison of several models on real data, from predictions to the verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from bakeoff._core.language import tr

_EXAMPLE = """Example:

  bakeoff demo --folder my-demo
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo", epilog=_EXAMPLE)(demo)


def demo(
    folder: Annotated[Path, typer.Option("--folder", help="Where to write what it makes.")] = Path("bakeoff-demo"),
    seed: Annotated[int, typer.Option("--seed", help="Seed of everything random.")] = 0,
) -> None:
    """Compare four models on scikit-learn's breast-cancer data and write the predictions and the table."""
    from bakeoff.cli._evaluate import show
    from bakeoff.cli._output import say, write_csv
    from bakeoff.evidence import Predictions
    from bakeoff.intervals import evaluate

    say(tr("Four models on the breast-cancer data of scikit-learn (569 tumours), 10-fold cross-validation ..."))
    folder.mkdir(parents=True, exist_ok=True)
    table = _out_of_fold(seed)
    path = folder / "predictions.csv"
    table.write_csv(path)
    predictions = Predictions.read(
        path, y_true="tumour", y_score=[c for c in table.columns if c not in ("tumour", "fold")], fold="fold",
        pos_label="malignant",
    )  # fmt: skip
    evaluation = evaluate(predictions, rng=seed, baselines=True)
    show(evaluation)
    write_csv(evaluation, folder / "evaluation.csv")
    say(tr("Written: {files}", files=", ".join(str(folder / n) for n in ("predictions.csv", "evaluation.csv"))))


def _out_of_fold(seed: int) -> Any:
    """Out-of-fold probabilities of malignancy, every model on the same folds."""
    import polars as pl
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    data = load_breast_cancer()
    malignant = data.target == 0
    folds = list(StratifiedKFold(10, shuffle=True, random_state=seed).split(data.data, malignant))
    fold = pl.Series([0] * len(malignant))
    for number, (_, test) in enumerate(folds):
        fold[test] = number
    columns = {
        name: cross_val_predict(model, data.data, malignant, cv=folds, method="predict_proba")[:, 1].round(6)
        for name, model in _models(seed).items()
    }
    tumour = ["malignant" if m else "benign" for m in malignant]
    return pl.DataFrame({"tumour": tumour, "fold": fold, **columns})


def _models(seed: int) -> dict[str, Any]:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    return {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)),
        "forest": RandomForestClassifier(100, random_state=seed),
        "naive-bayes": GaussianNB(),
        "tree": DecisionTreeClassifier(max_depth=5, random_state=seed),
    }
