"""Models for tests: quick ones, and ones that raise, hang, die or answer nonsense."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import tempfile
import time

import numpy as np
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin


class Mean(ClassifierMixin, BaseEstimator):
    """Nearest class mean of one feature, with a probability; no scikit-learn arithmetic, so quick and exact."""

    def __init__(self, feature=0, pause=0.0):
        self.feature = feature
        self.pause = pause

    def fit(self, X, y):
        time.sleep(self.pause)
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == c, self.feature].mean() for c in self.classes_])
        return self

    def predict_proba(self, X):
        closeness = 1 / (0.01 + np.abs(X[:, [self.feature]] - self.means_))
        return closeness / closeness.sum(axis=1, keepdims=True)

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


class Plain:
    """Not a scikit-learn estimator: only fit and predict, and fit returns nothing."""

    def fit(self, X, y):
        values, counts = np.unique(y, return_counts=True)
        self.most = values[counts.argmax()]

    def predict(self, X):
        return [self.most] * len(X)


class Raises(Mean):
    def fit(self, X, y):
        raise ZeroDivisionError("by design")


class RaisesSometimes(Mean):
    """Fails on some training sets, by the digits of their sum."""

    def fit(self, X, y):
        if int(np.abs(X).sum() * 1e6) % 3 == 0:
            raise ZeroDivisionError("now and then")
        return super().fit(X, y)


class Exits(Mean):
    def fit(self, X, y):
        raise SystemExit(3)


class GivesNaN(Mean):
    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), np.nan)

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


class InventsLabels(Mean):
    def predict(self, X):
        return np.full(len(X), 99)


class TooFew(Mean):
    def predict(self, X):
        return super().predict(X)[:-1]


class EatsMemory(Mean):
    def fit(self, X, y):
        np.zeros((1 << 50,), dtype=np.float64)
        return super().fit(X, y)


class Hangs(Mean):
    def fit(self, X, y):
        time.sleep(600)


class KillsItself(Mean):
    """Kills its process; with a flag file, only the first time."""

    def __init__(self, feature=0, pause=0.0, flag=None):
        super().__init__(feature, pause)
        self.flag = flag

    def fit(self, X, y):
        if self.flag is None or not os.path.exists(self.flag):
            if self.flag is not None:
                with open(self.flag, "w") as file:
                    file.write("died once")
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y)


class Random(Mean):
    """Uses the global generators of NumPy and (unless told not to) Python as well as a random_state left open."""

    def __init__(self, feature=0, pause=0.0, random_state=None, python=True):
        super().__init__(feature, pause)
        self.random_state = random_state
        self.python = python

    def fit(self, X, y):
        import random

        super().fit(X, y)
        own = np.random.RandomState(self.random_state)
        self.means_ = self.means_ + own.normal(size=len(self.means_)) + np.random.normal()
        if self.python:
            self.means_ = self.means_ + random.random()
        return self


class CountsThreads(Mean):
    """Says in its probabilities how many BLAS and OpenMP threads it was allowed."""

    def predict_proba(self, X):
        from threadpoolctl import threadpool_info

        most = max((pool["num_threads"] for pool in threadpool_info()), default=1)
        share = 1 / (1 + most)
        return np.tile([share, 1 - share], (len(X), 1))


def shout(x):
    return x


def data(n=60, seed=0, classes=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % classes
    return rng.normal(size=(n, 3)) + y[:, None], y


class Wordless(Exception):
    def __str__(self):
        raise LookupError("no words")


class Notices(Mean):
    """Fails where the model before it has changed the process."""

    def fit(self, X, y):
        time.sleep(0.1)
        print("still open")
        print("still open", file=sys.stderr)
        np.float64(1) / (np.float64(1e308) * 10) / np.exp(-800.0)
        assert "PATH" in os.environ
        assert len(sys.path) > 1
        assert sys.getrecursionlimit() > 500
        assert not sklearn.get_config()["assume_finite"]
        assert signal.getsignal(signal.SIGTERM) is not signal.SIG_IGN
        return super().fit(X, y)


class Misbehaves(Mean):
    """Does to its process what `how` says."""

    def __init__(self, how="", feature=0, pause=0.0):
        super().__init__(feature, pause)
        self.how = how

    def fit(self, X, y):
        if self.how == "segfault":
            ctypes.string_at(0)
        if self.how == "os._exit":
            os._exit(0)
        if self.how == "sys.exit":
            sys.exit(3)
        if self.how == "keyboard":
            raise KeyboardInterrupt
        if self.how == "print":
            print("noise")
        if self.how == "chdir":
            os.chdir(tempfile.gettempdir())
        if self.how == "closes":
            sys.stdout.close()
            sys.stderr.close()
        if self.how == "signals":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.signal(signal.SIGALRM, lambda *a: 1 / 0)
            signal.setitimer(signal.ITIMER_REAL, 0.05)
        if self.how == "settings":
            np.seterr(all="raise")
            sys.path.clear()
            os.environ.clear()
            sys.setrecursionlimit(90)
            sklearn.set_config(assume_finite=True)
        if self.how == "gigabyte":
            np.ones(2**27)
        if self.how == "hang":
            time.sleep(600)
        if self.how == "forks":
            os.fork()
        if self.how == "forks and dies" and os.fork():
            os.kill(os.getpid(), signal.SIGKILL)
        if self.how == "forks and dies":
            time.sleep(600)
        if self.how == "child raises" and os.fork() == 0:
            raise ValueError("in the child")
        if self.how == "odd exception":
            raise Wordless
        if self.how == "endless message":
            raise ValueError("x" * 10**7)
        return super().fit(X, y)
