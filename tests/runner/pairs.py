"""Pairs of models that differ in one thing, for the tests of fingerprints."""

from __future__ import annotations

import array
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import operator
import os
import pathlib
import random
import re
import sys
import types
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import scipy.sparse
import scipy.stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import BaggingClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler


class Rule(ClassifierMixin, BaseEstimator):
    def __init__(self, rule=None):
        self.rule = rule

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class Slotted:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


class SlotInBase(Slotted):
    def __init__(self, value):
        super().__init__(value)
        self.extra = 1


class Plain:
    def __init__(self, value):
        self.value = value

    def method(self, x):
        return self.value


class Cyclic:
    def __init__(self, value):
        self.value, self.me, self.words = value, self, {"one", "two", "three"}


class Kept(dict):
    def __init__(self, value):
        super().__init__(a=1)
        self.value = value


Level = enum.Enum("Level", [f"L{i}" for i in range(100)])
Point = collections.namedtuple("Point", "value")


def add(k, x):
    return x + k


def closure(k):
    def inner(x):
        def deeper(z):
            return z + k

        return deeper(x)

    return inner


def class_with(value):
    return type("Made", (Rule,), {"odd": value})()


def attribute_after(value):
    class Own(Rule):
        pass

    Own.odd = value
    return Own()


def nested(depth, value):
    return functools.reduce(lambda inner, _: [inner], range(depth), value)


def pipelines(depth, value):
    model = LogisticRegression(C=1 + value)
    return functools.reduce(lambda inner, _: make_pipeline(StandardScaler(), inner), range(depth), model)


def drawn(value):
    generator = np.random.default_rng(0)
    generator.random(value)
    return generator


def module_class(value):
    """A model of a module that has no file, as notebooks and plugins make them."""
    sys.modules["made_in_memory"] = module = types.ModuleType("made_in_memory")
    module.Rule = Rule
    exec(f"class Own(Rule):\n    def predict(self, X):\n        return {value}", vars(module))
    return module.Own()


def scaler(value):
    return StandardScaler().fit(np.array([[0.0], [value + 1]]))


def fitted(value):
    return LogisticRegression().fit(np.array([[0.0], [value + 1]]), [0, 1])


def array_with_attribute(value):
    odd = np.zeros(3).view(type("Odd", (np.ndarray,), {}))
    odd.value = value
    return odd


def with_metaclass(value):
    return type("Meta", (type,), {"odd": value})("Own", (), {})()


def dispatcher(value):
    general = functools.singledispatch(lambda x: 0)
    general.register(int, lambda x: value)
    general(1)
    return general


def with_output(value):
    model = Rule()
    model._sklearn_output_config = {"transform": f"kind {value}"}
    return model


def with_version(value):
    model = Rule()
    model.version = str(value)
    return model


class ByName(Plain):
    def __reduce__(self):
        return "by_name"


@dataclasses.dataclass(frozen=True, slots=True)
class Settings:
    value: int
    more: list = dataclasses.field(default_factory=list)


class Colour(enum.Flag):
    RED = 1
    BLUE = 2


def spawned(value):
    generator = np.random.default_rng(0)
    generator.spawn(value)
    return generator


def made_by_exec(value):
    names = {}
    exec(f"K = {value}\ndef f(x):\n    return K", names)
    return names["f"]


def long_record(value):
    record = np.zeros(1, dtype=[("a", "f8", (3000,))])
    record["a"][0, 1500] = value
    return record[0]


def module_in_memory(value):
    module = types.ModuleType("in_memory")
    module.k = value
    return module


def combined_flag(value):
    """Members put together are remembered by their class, which does not make it another class."""
    return [Colour(i) for i in range(4)][value % 2 + 1 :], value


def frame_with(value, what):
    frame = pd.DataFrame({"a": [1, 2]})
    setattr(frame, "attrs", {"k": value}) if what == "attrs" else getattr(frame, what).set_names(
        f"n{value}", inplace=True
    )
    return frame


def drawn_by_python(value):
    """A function that uses the generator of the process, whose state is another in every process."""
    names = {"draw": random.random, "environ": os.environ, "stream": sys.stderr, "k": value, "__name__": "__main__"}
    exec("def f(x):\n    print(x, file=stream)\n    return draw() * k + len(environ)", names)
    return names["f"]


def text_that_is_run(value):
    names = {"helper": lambda: value, "text": "helper() + 1", "__name__": "__main__"}
    exec("def f(x):\n    return eval(text)", names)
    return names["f"]


UFUNCS = [np.sin, np.cos, np.sqrt, np.log1p, np.abs, np.exp, np.tanh]

# How a whole number becomes a parameter of each kind: other numbers must have other fingerprints.
KINDS: dict[str, Callable[[int], Any]] = {
    "int": lambda v: v,
    "float": float,
    "text": str,
    "bytes": lambda v: bytes([v]),
    "bytearray": lambda v: bytearray([v]),
    "memoryview": lambda v: memoryview(bytes([v])),
    "complex": lambda v: complex(0, v),
    "lambda default": lambda v: lambda x, k=v: k,
    "closure": closure,
    "partial argument": lambda v: functools.partial(add, v),
    "partial keyword": lambda v: functools.partial(round, ndigits=v),
    "partial function": lambda v: functools.partial([add, operator.sub, operator.mul][v % 3], v // 3),
    "bound method": lambda v: Plain(v).method,
    "bound method of a built-in": lambda v: [v].count,
    "itemgetter": operator.itemgetter,
    "attrgetter": lambda v: operator.attrgetter(f"a{v}"),
    "methodcaller": lambda v: operator.methodcaller("__add__", v),
    "ufunc": lambda v: UFUNCS[v % 7],
    "slice": lambda v: slice(0, v),
    "range": range,
    "path": lambda v: pathlib.Path(f"folder/{v}"),
    "pure path": lambda v: pathlib.PurePosixPath(f"folder/{v}"),
    "pattern": lambda v: re.compile(f"a{v}"),
    "decimal": decimal.Decimal,
    "fraction": lambda v: fractions.Fraction(v, 101),
    "date": lambda v: datetime.date(2020, 1, 1) + datetime.timedelta(v),
    "timedelta": datetime.timedelta,
    "enum": lambda v: list(Level)[v],
    "namedtuple": Point,
    "slots": Slotted,
    "slots in the base": SlotInBase,
    "object": Plain,
    "object in a cycle": Cyclic,
    "namespace": lambda v: types.SimpleNamespace(value=v),
    "attribute of a dict's subclass": Kept,
    "deque": lambda v: collections.deque([v]),
    "mapping proxy": lambda v: types.MappingProxyType({"a": v}),
    "set": lambda v: {"a", "b", v},
    "dict key": lambda v: {v: 1, "b": 2},
    "dict value under a ufunc": lambda v: {np.sin: {"a": 1}, np.cos: {"b": v}},
    "array": lambda v: np.array([1, v]),
    "array of objects": lambda v: np.array([Slotted(v), {"a", "b"}], dtype=object),
    "structured array": lambda v: np.array([(1, v)], dtype="i4,f8"),
    "masked array": lambda v: np.ma.array(np.arange(8), mask=[bool(v >> i & 1) for i in range(8)]),
    "dtype": lambda v: np.dtype(f"S{v + 1}"),
    "datetime64": lambda v: np.datetime64("2020-01-01") + np.timedelta64(v, "D"),
    "generator's seed": np.random.default_rng,
    "generator's position": drawn,
    "RandomState": np.random.RandomState,
    "random.Random": random.Random,
    "SeedSequence": np.random.SeedSequence,
    "frame": lambda v: pd.DataFrame({"a": [1, v]}),
    "row labels of a frame": lambda v: pd.DataFrame({"a": [1, 2]}, index=[v, 100]),
    "levels of a category": lambda v: pd.DataFrame({"a": pd.Categorical(["x"], ["x", str(v)])}),
    "series": lambda v: pd.Series([1, v]),
    "row labels of a series": lambda v: pd.Series([1, 2], index=[v, 100]),
    "Polars frame": lambda v: pl.DataFrame({"a": [1, v]}),
    "Polars expression": lambda v: pl.col("a") + v,
    "long array in an array of objects": lambda v: np.array([np.append(np.zeros(2000), v), None], dtype=object),
    "attribute of an array": array_with_attribute,
    "long double": lambda v: np.array([v], dtype=np.longdouble),
    "padded structured array": lambda v: np.array([(1, v)], dtype=np.dtype("i1,f8", align=True)),
    "fitted model in an object": lambda v: types.SimpleNamespace(model=scaler(v)),
    "fitted model in a closure": lambda v: (lambda model: lambda x: model.transform(x))(scaler(v)),
    "dataclass": Settings,
    "class made by make_dataclass": lambda v: dataclasses.make_dataclass("P", [], namespace={"f": lambda s: v})(),
    "metaclass": with_metaclass,
    "object pickled by name": ByName,
    "singledispatch": dispatcher,
    "ordered dict": lambda v: collections.OrderedDict(a=1, b=v),
    "default of a defaultdict": lambda v: collections.defaultdict(functools.partial(int, v)),
    "uuid": lambda v: uuid.UUID(int=v),
    "array.array": lambda v: array.array("i", [v]),
    "annotation": lambda v: list[type(f"T{v}", (), {})],
    "generators spawned before": spawned,
    "function of no module": made_by_exec,
    "long record": long_record,
    "long int": lambda v: 10**5000 + v,
    "long int as key": lambda v: {10**5000 + v: 1},
    "no flag": lambda v: [v, Colour(0)],
    "module without a file": module_in_memory,
    "list nested 25 deep": lambda v: nested(25, v),
    "combined flags": combined_flag,
    "axis name of a frame": lambda v: frame_with(v, "columns"),
    "row axis name of a frame": lambda v: frame_with(v, "index"),
    "attributes of a frame": lambda v: frame_with(v, "attrs"),
    "generator of the process": drawn_by_python,
    "text that is run": text_that_is_run,
    "sparse matrix": lambda v: scipy.sparse.csr_matrix(np.diag([1.0, v])),
}
# The same for whole models.
MODELS: dict[str, Callable[[int], Any]] = {
    "class attribute set after the class": attribute_after,
    "class made by type()": class_with,
    "class of a module without a file": module_class,
    "frozen model": lambda v: FrozenEstimator(fitted(v)),
    "frozen step": lambda v: make_pipeline(FrozenEstimator(scaler(v)), LogisticRegression()),
    "method of a fitted model": lambda v: FunctionTransformer(scaler(v).transform),
    "kind of output": with_output,
    "version of a model that is seen": with_version,
    "seven nested pipelines": lambda v: pipelines(7, v),
    "inner estimator": lambda v: BaggingClassifier(LogisticRegression(C=1 + v)),
    "ColumnTransformer's slice": lambda v: ColumnTransformer([("s", StandardScaler(), slice(0, v))]),
    "FunctionTransformer's partial": lambda v: FunctionTransformer(functools.partial(np.clip, a_min=0, a_max=v)),
    "FunctionTransformer's keyword": lambda v: FunctionTransformer(np.clip, kw_args={"a_max": v}),
    "distribution of a random search": lambda v: RandomizedSearchCV(Rule(), {"rule": scipy.stats.uniform(0, 1 + v)}),
    "splitter of a grid search": lambda v: GridSearchCV(Rule(), {}, cv=StratifiedKFold(v + 2)),
}
MAKERS = {**{name: lambda v, f=f: Rule(f(v)) for name, f in KINDS.items()}, **MODELS}

if __name__ == "__main__":
    from bakeoff.runner._fingerprint import model_fingerprint

    print(*(model_fingerprint(make(3)) for make in MAKERS.values()))
