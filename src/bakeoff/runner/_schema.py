"""The store's schema, version 1: what is where, and what each file says about itself.

A store is a folder. Everything in it is Parquet or JSON; nothing in it is ever executed or unpickled::

    store.json                                              format, schema version, protocol, seed: fixed at birth
    runs/<time>-<id>.json                                   one manifest a run: data sets, models, environment
    predictions/dataset=<name>/model=<name>/<key>.parquet   one file per unit of work (or ``compact-<hash>.parquet``)
    apparent/dataset=<name>/model=<name>/<key>.parquet      the same, for the training rows (.632 needs it)
    inner/dataset=<name>/model=<name>/<key>.parquet         the same, for two folds left out together (nested CV)
    failures/dataset=<name>/model=<name>/<key>.json         what went wrong, with traceback and seed
    claims/model=<name>.json, claims/dataset=<name>.json    what a name means, from the moment a run uses it
    damaged/                                                what was set aside because it does not fit its checksum
    tmp/                                                    files being written; never read

Names are percent-encoded. A unit of work is data set × model × repeat × fold; its key is a hash of all that
determines its predictions (`_fingerprint.unit_key`), so a unit is done when its file is there.

Columns of a prediction file, in long form, one row per test instance:

=============  =======================  ============================================================================
column         type                     meaning
=============  =======================  ============================================================================
repeat, fold   Int32                    which train/test pair
instance       Int64                    row number in the data set
y_true         String, Int64, Boolean   true label; Float64 for regression
y_pred         as y_true                predicted label (classification)
y_score        Float64                  binary with a known positive class: its probability, or the model's score
proba:<class>  Float64                  otherwise: the probability of each class
y_value        Float64                  predicted value (regression)
group          String or Int64          group of the row, where the data set has groups
weight         Float64                  weight of the row, where the data set has weights
=============  =======================  ============================================================================

A model has the columns it can give: one without ``predict_proba`` or ``decision_function`` has ``y_pred`` alone.

The Parquet footer holds the key ``bakeoff``, a JSON text ``{"checksum": "…", "schema_version": 1, "units": [{…}]}``
with a checksum of the whole file (`bakeoff.evidence.seals`) and one entry per unit in it: ``key, dataset, model,
repeat, fold, role, task, classes, pos_label, n_train, n_test, fit_time, predict_time, score_time, peak_memory, seed,
protocol, protocol_description, chosen, warnings, weighted_fit, data_fingerprint, model_fingerprint, run_seed``. Times
are seconds, memory is bytes. Files without a checksum, of before there were any, are read as they are.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.text import shorten
from bakeoff.evidence import seals
from bakeoff.runner._records import NOT_STORED, UnitRecord

SCHEMA_VERSION = 1
FORMAT = "bakeoff store"
FOOTER = "bakeoff"
_LONGEST_NAME = 240  # a folder's name has at most 255 bytes on the usual file systems, "dataset=" included


def encode_name(name: str) -> str:
    """Percent-encode a name for a folder; nothing but letters, digits and ``_.-~`` stays (and no leading dot)."""
    encoded = quote(name, safe="")
    if len(encoded) > _LONGEST_NAME:
        raise ParameterError(
            f"the name {shorten(name)!r} is too long for a folder of the store: {len(encoded)} characters when written "
            f"in plain letters, at most {_LONGEST_NAME}.",
            hint="give the data set or the model a shorter name",
        )
    return encoded.replace(".", "%2E", 1) if encoded.startswith(".") else encoded


def decode_name(folder: str) -> str:
    """Return the name behind ``dataset=…`` or ``model=…``."""
    return unquote(folder.partition("=")[2])


@lru_cache(4096)
def unit_folder(dataset: str, model: str) -> str:
    """Return the Hive folder of one data set and model, relative to ``predictions``."""
    return f"dataset={encode_name(dataset)}/model={encode_name(model)}"


def footer_text(units: Sequence[UnitRecord]) -> str:
    """Write the footer's JSON, with a blank for the file's checksum."""
    body = {"checksum": seals.BLANK, "schema_version": SCHEMA_VERSION, "units": [u.to_json() for u in units]}
    return json.dumps(body, sort_keys=True)


def read_footer(text: str | None, file: Path) -> list[UnitRecord]:
    """Return the units of a file's footer; a file of a newer schema or of another origin is an error."""
    where = repr(str(file))
    if text is None:
        raise EvidenceError(f"{where} was not written by bakeoff: its footer has no entry '{FOOTER}'.")
    try:
        body = json.loads(text)
        check_version(body.get("schema_version"), where)
        return [UnitRecord.from_json({**unit, NOT_STORED: file}) for unit in body["units"]]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as problem:
        if isinstance(problem, EvidenceError):
            raise
        raise EvidenceError(f"{where} is damaged: its footer is not what bakeoff writes ({problem}).") from None


def check_version(version: Any, where: str) -> None:
    """Raise if the schema is newer than this bakeoff knows."""
    if not isinstance(version, int) or version < 1:
        raise EvidenceError(f"{where} has no valid schema version. Got {version!r}.")
    if version > SCHEMA_VERSION:
        raise EvidenceError(
            f"{where} has schema version {version}, but this bakeoff reads up to {SCHEMA_VERSION}.",
            hint="it was made by a newer bakeoff; upgrade with: pip install -U bakeoff",
        )
