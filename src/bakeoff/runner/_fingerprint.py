"""Fingerprints: the same data, model and split have the same one in every process and on every machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.runner._code import qualified_name
from bakeoff.runner._content import Content, Unseen, version_of
from bakeoff.runner._digest import digest, hash_array, hash_table

SCHEME = 2  # 1 saw a model's parameters and class only in part; its fingerprints never equal those of 2


@dataclass(frozen=True)
class Fingerprint:
    """What a model is: the hash of its content, the packages it uses, and what could not be seen of it.

    Attributes
    ----------
    text
        The hash; empty where something could not be seen.
    packages
        Package → version, of the installed code that the model is made of.
    unseen
        What could not be seen; empty where everything was.
    """

    text: str
    packages: Mapping[str, str] = field(default_factory=dict)
    unseen: str = ""


def data_fingerprint(X: Any, y: Any, groups: Any, weight: Any, task: str) -> str:
    """Hash everything of a data set that can change a prediction; its name does not count."""
    of = Content().of
    try:
        extras = ["" if v is None else hash_array(v, of) for v in (groups, weight)]
        return digest("data", hash_table(X, of), hash_array(y, of), *extras, task)
    except Unseen as problem:
        raise EvidenceError(f"the content of the data cannot be seen: {problem}.") from None


def fingerprint(model: Any, version: str | None = None) -> Fingerprint:
    """Return the fingerprint of a model, and what there is to know about it."""
    content = Content()
    content.answer_for(version)
    try:
        text = digest("model", str(SCHEME), version or "", content.of(model))
    except Unseen as problem:
        return Fingerprint("", unseen=str(problem))
    except RecursionError:
        if version := version or version_of(model):
            return Fingerprint(digest("model", str(SCHEME), version, qualified_name(type(model))))
        return Fingerprint("", unseen="its parameters are nested too deeply")
    return Fingerprint(text, dict(sorted(content.packages.items())))


def model_fingerprint(model: Any) -> str:
    """Hash a model by its content: parameters, code of the user's own and all it uses, versions of packages."""
    found = fingerprint(model)
    if found.unseen:
        raise unseen_error(type(model).__name__, found.unseen)
    return found.text


def unseen_error(name: str, unseen: str) -> ParameterError:
    """Make the error for a model whose content cannot be seen."""
    return ParameterError(
        f"model {name!r} cannot be kept in a store, because not everything that decides its answers can be seen: "
        f"{unseen}.",
        hint='give it a version (the attribute version = "1" of its class or object, or the key version in an '
        "experiment file), and another one whenever it changes; or run it without a store",
    )


def unit_key(*determinants: object) -> str:
    """Hash all that determines one unit of work and where it is stored."""
    return digest("unit", *(str(d) for d in determinants))


def split_fingerprint(train: Any, test: Any) -> str:
    """Hash the row numbers of a train/test pair."""
    return digest(*(hash_array(np.asarray(rows, np.int64), str) for rows in (train, test)))
