"""Resampling inside training folds only: pipelines with imbalanced-learn's samplers (extra ``learn``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from bakeoff._core.errors import MissingDependencyError
from bakeoff.learners._prior import PriorCorrectedClassifier
from bakeoff.learners._types import Classifier
from bakeoff.learners._wilson import WilsonEditing

Sampling: TypeAlias = str | float | Mapping[object, int] | Sequence[object] | Callable[..., Mapping[object, int]]
RandomState: TypeAlias = int | np.random.RandomState | None


def smote_pipeline(
    estimator: object,
    *,
    k_neighbors: int = 5,
    sampling_strategy: Sampling = "auto",
    scale: bool = True,
    correct_prior: bool = False,
    random_state: RandomState = None,
) -> Classifier:
    """Teach a classifier with synthetic minority rows: SMOTE in a pipeline, so that only training rows are resampled.

    A new row is drawn on the segment between a minority row and one of its nearest minority neighbours, until the
    classes are balanced. In a cross-validation the pipeline resamples each training fold and leaves test rows alone;
    resampling before splitting would put copies of test rows in training.

    Parameters
    ----------
    estimator
        Any classifier.
    k_neighbors
        Neighbours to choose from, fewer than the rows of the smallest class in a training fold.
    sampling_strategy
        As in imbalanced-learn: ``"auto"`` balances all classes, a number is the ratio minority / majority wanted.
    scale
        Standardise the columns first: neighbours depend on units.
    correct_prior
        Bring the probabilities back to the proportions of the training rows (`PriorCorrectedClassifier`). Resampling
        teaches that classes are equally frequent; without correction, probabilities are too high for the minority, and
        costs must not be applied to them.
    random_state
        Seed of the synthetic rows.

    Returns
    -------
    classifier
        An imbalanced-learn ``Pipeline`` with steps ``scale, smote, model``; inside a `PriorCorrectedClassifier` if
        `correct_prior`.

    References
    ----------
    Chawla, N. V., Bowyer, K. W., Hall, L. O. & Kegelmeyer, W. P. (2002). SMOTE: synthetic minority over-sampling
    technique. JAIR 16, 321–357. https://doi.org/10.1613/jair.953

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> [name for name, _ in smote_pipeline(GaussianNB(), random_state=0).steps]
    ['scale', 'smote', 'model']
    """
    smote = _sampler("SMOTE", "over_sampling", "SMOTE", sampling_strategy, random_state, k_neighbors=k_neighbors)
    return _pipeline([("smote", smote)], estimator, scale=scale, correct_prior=correct_prior)


def smote_wilson_pipeline(
    estimator: object,
    *,
    k_neighbors: int = 5,
    n_neighbors: int = 3,
    sampling_strategy: Sampling = "auto",
    scale: bool = True,
    correct_prior: bool = False,
    random_state: RandomState = None,
) -> Classifier:
    """Teach a classifier with SMOTE's rows after `WilsonEditing` has removed those their neighbourhood contradicts.

    Parameters are those of `smote_pipeline`, and `n_neighbors`, the voters of Wilson's rule. Editing changes what the
    classes look like near the border, so `correct_prior` is an approximation here.

    References
    ----------
    Batista, G., Prati, R. & Monard, M. C. (2004). A study of the behavior of several methods for balancing machine
    learning training data. SIGKDD Explorations 6(1), 20–29. https://doi.org/10.1145/1007730.1007735

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> [name for name, _ in smote_wilson_pipeline(GaussianNB()).steps]
    ['scale', 'smote', 'edit', 'model']
    """
    smote = _sampler("SMOTE", "over_sampling", "SMOTE", sampling_strategy, random_state, k_neighbors=k_neighbors)
    samplers = [("smote", smote), ("edit", WilsonEditing(n_neighbors=n_neighbors))]
    return _pipeline(samplers, estimator, scale=scale, correct_prior=correct_prior)


def oversample_pipeline(
    estimator: object,
    *,
    sampling_strategy: Sampling = "auto",
    correct_prior: bool = False,
    random_state: RandomState = None,
) -> Classifier:
    """Teach a classifier with rows of the smaller classes repeated at random until the classes are balanced.

    Parameters as in `smote_pipeline`; `correct_prior` is exact here, up to the randomness of the draw.

    Examples
    --------
    >>> from bakeoff.learners import oversample_pipeline
    >>> from sklearn.linear_model import LogisticRegression
    >>> [name for name, step in oversample_pipeline(LogisticRegression(), random_state=0).steps]
    ['oversample', 'model']
    """
    sampler = _sampler("over-sampling", "over_sampling", "RandomOverSampler", sampling_strategy, random_state)
    return _pipeline([("oversample", sampler)], estimator, scale=False, correct_prior=correct_prior)


def undersample_pipeline(
    estimator: object,
    *,
    sampling_strategy: Sampling = "auto",
    correct_prior: bool = False,
    random_state: RandomState = None,
) -> Classifier:
    """Teach a classifier with rows of the larger classes left out at random until the classes are balanced.

    Parameters as in `smote_pipeline`; `correct_prior` is exact here, up to the randomness of the draw.

    Examples
    --------
    >>> from bakeoff.learners import undersample_pipeline
    >>> from sklearn.linear_model import LogisticRegression
    >>> [name for name, step in undersample_pipeline(LogisticRegression(), random_state=0).steps]
    ['undersample', 'model']
    """
    sampler = _sampler("under-sampling", "under_sampling", "RandomUnderSampler", sampling_strategy, random_state)
    return _pipeline([("undersample", sampler)], estimator, scale=False, correct_prior=correct_prior)


def _pipeline(samplers: list[tuple[str, Any]], estimator: object, *, scale: bool, correct_prior: bool) -> Classifier:
    """Chain scaler, samplers and classifier; with correction, take the sampler's prior out and the data's prior in.

    The inner correction sees the resampled rows, and divides by their proportions; the outer one sees the rows as they
    came, and multiplies by theirs.
    """
    from imblearn.pipeline import Pipeline
    from sklearn.preprocessing import StandardScaler

    first = [("scale", StandardScaler())] if scale else []
    if not correct_prior:
        plain: Classifier = Pipeline([*first, *samplers, ("model", estimator)])
        return plain
    inner = PriorCorrectedClassifier(estimator, priors="uniform")
    chained = Pipeline([*first, *samplers, ("model", inner)])
    return PriorCorrectedClassifier(chained, priors="data", training_priors="uniform")


def _sampler(purpose: str, module: str, name: str, strategy: Sampling, random_state: RandomState, **how: Any) -> Any:
    """Make one of imbalanced-learn's samplers, or tell what to install."""
    try:
        import imblearn
    except ImportError:
        raise MissingDependencyError.for_extra("imbalanced-learn", "learn", purpose) from None
    return getattr(getattr(imblearn, module), name)(sampling_strategy=strategy, random_state=random_state, **how)
