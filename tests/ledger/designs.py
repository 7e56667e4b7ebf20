"""Small evidence of every design, the same on every machine: the legacy generator's stream is frozen for good."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff import Predictions, Scores

Columns = dict[str, Any]
NAMES = ("a", "b", "c", "d")
GAINS = dict(zip(NAMES, (1.8, 1.3, 0.9, 0.5), strict=True))  # how well each model separates


def binary(n: int = 140, k: int = 2, seed: int = 1) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """Truth of two classes and probabilities of `k` models that share part of their errors; the last has ties."""
    random = np.random.RandomState(seed)
    y = (random.random_sample(n) < 0.42).astype(int)
    shared = random.normal(size=n)
    scores = {}
    for name in NAMES[:k]:
        latent = GAINS[name] * (y - 0.5) + 0.7 * shared + 0.7 * random.normal(size=n)
        digits = 1 if name == NAMES[k - 1] else 6
        scores[name] = np.round(1 / (1 + np.exp(-latent)), digits)
    return y, scores


def labels(n: int = 140, k: int = 2, seed: int = 1) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    y, scores = binary(n, k, seed)
    return y, {name: (s >= 0.5).astype(int) for name, s in scores.items()}


def classes(n: int = 150, k: int = 2, n_classes: int = 4, seed: int = 2) -> tuple[NDArray[Any], Columns]:
    """Truth of several classes and probabilities ``[n, K]``."""
    random = np.random.RandomState(seed)
    y = random.randint(0, n_classes, size=n)
    out = {}
    for name in NAMES[:k]:
        latent = GAINS[name] * np.eye(n_classes)[y] + random.normal(size=(n, n_classes))
        raw = np.exp(latent)
        out[name] = raw / raw.sum(axis=1, keepdims=True)
    return y, out


def values(n: int = 120, k: int = 2, seed: int = 3) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """True values, all positive, and predictions of `k` models, the later the worse."""
    random = np.random.RandomState(seed)
    y = np.round(20 + 4 * random.normal(size=n), 6)
    shared = random.normal(size=n)
    spread = {name: 1 + 0.35 * i for i, name in enumerate(NAMES)}
    return y, {name: np.round(y + spread[name] * (0.6 * shared + 0.8 * random.normal(size=n)), 6) for name in NAMES[:k]}


def outcomes(n: int = 130, k: int = 2, *, graded: bool = False, seed: int = 4) -> dict[str, NDArray[Any]]:
    """Right or wrong (or a grade between 0 and 1) of every item."""
    random = np.random.RandomState(seed)
    hard = random.normal(size=n)
    latent = {name: GAINS[name] / 2 - hard + random.normal(size=n) for name in NAMES[:k]}
    if graded:
        return {name: np.round(1 / (1 + np.exp(-v)), 4) for name, v in latent.items()}
    return {name: (v > 0).astype(float) for name, v in latent.items()}


def clusters(n: int, size: int = 8) -> NDArray[Any]:
    """Uneven groups: three of every four have `size` rows, the fourth has half as many."""
    sizes = np.resize([size, size, size, size // 2], n)
    return np.repeat(np.arange(n), sizes)[:n]


def stratified_folds(y: NDArray[Any], k: int, seed: int = 0) -> NDArray[Any]:
    """Folds that hold every class in the same share."""
    order = np.random.RandomState(seed).permutation(y.size)
    order = order[np.argsort(y[order], kind="stable")]
    fold = np.empty(y.size, dtype=int)
    fold[order] = np.arange(y.size) % k
    return fold


def repeated(
    y: NDArray[Any], out: Mapping[str, NDArray[Any]], repeats: int, k: int, noise: float, most: float = 1.0
) -> Columns:
    """The arguments of repeated k-fold: every instance once in each repeat, its scores a little different."""
    random = np.random.RandomState(9)
    again = {
        name: np.round(np.clip(np.tile(s, repeats) + noise * random.normal(size=s.size * repeats), 0, most), 6)
        for name, s in out.items()
    }
    return {
        "y_true": np.tile(y, repeats), "outputs": again,
        "repeat": np.repeat(np.arange(repeats), y.size),
        "fold": np.concatenate([stratified_folds(y, k, seed) for seed in range(repeats)]),
        "instance": np.tile(np.arange(y.size), repeats),
    }  # fmt: skip


def hold_outs(n: int, splits: int, k: int = 2) -> Columns:
    """The arguments of repeated hold-out: each repeat tests other rows."""
    y, scores = binary(n * splits, k, seed=11)
    return {"y_true": y, "y_score": scores, "repeat": np.repeat(np.arange(splits), n), "n_train": 2 * n}


def predictions() -> dict[str, Predictions]:
    """Every design that has predictions, by name."""
    make = Predictions.from_arrays
    y, s = binary()
    y4, s4 = binary(k=4)
    ly, lp = labels()
    ly4, lp4 = labels(k=4)
    ky, kp = classes(n_classes=3)
    py, pp = classes(n_classes=4)
    vy, vv = values()
    vy4, vv4 = values(k=4)
    fy, fs = binary(100, seed=5)
    fy4, fs4 = binary(100, 4, seed=5)
    oy, os_ = binary(60, seed=6)
    many = repeated(fy, fs, 3, 5, 0.02)
    five = repeated(fy, fs, 5, 2, 0.02)
    regression_again = repeated(vy[:60], {m: v[:60] for m, v in vv.items()}, 3, 4, 0.2, most=100)
    sets = {f"set {i}": binary(40, 3, seed=20 + i) for i in range(6)}
    gy, gp = classes(n_classes=3, seed=8)
    return {
        "scores": make(y, y_score=s, pos_label=1),
        "scores-4": make(y4, y_score=s4, pos_label=1),
        "margins": make(y, y_score={m: 10 * v - 5 for m, v in s.items()}, pos_label=1),
        "both": make(y, y_score=s, y_pred={m: (v > 0.4).astype(int) for m, v in s.items()}, pos_label=1),
        "labels": make(ly, y_pred=lp, pos_label=1),
        "labels-4": make(ly4, y_pred=lp4, pos_label=1),
        "named": make(np.array(["no", "yes"])[ly], y_pred={m: np.array(["no", "yes"])[v] for m, v in lp.items()},
                      pos_label="yes"),
        "classes-3": make(ky, y_pred={m: v.argmax(axis=1) for m, v in kp.items()}),
        "probabilities": make(py, y_score=pp),
        "values": make(vy, y_value=vv),
        "values-4": make(vy4, y_value=vv4),
        "outcomes": Predictions.from_outcomes(outcomes()),
        "outcomes-4": Predictions.from_outcomes(outcomes(k=4)),
        "graded": Predictions.from_outcomes(outcomes(graded=True)),
        "scores-groups": make(y, y_score=s, pos_label=1, groups=clusters(y.size)),
        "labels-groups-4": make(ly4, y_pred=lp4, pos_label=1, groups=clusters(ly4.size)),
        "classes-groups": make(gy, y_pred={m: v.argmax(axis=1) for m, v in gp.items()}, groups=clusters(gy.size)),
        "values-groups": make(vy, y_value=vv, groups=clusters(vy.size)),
        "outcomes-groups": Predictions.from_outcomes(outcomes(), groups=clusters(130)),
        "graded-groups": Predictions.from_outcomes(outcomes(graded=True), groups=clusters(130)),
        "k-fold": make(fy, y_score=fs, pos_label=1, fold=stratified_folds(fy, 5)),
        "k-fold-4": make(fy4, y_score=fs4, pos_label=1, fold=stratified_folds(fy4, 5)),
        "k-fold-classes": make(py, y_score=pp, fold=stratified_folds(py, 5)),
        "k-fold-values": make(vy, y_value=vv, fold=np.arange(vy.size) % 6),
        "k-fold-groups": make(fy, y_score=fs, pos_label=1, fold=clusters(100) % 5, groups=clusters(100)),
        "repeated": make(many.pop("y_true"), y_score=many.pop("outputs"), pos_label=1, **many),
        "repeated-values": make(regression_again.pop("y_true"), y_value=regression_again.pop("outputs"),
                                **regression_again),
        "5x2": make(five.pop("y_true"), y_score=five.pop("outputs"), pos_label=1, **five),
        "leave-one-out": make(oy, y_score=os_, pos_label=1, fold=np.arange(60)),
        "hold-outs": make(**hold_outs(30, 8), pos_label=1),
        "few": make(y[:24], y_score={m: v[:24] for m, v in s.items()}, pos_label=1),
        "perfect": make(y[:60], y_score={"a": np.where(y[:60] == 1, 0.8, 0.3), "b": s["b"][:60]}, pos_label=1),
        "identical": make(y, y_score={"a": s["a"], "b": s["a"]}, pos_label=1),
        "data-sets": make(np.concatenate([v[0] for v in sets.values()]),
                          y_score={m: np.concatenate([v[1][m] for v in sets.values()]) for m in NAMES[:3]},
                          pos_label=1, dataset=np.repeat(list(sets), 40)),
    }  # fmt: skip


def score_tables() -> dict[str, Scores]:
    """Scores over data sets and over folds, by name."""
    import polars as pl

    random = np.random.RandomState(12)
    base = 0.6 + 0.3 * random.random_sample(12)
    wide = np.round(base[:, None] + [0.05, 0.03, 0.01, 0.0] + 0.025 * random.normal(size=(12, 4)), 3)
    errors = np.round(10 * (1 - wide) + 0.1 * random.normal(size=wide.shape), 3)
    folds = np.round(0.8 + 0.04 * random.normal(size=(3, 10)) + np.array([[0.05], [0.02], [0.0]]), 4)
    deep = np.round(base[:6, None, None] + 0.03 * random.normal(size=(6, 5, 2)) + [0.04, 0.0], 4)
    long = pl.DataFrame(
        [
            {"dataset": f"set {d}", "fold": f, "model": NAMES[m], "value": float(deep[d, f, m])}
            for d in range(6)
            for f in range(5)
            for m in range(2)
        ]
    )
    two = {"a": folds[0], "b": folds[1]}
    sizes = {"n_train": 90, "n_test": 10}
    return {
        "data-sets-2": Scores.from_wide(wide[:, :2], models=["a", "b"], measure="auc"),
        "data-sets-4": Scores.from_wide(wide, models=list(NAMES), measure="auc"),
        "errors-4": Scores.from_wide(errors, models=list(NAMES), measure="rmse"),
        "five-sets": Scores.from_wide(wide[:5], models=list(NAMES), measure="accuracy"),
        "folds-2": Scores.from_cv_results(two, measure="accuracy", **sizes),
        "folds-3": Scores.from_cv_results(dict(zip("abc", folds, strict=True)), measure="accuracy", **sizes),
        "folds-repeated": Scores.from_cv_results(two, measure="accuracy", repeats=2, n_train=80, n_test=20),
        "data-sets-folds": Scores.from_frame(
            long,
            model="model",
            value="value",
            dataset="dataset",
            fold="fold",
            measure="accuracy",
            n_train=80,
            n_test=20,
        ),
    }


def weighted() -> dict[str, Predictions]:
    """Evidence with importance weights, of the designs in which weights are read."""
    make = Predictions.from_arrays
    y, s = binary()
    ly, lp = labels(k=4)
    py, pp = classes(n_classes=3)
    vy, vv = values()
    w = np.round(np.random.RandomState(13).gamma(2.0, size=400), 3) + 0.05
    return {
        "scores": make(y, y_score=s, pos_label=1, sample_weight=w[: y.size]),
        "labels-4": make(ly, y_pred=lp, pos_label=1, sample_weight=w[: ly.size]),
        "whole": make(y, y_score=s, pos_label=1, sample_weight=np.ceil(w[: y.size])),
        "ones": make(y, y_score=s, pos_label=1, sample_weight=np.ones(y.size)),
        "probabilities": make(py, y_score=pp, sample_weight=w[: py.size]),
        "values": make(vy, y_value=vv, sample_weight=w[: vy.size]),
        "scores-groups": make(y, y_score=s, pos_label=1, sample_weight=w[: y.size], groups=clusters(y.size)),
        "k-fold": make(y, y_score=s, pos_label=1, sample_weight=w[: y.size], fold=stratified_folds(y, 5)),
    }


def write_folder(folder: Path, columns: Mapping[str, Any], parts: int = 3) -> Path:
    """Write the columns as a folder of Parquet files."""
    import polars as pl

    folder.mkdir(parents=True)
    frame = pl.DataFrame({name: np.asarray(v) for name, v in columns.items()})
    size = -(-len(frame) // parts)
    for i in range(parts):
        frame.slice(i * size, size).write_parquet(folder / f"part-{i}.parquet")
    return folder


def scanned(root: Path) -> dict[str, Predictions]:
    """The same kinds of evidence, scanned from folders of Parquet files instead of loaded."""
    y, s = binary()
    ly, lp = labels(k=4)
    py, pp = classes(n_classes=3)
    vy, vv = values()
    read = Predictions.read
    two, four = list(NAMES[:2]), list(NAMES)
    shares = {f"{m}{c}": v[:, c] for m, v in pp.items() for c in range(3)}
    group, fold = clusters(y.size), stratified_folds(y, 5)
    named = {"dataset": "data"}
    return {
        "scores": read(write_folder(root / "s", {"y": y, **s}), y_true="y", y_score=two, pos_label=1, **named),
        "labels-4": read(write_folder(root / "l", {"y": ly, **lp}), y_true="y", y_pred=four, pos_label=1, **named),
        "probabilities": read(
            write_folder(root / "p", {"y": py, **shares}), y_true="y", classes=[0, 1, 2], **named,
            y_score={m: [f"{m}{c}" for c in range(3)] for m in two},
        ),
        "values": read(write_folder(root / "v", {"y": vy, **vv}), y_true="y", y_value=two, **named),
        "scores-groups": read(
            write_folder(root / "g", {"y": y, "g": group, **s}), y_true="y", y_score=two, pos_label=1, groups="g",
            **named,
        ),
        "k-fold": read(
            write_folder(root / "f", {"y": y, "f": fold, **s}), y_true="y", y_score=two, pos_label=1, fold="f", **named
        ),
    }  # fmt: skip
