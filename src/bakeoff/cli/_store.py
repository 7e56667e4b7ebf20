"""`bakeoff store`: look after a store: check it, set damage aside, list, remove, and make it compact."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

from bakeoff._core.language import Text
from bakeoff.cli import _options as opt

_EXAMPLE = """Examples:

\b
  bakeoff store verify runs/churn          every file against its checksum
  bakeoff store repair runs/churn          damaged files are set aside; the next run does their units again
  bakeoff store drop runs/churn --model forest
  bakeoff store drop runs/churn --failed   models that failed on some split

Status: 0 the store is sound, 1 damage was found, 2 bad usage.
"""

DAMAGE_FOUND = 1
Folder = Annotated[Path, Argument(help="Folder of the store.", metavar="STORE", show_default=False)]


def group() -> typer.Typer:
    """Make the commands below `bakeoff store`."""
    store = typer.Typer(
        help="Check, repair, list, shrink or compact a store of results.",
        no_args_is_help=True,
        rich_markup_mode=None,
        epilog=_EXAMPLE,
    )
    for command in (verify, repair, list_units, drop, compact):
        store.command(command.__name__.partition("_")[0])(command)
    return store


def verify(folder: Folder, as_json: opt.Json = False) -> None:
    """Check every file of a store against its checksum."""
    from bakeoff.runner import Store, verify_store

    _show_checked(verify_store(Store(folder)), as_json)


def repair(folder: Folder, as_json: opt.Json = False) -> None:
    """Set damaged files aside and rebuild damaged metadata; the next run does the units again."""
    from bakeoff.runner import Store, repair_store

    store = Store(folder)
    store.check_is_store()
    text = Text(
        "Set aside in {folder}; the next run of the experiment does these units again.", folder=folder / "damaged"
    )
    _show_checked(repair_store(store), as_json, text)


def list_units(folder: Folder, as_json: opt.Json = False) -> None:
    """List data sets and models: units planned, done, failed and missing."""
    from bakeoff.cli._output import print_json, print_table
    from bakeoff.runner import Results

    status = Results.open(folder).status
    if as_json:
        print_json(status)
    else:
        print_table(status.columns)


def drop(
    folder: Folder,
    model: Annotated[list[str] | None, Option("--model", help="Model to remove; may be repeated.")] = None,
    dataset: Annotated[list[str] | None, Option("--dataset", help="Data set to remove; may be repeated.")] = None,
    failed: Annotated[bool, Option("--failed", help="Remove every model that failed on some split.")] = False,
    as_json: opt.Json = False,
) -> None:
    """Remove the results of models or data sets."""
    from bakeoff._core.errors import ParameterError
    from bakeoff.runner import Results

    if not (model or dataset or failed):
        raise ParameterError("store drop needs a --model or a --dataset to remove, or --failed.")
    results = Results.open(folder)
    before = sum(results.status.columns["done"])
    models = [*(model or ()), *(results.failures.columns["model"] if failed else ())]
    left = results.drop(models=list(dict.fromkeys(models)), datasets=dataset or ())
    removed = before - sum(left.status.columns["done"])
    _tell(as_json, {"removed": removed}, Text("{n} units were removed.", n=removed))


def compact(folder: Folder, as_json: opt.Json = False) -> None:
    """Merge the many small files into one per data set and model."""
    from bakeoff.runner import Results

    fewer = Results.open(folder).compact()
    _tell(as_json, {"fewer": fewer}, Text("{n} files fewer.", n=fewer))


def _show_checked(found: Any, as_json: bool, after_damage: Text | None = None) -> None:
    """Show what a check found, damaged files by name; leave with the status of damage."""
    from bakeoff.cli._output import print_json, print_table, say

    if as_json:
        print_json(found)
    else:
        bad = [i for i, status in enumerate(found.columns["status"]) if status == "damaged"]
        if bad:
            print_table({name: [values[i] for i in bad] for name, values in found.columns.items()})
        counts = {status: found.total(status) for status in ("sound", "unverified", "damaged")}
        say(Text("{sound} files are sound, {unverified} have no checksum, {damaged} are damaged.", **counts))
        if bad and after_damage is not None:
            say(after_damage)
    if found.total("damaged"):
        raise typer.Exit(DAMAGE_FOUND)


def _tell(as_json: bool, body: dict[str, Any], sentence: Text) -> None:
    from bakeoff.cli._output import print_json, say

    if as_json:
        print_json({"kind": "Store", "schema_version": 1, **body})
    else:
        say(sentence)
