"""The catalogue: every measure by name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff._core.errors import ParameterError, unknown_choice
from bakeoff._core.language import Text, label
from bakeoff._core.result import Result, jsonable, records
from bakeoff.measures import _additive, _confusion, _other, _probability, _ranking, _regression
from bakeoff.measures._measure import Measure

_CATALOGUE: dict[str, Measure] = {
    m.name: m for file in (_confusion, _ranking, _probability, _regression, _other, _additive) for m in file.MEASURES
}

# Other names people know a measure by: those of scikit-learn, of papers, and their abbreviations.
_ALIASES = {
    other: name
    for name, others in {
        "accuracy": "acc accuracy_score classification_accuracy correct_rate",
        "error": "err error_rate classification_error misclassification misclassification_rate zero_one_loss 0_1_loss",
        "balanced_accuracy": "balanced_accuracy_score bacc bal_acc",
        "recall": "recall_score sensitivity tpr true_positive_rate",
        "specificity": "tnr true_negative_rate",
        "precision": "precision_score ppv positive_predictive_value",
        "npv": "negative_predictive_value",
        "fpr": "false_positive_rate fall_out",
        "fnr": "false_negative_rate miss_rate",
        "kappa": "cohen_kappa cohens_kappa cohen's_kappa cohen_kappa_score",
        "kappa_quadratic": "quadratic_weighted_kappa qwk",
        "kappa_linear": "linear_weighted_kappa",
        "mcc": "matthews matthews_corrcoef matthews_correlation matthews_correlation_coefficient",
        "f1": "f1_score f_measure f1_measure",
        "f1_macro": "macro_f1",
        "f1_micro": "micro_f1",
        "f1_weighted": "weighted_f1",
        "precision_macro": "macro_precision",
        "recall_macro": "macro_recall",
        "jaccard": "jaccard_score jaccard_index",
        "g_mean": "gmean geometric_mean",
        "auc": "roc_auc roc_auc_score auroc au_roc auc_roc aucroc area_under_curve area_under_the_curve",
        "gini": "gini_coefficient accuracy_ratio somers_d",
        "ks": "ks_statistic kolmogorov_smirnov",
        "average_precision": "ap average_precision_score auprc aupr aucpr pr_auc auc_pr",
        "calibration_error": "ece expected_calibration_error",
        "brier": "brier_score brier_score_loss brier_loss",
        "log_loss": "logloss logarithmic_loss cross_entropy crossentropy binary_crossentropy binary_cross_entropy",
        "mse": "mean_squared_error mean_square_error",
        "rmse": "root_mean_squared_error root_mean_square_error",
        "mae": "mean_absolute_error mean_absolute_deviation",
        "mape": "mean_absolute_percentage_error",
        "median_absolute_error": "medae",
        "r2": "r2_score r_squared r^2 r² coefficient_of_determination",
        "relative_squared_error": "rse",
        "root_relative_squared_error": "rrse",
        "relative_absolute_error": "rae",
        "wer": "word_error_rate",
        "cer": "character_error_rate",
        "bleu": "corpus_bleu",
        "mean_iou": "miou mean_intersection_over_union",
        "perplexity": "ppl",
        "fit_time": "training_time train_time",
        "predict_time": "prediction_time inference_time score_time",
    }.items()
    for other in others.split()
}

# The last word of a name tells the direction of many quantities that are no measure here (hamming loss, BLEU).
_WORDS_LESS = (
    "loss error errors err wer cer ter mer perplexity ppl rmsle msle deviance time seconds runtime duration latency "
    "cost costs regret risk distance mistakes crps nll fid bpb bpc smape wape mase rmsse nrmse eer hter hinge huber "
    "toxicity hallucination"
)
_LESS = frozenset(_WORDS_LESS.split())
_WORDS_MORE = (
    "accuracy auc auroc f1 precision recall bleu rouge rouge1 rouge2 rougel meteor chrf comet bertscore ndcg map mrr "
    "dice iou miou em match reward return correlation spearman pearson likelihood elo psnr ssim profit utility "
    "concordance rate@1 pass@1 hits@1 hits@10 purity silhouette"
)
_MORE = frozenset(_WORDS_MORE.split())
_AT = re.compile(r"@\d+$")  # recall@10, NDCG@5
# What is written around a measure's name without changing what it is: test_rmse, AUC (test), mean_test_neg_log_loss.
_AROUND = "test|val|valid|validation|cv|oof|holdout|heldout|dev|mean|avg|average"
_BEFORE, _AFTER = re.compile(rf"^({_AROUND})_"), re.compile(rf"_({_AROUND})$")
_ASIDE = re.compile(r"\s*(\([^()]*\)|\[[^\[\]]*\]|[.%:])\s*$")
# Before the last word these turn its direction round, or may: 1 − accuracy, negative likelihood, drop in AUC.
_TURNED = re.compile(r"(1|100|one|minus|neg|negative|inverse|inverted|non)?_|(.*_)?(drop|fall|decrease|reduction)_")


def _plainly(name: str) -> str:
    """A name without case; spaces and hyphens are underscores."""
    return re.sub(r"[\s\-_]+", "_", name.strip()).casefold()


def is_negated(name: str) -> bool:
    """Whether a name is that of scikit-learn's negated scores."""
    return _plainly(name).startswith("neg_")


def undecorated(name: str) -> str:
    """The name of a measure without what is written around it: the part of the data, units, "mean".

    Examples
    --------
    >>> from bakeoff.measures._catalogue import undecorated
    >>> undecorated("mean_test_neg_log_loss"), undecorated("RMSE (test)"), undecorated("Mean Absolute Error [EUR]")
    ('neg_log_loss', 'rmse', 'mean_absolute_error')
    """
    while find(name) is None and (shorter := _shorter(name)) != _plainly(name):
        name = shorter
    return _plainly(name)


def _shorter(name: str) -> str:
    """Take away one thing that is written around a name; the name as it is where there is none."""
    plain = _plainly(name)
    for found in (_ASIDE.sub("", name), _BEFORE.sub("", plain), _AFTER.sub("", plain)):
        if found and _plainly(found) != plain:
            return found
    return plain


# Measures with a number in their name are made when they are asked for.
_FAMILIES = ((re.compile(r"pass@(\d+)"), _other.pass_at_k), (re.compile(r"pass\^(\d+)"), _other.pass_hat_k))


def _of_family(plain: str) -> Measure | None:
    for pattern, make in _FAMILIES:
        if (found := pattern.fullmatch(plain)) is not None and int(found[1]) > 0:
            return make(int(found[1]))
    return None


_BY_PLAIN_NAME: dict[str, Measure] = {}  # registered from outside, under names that may have capitals


def find(name: str) -> Measure | None:
    """Return the measure of that name or alias, in any letter case, or None.

    The names of scikit-learn's negated scorers (``neg_log_loss``) are those of the measures they negate.

    Examples
    --------
    >>> from bakeoff.measures import find
    >>> find("sensitivity"), find("nothing of the kind")
    (Measure('recall', needs labels, greater is better), None)
    >>> find("ROC AUC").name, find("neg_root_mean_squared_error").name
    ('auc', 'rmse')
    """
    if not isinstance(name, str):
        return None
    if name in _CATALOGUE:
        return _CATALOGUE[name]
    plain = _plainly(name)
    found = _CATALOGUE.get(_ALIASES.get(plain, plain)) or _BY_PLAIN_NAME.get(plain) or _of_family(plain)
    if found is None and plain.startswith("neg_"):
        base = find(plain.removeprefix("neg_"))
        return base if base is not None and not base.greater_is_better else None
    return found


def more_is_better(name: str) -> bool | None:
    """Direction of a quantity that is no measure here, by the last word of its name; None where it is not known.

    Examples
    --------
    >>> from bakeoff.measures._catalogue import more_is_better
    >>> more_is_better("hamming_loss"), more_is_better("top-5 accuracy"), more_is_better("quality")
    (False, True, None)
    >>> more_is_better("1 - accuracy"), more_is_better("loss in accuracy"), more_is_better("neg_hamming_loss")
    (None, None, True)
    """
    plain = _plainly(name)
    *before, last = _AT.sub("", plain).split("_")
    if plain.startswith("neg_") and last in _LESS:
        return True
    if _TURNED.match(plain) or (last in _MORE and _LESS.intersection(before)):
        return None  # asked for, not guessed
    return True if last in _MORE or plain == "explained_variance" else (False if last in _LESS else None)


def get(measure: str | Measure) -> Measure:
    """Return the measure of that name; a `Measure` is returned as it is.

    Examples
    --------
    >>> import bakeoff
    >>> bakeoff.measures.get("sensitivity").name
    'recall'
    """
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str):
        raise ParameterError(
            f"a measure must be a name or a bakeoff.Measure. Got {type(measure).__name__}.",
            hint="wrap a function with Measure.from_function, a scorer with Measure.from_scorer",
        )
    found = find(measure)
    if found is None:
        raise unknown_choice("measure", measure, _CATALOGUE)
    return found


def label_of(name: str) -> Text:
    """Return the printed name of a measure (AUC, balanced accuracy); of one that is not known, its name in words."""
    found = find(name)
    return found.label if found is not None else label(name.replace("_", " "))


def get_all(measures: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Return several measures, each once.

    Examples
    --------
    >>> from bakeoff.measures import get_all
    >>> [m.name for m in get_all(["auc", "roc_auc", "brier"])]
    ['auc', 'brier']
    """
    given: Sequence[Any] = (
        list(measures) if isinstance(measures, Iterable) and not isinstance(measures, str) else [measures]
    )
    found = [get(m) for m in given]
    if not found:
        raise ParameterError("measures must name at least one measure.")
    return tuple({m.name: m for m in found}.values())


def register(measure: Measure) -> Measure:
    """Add a measure of your own to the catalogue, so that it can be asked for by name.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import get, register
    >>> try:
    ...     register(get("auc"))
    ... except bakeoff.ParameterError as problem:
    ...     print(problem)
    ...
    there is a measure named 'auc' already. Hint: give yours another name
    """
    if find(measure.name) is not None:
        raise ParameterError(f"there is a measure named {measure.name!r} already.", hint="give yours another name")
    _CATALOGUE[measure.name] = measure
    _BY_PLAIN_NAME[_plainly(measure.name)] = measure
    return measure


def unregister(name: str) -> None:
    """Take a measure out of the catalogue again."""
    del _CATALOGUE[name]
    _BY_PLAIN_NAME.pop(_plainly(name), None)


@dataclass(frozen=True, repr=False)
class Catalogue(Result):
    """All measures: a table when printed, a mapping when asked.

    Examples
    --------
    >>> import bakeoff
    >>> catalogue = bakeoff.measures.catalogue()
    >>> "auc" in catalogue, catalogue["auc"].needs
    (True, 'scores')
    """

    measures: tuple[Measure, ...]

    def __iter__(self) -> Any:
        return iter(m.name for m in self.measures)

    def __len__(self) -> int:
        return len(self.measures)

    def __getitem__(self, name: str) -> Measure:
        return get(name)

    def __contains__(self, name: object) -> bool:
        return any(m.name == name for m in self.measures)

    def _headline(self) -> str:
        return f"{len(self.measures)} measures"

    def _columns(self) -> dict[str, Sequence[Any]]:
        names = ("name", "better", "low", "high", "needs", "meaning")
        direction = ("less", "greater")
        rows = [(m.name, direction[m.greater_is_better], *m.bounds, m.needs, m.meaning) for m in self.measures]
        return {name: [row[i] for row in rows] for i, name in enumerate(names)}

    def to_dict(self) -> dict[str, Any]:
        """Return the table of the catalogue as JSON-able values."""
        return {"kind": "Catalogue", "schema_version": 1, "measures": jsonable(records(self._columns()))}


def catalogue() -> Catalogue:
    """Return every measure there is, with its direction, bounds, needs and a one-line meaning.

    Examples
    --------
    >>> import bakeoff
    >>> list(bakeoff.measures.catalogue())[:3]
    ['accuracy', 'error', 'balanced_accuracy']
    """
    return Catalogue(tuple(_CATALOGUE.values()))
