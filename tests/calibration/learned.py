"""Evidence with a known truth from learners of scikit-learn: populations, samples with structure, refits over folds.

*Fixed models*: two learners are trained once on a few rows; a population of many rows carries their answers, so that
every measure, and every difference, has a known value. A design draws rows of it: alone, in groups, with weights.
*Refitted models*: a design draws rows, cuts folds and trains in each. Both models are the same learner on two noisy
copies of the features, equal in expectation by symmetry; what such a learner reaches is the mean over many runs.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from bakeoff import Predictions
from bakeoff.measures import compute, for_rows, get

N_POPULATION = 120_000

Array = Any
Given = dict[str, Any]


@dataclass(frozen=True)
class Population:
    """Rows that stand for all there could be.

    Attributes
    ----------
    truth
        What is true of each row.
    answers
        What models `a` and `b` answer: scores, or values.
    kind
        ``"y_score"`` or ``"y_value"``.
    group
        Group of each row, in order; empty without groups.
    weight
        Weight under which a biased draw, with chance 1/weight, stands for the population; empty without.
    """

    truth: Array
    answers: dict[str, Array]
    kind: str
    group: Array
    weight: Array

    def predictions(self, chosen: Array, **extra: Any) -> Predictions:
        """Some rows as evidence."""
        if self.kind == "y_score":
            classes = np.unique(self.truth).tolist()
            extra |= {"classes": classes} | ({"pos_label": 1} if len(classes) == 2 else {})
        return Predictions.from_arrays(
            self.truth[chosen], **{self.kind: {m: v[chosen] for m, v in self.answers.items()}}, **extra
        )

    def values(self, measures: tuple[str, ...]) -> dict[str, dict[str, float]]:
        """The measures of both models over all rows."""
        (rows,) = self.predictions(slice(None))
        return {m: {k: float(compute(for_rows(get(m), rows), rows, k).value) for k in "ab"} for m in measures}


@dataclass(frozen=True)
class Design:
    """How rows are drawn, and of which measures the default routes are asked.

    Attributes
    ----------
    population
        Name of the population.
    draw
        Random numbers and a population → evidence.
    one, two
        Measures asked of one model, and of the difference of two.
    """

    population: str
    draw: Callable[[np.random.Generator, Population], Predictions]
    one: tuple[str, ...]
    two: tuple[str, ...]


# -- populations ------------------------------------------------------------------------------------------------------


def _bundled(name: str) -> tuple[Array, Array]:
    import sklearn.datasets

    x, y = getattr(sklearn.datasets, f"load_{name}")(return_X_y=True)
    return (x - x.mean(0)) / (x.std(0) + 1e-9), y


def _smoothed(rng: np.random.Generator, name: str, n: int, noise: float) -> tuple[Array, Array]:
    """Rows of a bundled data set drawn again, with noise on every feature: as many as wanted, none twice."""
    x, y = _bundled(name)
    rows = rng.integers(len(y), size=n)
    return x[rows] + noise * rng.normal(size=(n, x.shape[1])), y[rows]


def _answers(learners: dict[str, Any], x: Array, y: Array, n_train: int, outcome: str) -> dict[str, Array]:
    """Both learners trained on the first rows, and their answers on all the others."""
    found = {}
    for name, learner in learners.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            learner.fit(x[:n_train], y[:n_train])
        if outcome == "y_value":
            found[name] = learner.predict(x[n_train:])
        else:
            p = learner.predict_proba(x[n_train:])
            found[name] = p[:, 1] if p.shape[1] == 2 else p
    return found


def _moons() -> Population:
    from sklearn.datasets import make_moons
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier

    x, y = make_moons(N_POPULATION, noise=0.45, random_state=1)
    learners = {"a": KNeighborsClassifier(9), "b": LogisticRegression()}
    return _plain(x, y, learners, 150)


def _screening() -> Population:
    """Six per cent positive, scores of a small forest (many ties) and of naive Bayes (too bold)."""
    from sklearn.datasets import make_classification
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.naive_bayes import GaussianNB

    x, y = make_classification(
        N_POPULATION, 8, n_informative=4, weights=[0.94], flip_y=0.01, class_sep=1.2, random_state=2
    )
    learners = {"a": RandomForestClassifier(30, max_depth=5, random_state=0), "b": GaussianNB()}
    return _plain(x, y, learners, 600)


def _tumours() -> Population:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LogisticRegression

    x, y = _smoothed(np.random.default_rng(3), "breast_cancer", N_POPULATION, 1.0)
    return _plain(x, y, {"a": LogisticRegression(C=0.05), "b": LinearDiscriminantAnalysis()}, 120)


def _wine() -> Population:
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    x, y = _smoothed(np.random.default_rng(4), "wine", N_POPULATION, 1.2)
    learners = {"a": LogisticRegression(C=0.1), "b": DecisionTreeClassifier(max_depth=4, min_samples_leaf=8)}
    return _plain(x, y, learners, 150)


def _diabetes() -> Population:
    from sklearn.ensemble import GradientBoostingRegressor
    from sklearn.linear_model import Ridge

    x, y = _smoothed(np.random.default_rng(5), "diabetes", N_POPULATION, 0.3)
    learners = {"a": Ridge(10.0), "b": GradientBoostingRegressor(n_estimators=40, max_depth=2, random_state=0)}
    return _plain(x, y, learners, 200, "y_value")


def _plain(x: Array, y: Array, learners: dict[str, Any], n_train: int, kind: str = "y_score") -> Population:
    return Population(y[n_train:], _answers(learners, x, y, n_train, kind), kind, np.array([]), np.array([]))


def _patients() -> Population:
    """Patients with 1 to 60 rows each: their own level of every feature, and their own share of positives."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    rng = np.random.default_rng(6)
    size = np.minimum(60, 1 + rng.geometric(0.09, 11_000))
    group = np.repeat(np.arange(size.size), size)
    odds, shift = rng.normal(size=size.size), 0.6 * rng.normal(size=(size.size, 4))
    y = (rng.random(group.size) < 1 / (1 + np.exp(0.6 - odds[group]))).astype(int)
    x = 0.7 * y[:, None] * np.array([1, 1, 0.5, 0]) + shift[group] + rng.normal(size=(group.size, 4))
    learners = {"a": LogisticRegression(), "b": GaussianNB()}
    n_train = int(np.flatnonzero(group == 30)[0])
    return Population(
        y[n_train:], _answers(learners, x, y, n_train, "y_score"), "y_score", group[n_train:], np.array([])
    )


def _survey() -> Population:
    """Who is harder to classify answers less often: weights rise to nine."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.neighbors import KNeighborsClassifier

    rng = np.random.default_rng(7)
    y = (rng.random(N_POPULATION) < 0.4).astype(int)
    age = rng.normal(size=N_POPULATION)
    x = y[:, None] * (1.1 - 0.4 * np.tanh(age))[:, None] + rng.normal(size=(N_POPULATION, 3))
    weight = np.round(1 + 4 / (1 + np.exp(-2.5 * age)), 2)
    learners = {"a": LogisticRegression(), "b": KNeighborsClassifier(15)}
    return Population(y[200:], _answers(learners, x, y, 200, "y_score"), "y_score", np.array([]), weight[200:])


_POPULATIONS = {
    "moons": _moons, "screening": _screening, "tumours": _tumours, "wine": _wine, "diabetes": _diabetes,
    "patients": _patients, "survey": _survey,
}  # fmt: skip


@cache
def population(name: str) -> Population:
    """One of the populations, made once."""
    return _POPULATIONS[name]()


@cache
def true_values(name: str, measures: tuple[str, ...]) -> dict[str, dict[str, float]]:
    """Its measures, computed once."""
    return population(name).values(measures)


# -- draws ------------------------------------------------------------------------------------------------------------


def alone(n: int) -> Callable[[np.random.Generator, Population], Predictions]:
    """Rows drawn independently."""
    return lambda rng, p: p.predictions(rng.integers(p.truth.size, size=n))


def in_groups(n: int, folds: int = 0) -> Callable[[np.random.Generator, Population], Predictions]:
    """Whole groups; with folds, these cut the groups."""

    def draw(rng: np.random.Generator, p: Population) -> Predictions:
        first = np.flatnonzero(np.r_[True, p.group[1:] != p.group[:-1]])
        last = np.r_[first[1:], p.group.size]
        drawn = rng.choice(first.size, size=n, replace=False)
        chosen = np.concatenate([np.arange(first[g], last[g]) for g in drawn])
        extra = {"fold": rng.permutation(chosen.size) % folds} if folds else {}
        return p.predictions(chosen, groups=p.group[chosen], **extra)

    return draw


def weighted(n: int) -> Callable[[np.random.Generator, Population], Predictions]:
    """Rows drawn with chance 1/weight, and given that weight."""

    def draw(rng: np.random.Generator, p: Population) -> Predictions:
        tried = rng.integers(p.truth.size, size=12 * n)
        chosen = tried[rng.random(tried.size) < 1 / p.weight[tried]][:n]
        return p.predictions(chosen, sample_weight=p.weight[chosen])

    return draw


_LABELS = ("accuracy", "recall", "precision", "npv", "f1", "kappa", "mcc", "balanced_accuracy")
_SCORES = ("auc", "average_precision", "brier", "log_loss")
_SEVERAL = ("accuracy", "balanced_accuracy", "f1_macro", "kappa", "mcc", "brier", "log_loss")
_VALUES = ("rmse", "mae", "r2")

DESIGNS: dict[str, Design] = {
    "moons, 9-NN and logistic regression, 120 rows": Design(
        "moons", alone(120), _LABELS + _SCORES, ("accuracy", "f1", "mcc", "auc", "brier")
    ),
    "screening, 6 % positive, forest and naive Bayes, 300 rows": Design(
        "screening", alone(300), _LABELS + _SCORES,
        ("recall", "precision", "f1", "auc", "average_precision", "log_loss"),
    ),
    "tumours, logistic regression and LDA, 80 rows": Design(
        "tumours", alone(80), _LABELS + _SCORES, ("accuracy", "kappa", "auc", "average_precision", "brier")
    ),
    "wine, three classes, logistic regression and tree, 100 rows": Design(
        "wine", alone(100), _SEVERAL, ("accuracy", "f1_macro", "kappa", "mcc", "brier")
    ),
    "diabetes, ridge and boosting, 60 rows": Design("diabetes", alone(60), _VALUES, _VALUES),
    "patients, 8 uneven groups": Design(
        "patients", in_groups(8), ("accuracy", "recall", "f1", "mcc", "auc", "brier"),
        ("accuracy", "f1", "auc", "brier"),
    ),
    "patients, 25 uneven groups": Design(
        "patients", in_groups(25), ("accuracy", "precision", "kappa", "auc", "average_precision", "log_loss"),
        ("accuracy", "kappa", "auc", "average_precision"),
    ),
    "patients, 25 uneven groups cut by 5 folds": Design(
        "patients", in_groups(25, 5), ("accuracy", "f1", "auc", "brier"), ("accuracy", "auc", "brier")
    ),
    "survey, weights 1 to 5, 250 rows": Design(
        "survey", weighted(250), ("accuracy", "recall", "f1", "mcc", "auc", "average_precision", "brier"),
        ("accuracy", "f1", "auc", "brier"),
    ),
}  # fmt: skip


# -- refits over folds ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Refits:
    """The same learner on two noisy copies of the features, trained again in every fold.

    Attributes
    ----------
    data, noise, n
        Bundled data set, noise on each copy, and rows drawn.
    learner
        Makes a learner.
    folds, repeats
        Folds in a repeat (as many as rows: leave-one-out), and repeats.
    measures
        Measures asked of one model, and of the difference.
    groups
        Rows in a group, folds of whole groups; 1 for none.
    two_classes
        Whether the classes are made two.
    """

    data: str
    noise: float
    n: int
    learner: Callable[[], Any]
    folds: int
    repeats: int
    measures: tuple[str, ...]
    groups: int = 1
    two_classes: bool = True


def _naive_bayes() -> Any:
    from sklearn.naive_bayes import GaussianNB

    return GaussianNB()


def _lda() -> Any:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1)


def _tree() -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=3, random_state=0)


def _neighbours() -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(5)


REFITS: dict[str, Refits] = {
    "LDA, breast_cancer, 100 rows, 2 x 5-fold": Refits(
        "breast_cancer", 3.0, 100, _lda, 5, 2, ("accuracy", "auc", "brier", "f1", "kappa")
    ),
    "naive Bayes, wine, three classes, 90 rows, 2 x 5-fold": Refits(
        "wine", 1.5, 90, _naive_bayes, 5, 2, ("accuracy", "f1_macro", "kappa", "brier"), two_classes=False
    ),
    "tree, wine, 100 rows, 2 x 5-fold": Refits("wine", 1.5, 100, _tree, 5, 2, ("accuracy", "f1", "auc", "mcc")),
    "5-NN, breast_cancer, 80 rows, 1 x 10-fold": Refits(
        "breast_cancer", 3.0, 80, _neighbours, 10, 1, ("accuracy", "auc", "average_precision")
    ),
    "LDA, breast_cancer, 60 rows, leave-one-out": Refits(
        "breast_cancer", 3.0, 60, _lda, 60, 1, ("accuracy", "brier", "f1")
    ),
    "tree, wine, 50 rows, leave-one-out": Refits("wine", 1.5, 50, _tree, 50, 1, ("accuracy", "brier")),
    "naive Bayes, breast_cancer, 20 groups of 6, 1 x 5-fold of groups": Refits(
        "breast_cancer", 3.0, 120, _naive_bayes, 5, 1, ("accuracy", "auc", "brier", "f1"), groups=6
    ),
    "tree, wine, 20 groups of 6, 2 x 5-fold of groups": Refits(
        "wine", 1.5, 120, _tree, 5, 2, ("accuracy", "auc", "brier"), groups=6
    ),
}


def drawn(rng: np.random.Generator, design: Refits, n: int) -> tuple[dict[str, Array], Array, Array]:
    """Features of both models, truth and group of n rows; a group shares half of the noise of its features."""
    x, y = _bundled(design.data)
    y = (y == 1).astype(int) if design.two_classes else y
    rows = rng.integers(len(y), size=n)
    group = np.arange(n) // design.groups

    def noise() -> Array:
        own = rng.normal(size=(n, x.shape[1]))
        if design.groups == 1:
            return design.noise * own
        return design.noise * np.sqrt(0.5) * (own + rng.normal(size=own.shape)[group])

    return {m: x[rows] + noise() for m in "ab"}, y[rows], group


def refitted(rng: np.random.Generator, design: Refits, n_new: int = 0) -> tuple[Predictions, dict[str, Array], Array]:
    """Out-of-fold predictions; and those of every fitted model on new rows, ``[models, n_new, ...]``."""
    x, y, group = drawn(rng, design, design.n)
    new_x, new_y, _ = drawn(rng, design, max(n_new, 1))
    n_groups, classes = group[-1] + 1, np.unique(_bundled(design.data)[1]).size if not design.two_classes else 2
    out = {m: np.zeros((design.repeats, design.n, classes)) for m in "ab"}
    new: dict[str, list[Array]] = {m: [] for m in "ab"}
    fold = np.empty((design.repeats, design.n), int)
    for r in range(design.repeats):
        order = rng.permutation(n_groups)
        if design.groups == 1:  # stratified
            order = order[np.argsort(y[order], kind="stable")]
        place = np.empty(n_groups, int)
        place[order] = np.arange(n_groups) % design.folds
        fold[r] = place[group]
        for k in range(design.folds):
            test = fold[r] == k
            for m in "ab":
                fit = design.learner().fit(x[m][~test], y[~test])
                out[m][r][np.ix_(test, fit.classes_)] = fit.predict_proba(x[m][test])
                if n_new:
                    p = np.zeros((n_new, classes))
                    p[:, fit.classes_] = fit.predict_proba(new_x[m])
                    new[m].append(p)
    scores = {m: v.reshape(-1, classes) for m, v in out.items()}
    scores = {m: v[:, 1] if classes == 2 else v for m, v in scores.items()}
    extra: Given = {"groups": np.tile(group, design.repeats)} if design.groups > 1 else {}
    if design.repeats > 1:
        extra |= {"repeat": np.repeat(np.arange(design.repeats), design.n)}
    extra |= {"pos_label": 1} if classes == 2 else {}
    evidence = Predictions.from_arrays(
        np.tile(y, design.repeats), y_score=scores, fold=fold.ravel(), classes=list(range(classes)),
        instance=np.tile(np.arange(design.n), design.repeats), **extra,
    )  # fmt: skip
    return evidence, {m: np.array(v) for m, v in new.items()}, new_y
