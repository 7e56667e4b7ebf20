"""The sentences of the notes of the statistics: a code and its values come in, a sentence for people goes out.

A statistic knows that something happened and with which numbers; it knows no words. The words are data, here, one
template per key, and are looked up for translation by the template. A code that can mean several situations (models
are identical in their scores, their labels or their rankings) has one key for each: what follows the colon tells them
apart and is not part of the code.
"""

from __future__ import annotations

from typing import Any, Literal

from bakeoff._core.language import Text
from bakeoff._core.result import Note

# A choice was made, or something is worth knowing.
NOTES = {
    # paired differences and tables of scores
    "identical-models": "a and b are equal on every pair: there is no evidence of any difference, so the p-value is 1.",
    "no-spread": "the differences do not vary, so their spread, and an interval, cannot be estimated.",
    "normality-untestable:few": "normality cannot be assessed from fewer than 3 differences.",
    "normality-untestable:constant": "normality cannot be assessed from differences that do not vary.",
    "non-normal-differences": "the {n} differences do not look normal (p {pvalue}), as a t-test assumes.",
    "outliers": "{count} of {n} values far from the rest (the farthest is {farthest:.4g}, at position {position}).",
    # tests of means
    "identical-models:means": (
        "all models are equal on every data set: there is no evidence of any difference, so p-values are 1."
    ),
    "no-interval": "the F-test rejects every shift of these differences: no interval exists.",
    "mauchly-undefined": (
        "Mauchly's test needs at least as many data sets as models. Got {n} and {k}; use pvalue_gg, which is safe."
    ),
    # tests on ranks
    "identical-models:blocks": (
        "all models are equal on every data set: the statistic is 0/0 and there is no evidence of any difference, so "
        "the p-value is 1."
    ),
    "identical-models:pairs": "pairs of models equal on every data set, whose p-value is 1: {identical}.",
    "ties": "some models tie on a data set; the variance assumes none, so p-values are conservative.",
    "small-table": (
        "with {n} data sets and {k} models the χ² and F approximations are rough (F rejects too often); "
        "method='exact' is feasible for a table this small."
    ),
    # posteriors
    "identical-models:splits": (
        "a and b are equal on every split: practically equal with probability 1, whatever the rope."
    ),
    "identical-models:data-sets": (
        "a and b are equal on every data set: practically equal with probability 1, whatever the rope."
    ),
    "constant-difference:data-sets": (
        "the differences of {count} data sets do not vary over the folds; the smallest spread seen on the other data "
        "sets was taken for them."
    ),
    "monte-carlo": "probabilities are sampled; their Monte-Carlo standard error is at most {error:.2g}.",
    "monte-carlo:chains": (
        "sampled posterior: split R-hat {rhat:.3f}, effective sample size {effective:.0f}, Monte-Carlo standard "
        "error of the probabilities at most {error:.2g}."
    ),
    # counts of labels
    "identical-models:right-answers": "The models are right on the same instances, so p = 1.",
    "identical-models:labels": "The models give every instance the same label, so p = 1.",
    "no-discordant-pairs": "No discordant pairs: the models are right on the same instances, so p = 1.",
    "mcnemar-midp": "{discordant} discordant pairs: the mid-p binomial test was used.",
    "mcnemar-chi2": "{discordant} discordant pairs: the chi-square approximation was used.",
    "classes-never-exchanged": "Some classes are never exchanged for others. Degrees of freedom that remain: {df}.",
    "kappa-undefined": "Both sets of labels are one single class: kappa is 0/0, undefined.",
    "kappa-variance-zero": "One side uses a single class: kappa is 0 whatever the other says, so p = 1.",
    "no-trials": "A proportion of 0 trials is undefined; its interval is [0, 1].",
    # areas under curves
    "identical-models:aucs": "The AUCs are equal and nothing in the data separates the two rankings, so p = 1.",
    "identical-models:rankings": "All models rank the instances alike, so p = 1.",
    "redundant-models": "Some models rank alike. Degrees of freedom that remain: {rank}.",
    "many-models-few-rows": (
        "{rows} rows of the smaller class are few for {models} models at once: the chi-square rejects too often (12 "
        "% at the 5 % level with 20 rows and 6 models). The adjusted pairs do not depend on it."
    ),
    # resampling
    "no-acceleration": "No acceleration was given: bias-corrected, without skewness (a = 0).",
    "infinite-replicates": "{count} of {replicates} replicates are infinite: standard error and bias are undefined.",
}
# The answer is weak or undefined.
WARNINGS = {
    # paired differences and tables of scores
    "constant-difference": (
        "all {n} differences equal {mean:.6g}: with no spread among them the statistic is a division by zero, so the "
        "p-value and the interval are undefined."
    ),
    # tests of means
    "identical-models:margin": (
        "all {size} differences equal {mean:.6g}: with no spread among them their standard error is unknown, so "
        "closeness cannot be tested and the p-value is undefined."
    ),
    "constant-difference:models": (
        "the models differ by the same amounts on every data set: with no error to compare with, the statistic is a "
        "division by zero, so the p-value and the interval are undefined."
    ),
    "constant-difference:folds": (
        "the two folds of every replication give the same difference: with no spread within replications the "
        "statistic is a division by zero, so the p-value is undefined."
    ),
    "constant-difference:margin": (
        "all {size} differences equal {mean:.6g}: with no spread among them their standard error is unknown, so "
        "closeness cannot be tested and the p-value is undefined."
    ),
    "few-clusters": (
        "there are only {n_clusters} clusters: the spread between clusters is poorly known, and the interval is "
        "likely too narrow."
    ),
    "test-larger-than-train": (
        "n_test / n_train is {ratio:.3g}: the test parts are larger than the training parts. If the two were "
        "swapped, the correction is far too strong."
    ),
    # tests on ranks
    "perfect-agreement:friedman": (
        "all data sets rank the models in the same order, so Iman and Davenport's F is infinite and its p-value says "
        "nothing; by permutation the p-value is {n:.3g} (without ties): use method='exact'."
    ),
    "perfect-agreement:quade": (
        "all data sets weigh the models in the same order, so F is infinite; the p-value is the share of the "
        "permutations within data sets that agree as well."
    ),
    "perfect-agreement:conover": (
        "all data sets rank the models in the same order, so t is infinite; the p-value given is the probability "
        "that {n} data sets agree on the order of two models by chance."
    ),
    "few-pairs:signs": "with {n_decided} decided pairs no sign test can give a p-value below {smallest:.3g}.",
    "few-pairs:signed-ranks": (
        "with {n_nonzero} nonzero differences no exact signed-rank test can give a p-value below {smallest:.3g}, "
        "whatever the scores."
    ),
    "few-pairs:data-sets": (
        "with {n} data sets no exact signed-rank test can give a two-sided p-value below {least:.3g}, whatever the "
        "scores."
    ),
    "interval-unbounded": (
        "{n} pairs are too few for an interval at this level: even the range of all of them covers with probability "
        "{coverage:.3g} only, so no finite limits exist."
    ),
    # posteriors
    "poor-mixing": "the chains have not mixed well: raise n_samples before trusting the answer.",
    # counts of labels
    "few-informative-instances": (
        "Only {informative} instances separate the models: the chi-square p-value is approximate."
    ),
    "wald-at-edge": "The Wald interval has zero width at 0 or n successes; use 'wilson' instead.",
    # areas under curves
    "auc-variance-zero": (
        "The AUCs have DeLong variance zero (perfect or constant rankings); p and interval are from Newcombe's limits "
        "of each."
    ),
    "auc-variance-zero:many": (
        "Some AUCs differ with DeLong variance zero (perfect or constant rankings): the test is undefined."
    ),
    "auc-variance-undefined": (
        "A class has a single row (or cluster): the variance of an AUC cannot be estimated, and p is undefined."
    ),
    "auc-variance-undefined:newcombe": (
        "A class has a single row (or cluster): the variance of an AUC cannot be estimated; p and interval are from "
        "Newcombe's limits of each."
    ),
    "auc-variance-undefined:single-row": (
        "The interval is Newcombe's: a class has a single row (or cluster), so DeLong's variance cannot be estimated."
    ),
    "auc-variance-undefined:perfect": (
        "The interval is Newcombe's: DeLong's variance is zero at AUC {area:g} and says nothing about the uncertainty."
    ),
    "few-rows-of-a-class:positive": (
        "Only {rows} positive rows: the variance of an AUC is poorly known, and the answer approximate."
    ),
    "few-rows-of-a-class:negative": (
        "Only {rows} negative rows: the variance of an AUC is poorly known, and the answer approximate."
    ),
    "class-without-rows": "No rows of {empty}: left out of the averages.",
    # resampling
    "undefined-replicates": "The statistic was undefined in {worst} of {replicates} replicates, which were left out.",
    "replicates-on-one-side": "All replicates lie on one side of the estimate: the bias correction is at its limit.",
    "never-left-out": "rows that were in every resample could not be evaluated: {never_out}.",
    "memorised": "the model makes no error on its own training rows; the .632+ interval of such a learner covered 82 % "
    "instead of 95 % on 60 rows. Repeated cross-validation does not have this weakness.",
    "few-resamples": "the standard error rests on few resamples: more of them would make it firmer.",
}


def note(key: str, /, **values: Any) -> Note:
    """Make the note of a key of `NOTES` or `WARNINGS`; `values` fill the fields of its template."""
    level: Literal["note", "warning"] = "warning" if key in WARNINGS else "note"
    template = WARNINGS[key] if level == "warning" else NOTES[key]
    return Note(key.partition(":")[0], Text(template, **values), level)
