"""Models that differ in one parameter or one line have other fingerprints; an unchanged one keeps its own."""

from __future__ import annotations

import builtins
import enum
import functools
import importlib
import os
import subprocess
import sys
import threading
import types
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import numpy as np
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from pairs import MAKERS, UFUNCS, Rule
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from troublemakers import Mean, data

from bakeoff import EvidenceError, Experiment, ParameterError, run
from bakeoff.protocols import HoldOut
from bakeoff.runner._fingerprint import model_fingerprint

NUMBERS = st.integers(0, 99)


@given(kind=st.sampled_from(sorted(MAKERS)), a=NUMBERS, b=NUMBERS)
@settings(max_examples=300, deadline=None)
def test_another_parameter_is_another_model(kind, a, b):
    if kind == "ufunc":
        a, b = a % len(UFUNCS), b % len(UFUNCS)
    same = model_fingerprint(MAKERS[kind](a)) == model_fingerprint(MAKERS[kind](b))
    assert same == (a == b)


@pytest.mark.parametrize("kind", sorted(MAKERS))
def test_every_kind_of_parameter_counts(kind):
    assert model_fingerprint(MAKERS[kind](1)) != model_fingerprint(MAKERS[kind](2))


def test_kinds_that_are_equal_in_python_are_other_models():
    values = [1, 1.0, True, "1", b"1", None, "None", [1], (1,), {1}, {1: 1}, {"1": 1}]
    assert len({model_fingerprint(Rule(v)) for v in values}) == len(values)
    assert model_fingerprint(Rule({"a": 1, "b": 2})) == model_fingerprint(Rule({"b": 2, "a": 1}))


def test_lambdas_count_by_what_they_do():
    rules = [lambda x: x + 1, lambda x: x + 2, lambda x: x - 1, lambda x: x.real, lambda x: x.imag]
    assert len({model_fingerprint(Rule(r)) for r in rules}) == len(rules)


def test_fingerprints_are_the_same_in_other_processes_and_under_other_hash_seeds():
    script = str(Path(__file__).parent / "pairs.py")
    told = {
        subprocess.run(
            [sys.executable, script],
            capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("0", "1")
    }  # fmt: skip
    assert len(told) == 1
    assert len(set(told.pop().split())) == len(MAKERS)


HEAD = "import numpy as np\nfrom sklearn.base import BaseEstimator, ClassifierMixin\n"
OWN = """class Own(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        self.classes_ = np.unique(y); return self
    def predict(self, X):
        return np.full(len(X), self.classes_[{what}])
"""
FIT = "    def fit"
PREDICT = "        return np.full"
BASE = OWN.format(what="0").replace("Own", "Base")
PICKER = "class Picker:\n    def pick(self):\n        return 0\n"
TURN = "def turn(f):\n    def g(self, X):\n        return np.roll(self.classes_, 0)[:1]\n    return g\n"
RULE = "def pick(X):\n    return 0\ndef rule(X):\n    return pick(X)\n"
PING = "def ping(n):\n    return pong(n - 1) if n else 0\ndef pong(n):\n    return ping(n - 1) if n else 0\n"
# name → (files, the file that is edited, old text, new text)
EDITS = {
    "predict": ({"own": HEAD + OWN.format(what="0")}, "own", "classes_[0]", "classes_[1]"),
    "a constant": ({"own": HEAD + "K = 0\n" + OWN.format(what="K")}, "own", "K = 0", "K = 1"),
    "a helper": (
        {"own": HEAD + "def pick():\n    return 0\n" + OWN.format(what="pick()")}, "own", "return 0\n", "return 1\n"),
    "a helper class": ({"own": HEAD + PICKER + OWN.format(what="Picker().pick()")}, "own", "return 0\n", "return 1\n"),
    "a helper of another module": (
        {"other": "def pick():\n    return 0\n", "own": HEAD + "import other\n" + OWN.format(what="other.pick()")},
        "other", "return 0", "return 1"),
    "a helper imported in the method": (
        {"other": "def pick():\n    return 0\n",
         "own": HEAD + OWN.format(what="pick()").replace(PREDICT, f"        from other import pick\n{PREDICT}")},
        "other", "return 0", "return 1"),
    "a constant of another module": (
        {"other": "K = 0\n", "own": HEAD + "import other\n" + OWN.format(what="other.K")}, "other", "K = 0", "K = 1"),
    "helpers that call each other": (
        {"own": HEAD + PING + OWN.format(what="ping(3)")}, "own", "n else 0\ndef", "n else 1\ndef"),
    "a helper by its name": (
        {"other": "def pick():\n    return 0\n",
         "own": HEAD + "import other\n" + OWN.format(what="getattr(other, 'pick')()")},
        "other", "return 0", "return 1"),
    "a global by its name": (
        {"own": HEAD + "K = 0\n" + OWN.format(what="globals()['K']")}, "own", "K = 0", "K = 1"),
    "a helper in a table of helpers": (
        {"other": "def pick():\n    return 0\nTABLE = {'pick': [pick]}\n",
         "own": HEAD + "from other import TABLE\n" + OWN.format(what="TABLE['pick'][0]()")},
        "other", "return 0", "return 1"),
    "a helper of a helper's module": (
        {"base": "def pick():\n    return 0\n", "other": "import base\ndef pick():\n    return base.pick()\n",
         "own": HEAD + "import other as o\n" + OWN.format(what="o.pick()")}, "base", "return 0", "return 1"),
    "a module passed to a helper": (
        {"other": "def pick():\n    return 0\n",
         "own": HEAD + "import other\ndef go(m):\n    return m.pick()\n" + OWN.format(what="go(other)")},
        "other", "return 0", "return 1"),
    "a module behind one in a table": (
        {"base": "def pick():\n    return 0\n", "other": "from base import pick\n",
         "own": HEAD + "import other\nTABLE = [other]\n" + OWN.format(what="TABLE[0].pick()")},
        "base", "return 0", "return 1"),
    "a module imported by its name": (
        {"other": "def pick():\n    return 0\n", "own": HEAD + OWN.format(what="__import__('other').pick()")},
        "other", "return 0", "return 1"),
    "a module whose name is a constant": (
        {"other": "def pick():\n    return 0\n",
         "own": HEAD + "from importlib import import_module\nNAME = 'other'\n"
         + OWN.format(what="import_module(NAME).pick()")}, "other", "return 0", "return 1"),
    "a module of all that are loaded": (
        {"other": "def pick():\n    return 0\n",
         "own": HEAD + "import sys, other\n" + OWN.format(what="sys.modules['other'].pick()")},
        "other", "return 0", "return 1"),
    "a module imported in a function and passed on": (
        {"other": "def pick():\n    return 0\n",
         "own": HEAD + "def go(m):\n    return m.pick()\ndef start():\n    import other as m\n    return go(m)\n"
         + OWN.format(what="start()")}, "other", "return 0", "return 1"),
    "a module that answers for any name": (
        {"other": "def __getattr__(name):\n    return 0\n",
         "own": HEAD + "import other\n" + OWN.format(what="other.anything")}, "other", "return 0", "return 1"),
    "code in a text": (
        {"own": HEAD + "def pick():\n    return 0\n" + OWN.format(what="eval('pick() + 0')")},
        "own", "return 0\n", "return 1\n"),
    "code in a text that imports": (
        {"other": "def pick():\n    return 0\n",
         "own": HEAD + "TEXT = '__import__(\"other\").pick()'\n" + OWN.format(what="eval(TEXT)")},
        "other", "return 0", "return 1"),
    "a metaclass": (
        {"own": HEAD + "class Meta(type):\n    def k(cls):\n        return 0\nclass Part(metaclass=Meta):\n    pass\n"
         + OWN.format(what="Part.k()")}, "own", "return 0\n", "return 1\n"),
    "a context manager": (
        {"own": HEAD + "from contextlib import contextmanager\n@contextmanager\ndef pick():\n    yield 0\n"
         + OWN.format(what="pick().__enter__()")}, "own", "yield 0", "yield 1"),
    "the base class": ({"own": HEAD + BASE + "class Own(Base):\n    pass\n"}, "own", "classes_[0]", "classes_[1]"),
    "the base class in another module": (
        {"base": HEAD + BASE, "own": "from base import Base\nclass Own(Base):\n    pass\n"},
        "base", "classes_[0]", "classes_[1]"),
    "a mixin": (
        {"own": HEAD + PICKER + OWN.format(what="self.pick()").replace("(Class", "(Picker, Class")},
        "own", "return 0\n", "return 1\n"),
    "a decorator": (
        {"own": HEAD + TURN + OWN.format(what="0").replace("    def predict", "    @turn\n    def predict")},
        "own", "classes_, 0)", "classes_, 1)"),
    "a class attribute": (
        {"own": HEAD + OWN.format(what="self.k").replace(FIT, f"    k = 0\n{FIT}")}, "own", "k = 0", "k = 1"),
    "a method put into an installed class": (
        {"own": HEAD + "BaseEstimator.pick = lambda self: 0\n" + OWN.format(what="self.pick()")},
        "own", "self: 0", "self: 1"),
    "a function put into an installed module": (
        {"own": HEAD + "np.pick = lambda: 0\n" + OWN.format(what="np.pick()")}, "own", "lambda: 0", "lambda: 1"),
    "a function put among the built-ins": (
        {"own": HEAD + "import builtins\nbuiltins.pick = lambda: 0\n" + OWN.format(what="pick()")},
        "own", "lambda: 0", "lambda: 1"),
    "a property": (
        {"own": HEAD + OWN.format(what="self.k").replace(
            FIT, f"    @property\n    def k(self):\n        return 0\n{FIT}")},
        "own", "return 0\n", "return 1\n"),
    "a default from a constant": (
        {"own": HEAD + "K = 0\n" + OWN.format(what="self.pick()").replace(
            "    def fit", "    def pick(self, k=K):\n        return k\n    def fit")}, "own", "K = 0", "K = 1"),
    "a helper of a parameter": (
        {"own": HEAD + RULE + OWN.format(what="self.rule(X)").replace(
            "    def fit", "    def __init__(self, rule=rule):\n        self.rule = rule\n    def fit")},
        "own", "def pick(X):\n    return 0", "def pick(X):\n    return 1"),
}  # fmt: skip
HARMLESS = {
    "a text that documents": (FIT, f'    """The model."""\n{FIT}'),
    "a text that documents a method": ("        self.classes_ =", '        """Fit."""\n        self.classes_ ='),
    "a comment": ("        self.classes_ =", "        # the classes\n        self.classes_ ="),
    "a blank line and brackets": ("np.unique(y); return self", "(np.unique(y))\n\n        return self"),
    "another class of the module": ("K = 0\n", "K = 0\nclass Unused:\n    pass\n"),
    "a constant that it does not use": ("K = 0", "K = 1"),
}


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write modules, import them anew, and return the fingerprint of `own.Own()`."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def fingerprint(files):
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text)
        for name in ("own", "other", "base"):
            sys.modules.pop(name, None)
        importlib.invalidate_caches()
        return model_fingerprint(importlib.import_module("own").Own())

    yield fingerprint
    for name in ("own", "other", "base"):
        sys.modules.pop(name, None)
    for patched in (BaseEstimator, np, builtins):
        if hasattr(patched, "pick"):
            del patched.pick


@pytest.mark.parametrize("name", EDITS)
def test_one_line_of_source_makes_another_model(write, name):
    files, edited, old, new = EDITS[name]
    assert old in files[edited]
    before = write(files)
    assert write(files) == before
    assert write({**files, edited: files[edited].replace(old, new)}) != before


@pytest.mark.parametrize(
    ("line", "what", "edited"),
    [("from pack import part", "part.K", "part"), ("import pack.part", "pack.K", "__init__")],
)
def test_a_package_imported_in_a_method_counts_before_and_after_its_use(tmp_path, line, what, edited):
    own = HEAD + OWN.format(what=what).replace(PREDICT, f"        {line}\n{PREDICT}")
    (tmp_path / "own.py").write_text(own)
    (tmp_path / "pack").mkdir()
    tell = (
        "import own, bakeoff.runner._fingerprint as f; m = own.Own(); print(f.model_fingerprint(m))\n"
        "m.fit([[1], [2]], [0, 1]).predict([[1]]); print(f.model_fingerprint(own.Own()))"
    )
    marks = []
    for changed in (0, 1):
        for name in ("__init__", "part"):
            (tmp_path / "pack" / f"{name}.py").write_text(f"K = {changed if name == edited else 0}\n")
        command = [sys.executable, "-B", "-c", tell]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
        before, after = done.stdout.split()
        assert before == after
        marks.append(before)
    assert marks[0] != marks[1]


def test_methods_of_other_built_in_classes_are_others():
    pairs = [(str.upper, bytes.upper), (int.__add__, float.__add__)]
    assert all(model_fingerprint(Rule(a)) != model_fingerprint(Rule(b)) for a, b in pairs)


def test_what_a_try_covers_counts():
    marks = set()
    for code in ("a(); b()\n except E: c()", "a()\n except E: c()\n else: b()"):
        names = {"__name__": "__main__"}
        exec(f"def f(a, b, c, E):\n try:\n  {code}", names)
        marks.add(model_fingerprint(Rule(names["f"])))
    assert len(marks) == 2


@pytest.mark.parametrize("name", HARMLESS)
def test_what_decides_nothing_keeps_the_fingerprint(write, name):
    old, new = HARMLESS[name]
    text = HEAD + "K = 0\n" + OWN.format(what="0")
    assert old in text
    assert write({"own": text}) == write({"own": text.replace(old, new)})


def test_a_file_edited_after_its_import_counts_by_the_code_that_runs(write, tmp_path):
    text = HEAD + OWN.format(what="0")
    write({"own": text})
    loaded = sys.modules["own"].Own()
    edited = text.replace("classes_[0]", "classes_[1]")
    (tmp_path / "own.py").write_text(edited)
    running = model_fingerprint(loaded)
    assert running != write({"own": edited})


def test_where_code_lies_does_not_count(tmp_path):
    own = "from pathlib import Path\n" + HEAD + OWN.format(what="len(Path(__file__).name + __name__) * 0")
    tell = "import own, bakeoff.runner._fingerprint as f; print(f.model_fingerprint(own.Own()))"
    told = []
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "own.py").write_text(own)
        command = [sys.executable, "-c", tell]
        told += [subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path / name).stdout]
    assert told[0] == told[1] != ""


def test_a_patched_method_of_an_installed_class_counts_while_it_is_there(monkeypatch):
    before = model_fingerprint(LogisticRegression())
    monkeypatch.setattr(LogisticRegression, "predict", lambda self, X: np.zeros(len(X)))
    assert model_fingerprint(LogisticRegression()) != before
    monkeypatch.undo()
    assert model_fingerprint(LogisticRegression()) == before


def test_another_version_of_a_package_is_another_model(monkeypatch):
    before = model_fingerprint(StandardScaler()), model_fingerprint(Mean())
    monkeypatch.setattr(sklearn, "__version__", "0.1")
    assert model_fingerprint(StandardScaler()) != before[0]
    assert model_fingerprint(Mean()) != before[1]  # its base classes are scikit-learn's


def test_a_refusal_names_the_packages_that_changed(tmp_path, monkeypatch):
    run({"m": Mean()}, data(), HoldOut(), store=tmp_path / "s")
    monkeypatch.setattr(sklearn, "__version__", "0.1")
    with pytest.raises(EvidenceError, match=r"stored with sklearn [\d.]+, now 0\.1; fingerprints \w{12} and \w{12}\)"):
        run({"m": Mean()}, data(), HoldOut(), store=tmp_path / "s")


def test_what_cannot_be_seen_is_refused_with_a_way_out(tmp_path):
    experiment = Experiment({"m": Rule(threading.Lock())}, data(), HoldOut())
    words = r"model 'm' cannot be kept in a store, .*: rule is a _thread.lock: .* Hint: give it a version"
    for action in (lambda: experiment.fingerprints, lambda: experiment.run(tmp_path / "s")):
        with pytest.raises(ParameterError, match=words):
            action()
    assert not (tmp_path / "s").exists()
    ufunc = np.frompyfunc(lambda x: x, 1, 1)
    with pytest.raises(ParameterError, match=r"rule is a numpy\.ufunc: the function behind it cannot be seen"):
        model_fingerprint(Rule(ufunc))


class Open(Rule):
    def fit(self, X, y):
        self.rule("seen")
        return super().fit(X, y)


def test_a_version_answers_for_what_cannot_be_seen(tmp_path):
    def model(version, value):
        made = Open(np.frompyfunc(lambda x: value, 1, 1))
        made.version = version
        return made

    assert model_fingerprint(model("1", 1)) == model_fingerprint(model("1", 2))
    assert model_fingerprint(model("1", 1)) != model_fingerprint(model("2", 1))
    run({"m": model("1", 1)}, data(), HoldOut(), store=tmp_path / "s")
    with pytest.raises(EvidenceError, match="that is not this one"):
        run({"m": model("2", 1)}, data(), HoldOut(), store=tmp_path / "s")


def test_a_model_of_a_script_is_the_same_in_a_module(tmp_path):
    own = "from logging import getLogger\nlog = getLogger(__name__)\n" + HEAD + OWN.format(what="0")
    own = own.replace("self.classes_ =", "log.info(1); self.classes_ =")
    tell = "import bakeoff.runner._fingerprint as f; print(f.model_fingerprint({}))\n"
    (tmp_path / "own.py").write_text(own + "if __name__ == '__main__':\n    " + tell.format("Own()"))
    (tmp_path / "user.py").write_text("import own\n" + tell.format("own.Own()"))
    told = [
        subprocess.run([sys.executable, name], capture_output=True, text=True, check=True, cwd=tmp_path).stdout
        for name in ("own.py", "user.py")
    ]
    assert told[0] == told[1] != ""


IMPORTS = OWN.format(what="0").replace(PREDICT, f"        import other\n{PREDICT}")


@pytest.mark.parametrize("trouble", ["1 / 0", "raise SystemExit(3)", "def"])
def test_a_module_that_cannot_be_imported_is_a_refusal_with_a_way_out(write, trouble):
    with pytest.raises(ParameterError, match=r"importing 'other' failed with \w+: .* Hint: give it a version"):
        write({"other": trouble, "own": HEAD + IMPORTS})
    assert write({"other": trouble, "own": HEAD + IMPORTS + "    version = '1'\n"})


def test_a_module_that_is_not_to_be_had_is_no_refusal(write):
    missing = "import a_package_that_nobody_has"
    assert write({"other": missing, "own": HEAD + IMPORTS})


def test_compiled_code_of_the_users_own_counts_by_its_file(tmp_path, monkeypatch):
    module = types.ModuleType("compiled")
    module.__file__ = str(tmp_path / f"compiled{EXTENSION_SUFFIXES[0]}")
    monkeypatch.setitem(sys.modules, "compiled", module)
    helper = type("Helper", (), {"__module__": "compiled"})
    marks = []
    for content in (b"one", b"two"):
        Path(module.__file__).write_bytes(content)
        marks.append(model_fingerprint(Rule(helper)))
    assert marks[0] != marks[1]


@pytest.mark.parametrize("table", ["{%s, %s}", "{%s: 1, %s: 1}"])
def test_functions_that_call_each_other_have_no_order_in_a_set_or_as_keys(write, table):
    marks = {
        write({"own": HEAD + PING + f"TABLE = {table % names}\n" + OWN.format(what="len(TABLE) - 2")})
        for names in (("ping", "pong"), ("pong", "ping"))
    }
    assert len(marks) == 1


def test_what_is_too_deep_needs_a_version():
    deep = Rule(functools.reduce(lambda inner, _: [inner], range(5000), 1))
    with pytest.raises(ParameterError, match="nested too deeply"):
        model_fingerprint(deep)
    marks = set()
    for deep.version in ("1", "2"):
        marks.add(model_fingerprint(deep))
    assert len(marks) == 2


def test_a_class_of_flags_is_the_same_after_members_were_put_together():
    Flags = enum.Flag("Flags", ["A", "B", "C"])
    before = model_fingerprint(Rule(Flags))
    assert Flags.A | Flags.B in Flags.A | Flags.B | Flags.C
    assert model_fingerprint(Rule(Flags)) == before


def test_parameters_that_are_no_mapping_are_a_refusal():
    class Odd(Rule):
        def get_params(self, deep=True):
            return 3

    with pytest.raises(ParameterError, match="get_params failed with TypeError"):
        model_fingerprint(Odd())


def test_parameters_that_cannot_be_asked_for_are_a_refusal():
    class Odd(Rule):
        def get_params(self, deep=True):
            raise LookupError("not today")

    with pytest.raises(ParameterError, match="get_params failed with LookupError: not today"):
        model_fingerprint(Odd())
