"""`bakeoff demo`: a real comparison of several models on real data, from predictions to the verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Option

from bakeoff._core.language import translate
from bakeoff.cli import _options as opt

EXAMPLE = """Example:

  bakeoff demo --folder my-demo
"""


def demo(
    folder: Annotated[Path, Option("--folder", help="Where to write what it makes.")] = Path("bakeoff-demo"),
    seed: Annotated[int, Option("--seed", help="Seed of everything random.")] = 0,
    open_page: Annotated[bool, Option("--open", help="Open the report in the browser.")] = False,
    steps: opt.Steps = False,
    as_json: opt.Json = False,
) -> None:
    """Compare four models on scikit-learn's breast-cancer data, from predictions to the report."""
    from bakeoff.cli._output import print_json, print_steps, say, write_csv
    from bakeoff.comparison import compare
    from bakeoff.decision import OperatingContext, decide
    from bakeoff.intervals import evaluate
    from bakeoff.report import report

    if not as_json:
        say(
            translate(
                "Four models on the breast-cancer data of scikit-learn (569 tumours), 10-fold cross-validation ..."
            )
        )
    predictions = _predictions(folder, seed)
    measures = ("accuracy", "recall", "specificity", "auc", "brier")
    evaluation = evaluate(predictions, measures, rng=seed, baselines=True)
    comparison = compare(predictions, "auc", rng=seed)
    context = OperatingContext(prevalence=0.1, cost_fp=100, cost_fn=5000)
    decision = decide(predictions, context, rng=seed)
    write_csv(evaluation, folder / "evaluation.csv")
    page = folder / "report.html"
    title = translate("Four models on the breast-cancer data")
    report(predictions, comparison, decision, context, title=title, rng=seed).save(page)
    answers = {"evaluation": evaluation, "comparison": comparison, "decision": decision}
    if as_json:
        found = {name: answer.to_dict() for name, answer in answers.items()}
        if steps:
            found["steps"] = {name: answer.steps()._plain() for name, answer in answers.items()}
        print_json({"kind": "Demo", "schema_version": 1, **found, "report": str(page)})
    else:
        _show(**answers, page=page)
        if steps:
            for answer in answers.values():
                print_steps(answer)
    if open_page:
        import webbrowser

        webbrowser.open(page.resolve().as_uri())


def _predictions(folder: Path, seed: int) -> Any:
    """Write the out-of-fold predictions, and read them back as a user would."""
    from bakeoff.evidence import Predictions

    folder.mkdir(parents=True, exist_ok=True)
    table = _out_of_fold(seed)
    path = folder / "predictions.csv"
    table.write_csv(path)
    models = [c for c in table.columns if c not in ("tumour", "fold")]
    return Predictions.read(path, y_true="tumour", y_score=models, fold="fold", pos_label="malignant")


def _show(*, evaluation: Any, comparison: Any, decision: Any, page: Path) -> None:
    from bakeoff.cli._output import print_view, say

    print_view(evaluation)
    say()
    for sentence in comparison.sentences:
        say(sentence)
    say()
    say(translate("If one tumour in ten is malignant, a false alarm costs 100 € and a miss 5000 €:"))
    say(decision.verdict)
    say()
    say(translate("Report: {path}", path=page))


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
