"""The store: a folder of finished work. What is on disk is done; nothing else needs to be remembered."""

from __future__ import annotations

import io
import json
import os
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bakeoff._core.errors import BakeoffError, EvidenceError
from bakeoff.evidence import COMPACT, seals
from bakeoff.runner._claims import claim, release
from bakeoff.runner._files import FolderFlushes, read_json, sweep, write_atomically, write_json, write_once
from bakeoff.runner._manifest import Manifest, check_same_plan, check_same_things, check_seen, merge
from bakeoff.runner._rebuild import rebuilt_header, rebuilt_manifest
from bakeoff.runner._records import FailureRecord, StoreHeader, UnitRecord
from bakeoff.runner._schema import (
    FOOTER,
    FORMAT,
    SCHEMA_VERSION,
    check_version,
    decode_name,
    footer_text,
    read_footer,
    unit_folder,
)
from bakeoff.runner._unit import Done, Unit

FOLDERS = {"test": "predictions", "apparent": "apparent", "inner": "inner"}
MISPLACED = "it is not where its unit belongs"
_SAMPLED_FILES = 5
_SMALL = 2**23  # bytes of a file that is checked as soon as its footer is read
Pair = tuple[str, str]


class Store:
    """A folder that keeps predictions, failures and manifests; see `bakeoff.runner._schema` for its layout.

    Parameters
    ----------
    root
        The folder; it is made when the first run registers.

    Examples
    --------
    >>> import tempfile
    >>> import bakeoff
    >>> from bakeoff.protocols import KFold
    >>> from bakeoff.runner import Store
    >>> from sklearn.naive_bayes import GaussianNB
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = bakeoff.run({"nb": GaussianNB()}, "sklearn:iris", KFold(5), store=folder, progress=False)
    ...     print(len(Store(folder).finished()), sorted(p.name for p in results.store.root.iterdir()))
    ...
    5 ['claims', 'predictions', 'runs', 'store.json', 'tmp']
    """

    def __init__(self, root: str | os.PathLike[str]) -> None:
        self.root = Path(root).absolute()  # a model may change the current folder
        self.name = str(root)
        self._compacted: dict[Path, list[UnitRecord]] = {}
        self._checked: dict[Path, tuple[int, int]] = {}  # file → size and time when its checksum was right
        self._flushes = FolderFlushes()

    def __repr__(self) -> str:
        return f"Store({self.name!r})"

    @property
    def tmp(self) -> Path:
        """Where files are while they are written."""
        return self.root / "tmp"

    # -- birth and manifests ----------------------------------------------------------------------------------------

    def check_is_store(self) -> StoreHeader:
        """Return what ``store.json`` says, or must have said where it is damaged or gone.

        Raise if the folder is not a store or is of a newer schema.
        """
        if not self.root.is_dir():
            raise EvidenceError(
                f"there is no store {str(self.root)!r}.", hint="check the spelling and the current folder"
            )
        header = self.header() or rebuilt_header(self)
        if header is not None:
            return header
        if not self.header_path.exists():
            raise EvidenceError(
                f"the folder {str(self.root)!r} is not a bakeoff store: it has no store.json.",
                hint="a store is made by Experiment.run(store=…) or bakeoff run",
            )
        raise EvidenceError(f"{str(self.header_path)!r} does not describe a bakeoff store.")

    @property
    def header_path(self) -> Path:
        """Where the store's header is."""
        return self.root / "store.json"

    def header(self) -> StoreHeader | None:
        """Return what ``store.json`` says; None where it is damaged or missing, an error where it is of the future."""
        try:
            body = read_json(self.header_path)
            if body.get("format") != FORMAT:
                return None
            header = StoreHeader.from_json(body)
        except (ValueError, TypeError):
            return None
        check_version(body.get("schema_version"), f"the store {str(self.root)!r}")
        return header

    def write_header(self, header: StoreHeader) -> bool:
        """Write ``store.json`` unless it is there; tell whether it was written. A damaged one is replaced."""
        birth = {"format": FORMAT, "schema_version": SCHEMA_VERSION, **header.to_json()}
        content = json.dumps(birth, indent=1).encode()
        if self.header_path.exists() and self.header() is None:
            write_atomically(self.header_path, content, self.tmp)
            return True
        return write_once(self.header_path, content, self.tmp)

    def check_plan(self, manifest: Manifest) -> None:
        """Raise, before any work, if the plan does not fit what the store holds."""
        check_seen(manifest)
        # Listed before the header is looked for: a run that starts at the same moment writes its header first.
        found = {p.name for p in self.root.iterdir()} if self.root.is_dir() else set()
        if not self.header_path.exists() and (not self.root.is_dir() or rebuilt_header(self) is None):
            if self.root.is_file():
                raise EvidenceError(
                    f"the store {str(self.root)!r} must be a folder, but it is a file.", hint="name a new folder"
                )
            if found - {"tmp"}:
                raise EvidenceError(
                    f"the folder {str(self.root)!r} is not empty and not a bakeoff store.",
                    hint="name a new folder for the store",
                )
            return
        where = repr(str(self.root))
        check_same_plan(where, self.check_is_store(), manifest)
        old = self.manifest()
        if old is not None:
            check_same_things(where, "data set", old.datasets, manifest.datasets, self.names("dataset"))
            check_same_things(where, "model", old.models, manifest.models, self.names("model"))

    def register(self, manifest: Manifest) -> None:
        """Check the plan, write the run's manifest, and sweep what dead runs left half-written."""
        self.check_plan(manifest)
        with full_disk_explained(self.root):
            if not self.write_header(StoreHeader(family=manifest.family, seed=manifest.seed)):
                self.check_plan(manifest)  # someone else was first
            claim(self, manifest)
            self.write_manifest(manifest)
        sweep(self.tmp, time.time())

    def write_manifest(self, manifest: Manifest) -> None:
        """Write a manifest under a name of its own, later ones behind earlier ones."""
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%f")
        write_json(self.root / "runs" / f"{stamp}-{os.urandom(3).hex()}.json", manifest.to_json(), self.tmp)

    def manifest(self) -> Manifest | None:
        """Return the manifests of all runs put together, or None before the first.

        What damaged manifests said of data sets and models is taken from their units.
        """
        whole, damaged = self.manifests()
        merged = merge(whole)
        return rebuilt_manifest(self, merged) if damaged or merged is None else merged

    def manifests(self) -> tuple[list[Manifest], list[Path]]:
        """Return the manifests of all runs, and the files that are damaged."""
        whole, damaged = [], []
        for path in sorted((self.root / "runs").glob("*.json")):
            try:
                whole.append(Manifest.from_json(read_json(path)))
            except (ValueError, TypeError, KeyError, AttributeError):
                damaged.append(path)
        return whole, damaged

    def names(self, level: str) -> set[str]:
        """Names of the data sets or models that have any result or failure stored."""
        folders = (p for f in (*FOLDERS.values(), "failures") for p in (self.root / f).glob("dataset=*/model=*"))
        return {decode_name((p if level == "model" else p.parent).name) for p in folders if os.listdir(p)}

    # -- what is done -----------------------------------------------------------------------------------------------

    def path(self, unit: Unit) -> Path:
        """Return where the unit's predictions are, or will be."""
        return self.root / FOLDERS[unit.split.role] / unit_folder(unit.dataset, unit.model) / f"{unit.key}.parquet"

    def failure_path(self, unit: Unit | FailureRecord) -> Path:
        """Return where the unit's failure is, or would be."""
        return self.root / "failures" / unit_folder(unit.dataset, unit.model) / f"{unit.key}.json"

    def has(self, unit: Unit) -> bool:
        """Tell whether the unit's own file is there now (another run may have written it a moment ago)."""
        return self.path(unit).exists()

    def finished(self) -> set[str]:
        """Keys of all units whose predictions are stored."""
        return {
            key
            for name in FOLDERS.values()
            for folder, files in self._listed(name)
            for key in self._keys(folder, files)
        }

    def failed(self) -> set[str]:
        """Keys of all units recorded as failures."""
        return {name.partition(".")[0] for _, files in self._listed("failures", ".json") for name in files}

    def tally(self) -> tuple[Counter[Pair], Counter[Pair]]:
        """Count the units done and failed of each data set and model, from the names of the files alone."""
        done = {
            _pair_of(folder / "*"): len(set(self._keys(folder, files)))
            for folder, files in self._listed(FOLDERS["test"])
        }
        failed = {_pair_of(folder / "*"): len(files) for folder, files in self._listed("failures", ".json")}
        return Counter(done), Counter(failed)

    def _keys(self, folder: Path, files: Iterable[str]) -> list[str]:
        """Return the keys of the units in some files of a folder; names say it, but for compacted files."""
        compacted = (record.key for name in files if _is_compact(name) for record in self.footer(folder / name))
        return [*compacted, *(name.partition(".")[0] for name in files if not _is_compact(name))]

    def _listed(self, name: str, ending: str = ".parquet") -> Iterator[tuple[Path, list[str]]]:
        """Yield each folder of a data set and model with its files of a kind, in order; no path is made for each."""
        for folder in sorted((self.root / name).glob("dataset=*/model=*")):
            yield folder, sorted(n for n in os.listdir(folder) if n.endswith(ending))

    # -- writing ----------------------------------------------------------------------------------------------------

    def save(self, done: Done, record: UnitRecord) -> None:
        """Store the predictions of a unit; a failure recorded for it earlier is gone."""
        content = parquet_bytes(done, record)
        with full_disk_explained(self.root):
            write_atomically(self.path(done.unit), content, self.tmp, self._flushes)
        self.failure_path(done.unit).unlink(missing_ok=True)

    def flush(self) -> None:
        """See that everything saved is on the disk; a run calls this at its end."""
        self._flushes.finish()

    def save_failure(self, record: FailureRecord) -> None:
        """Store what went wrong with a unit."""
        with full_disk_explained(self.root):
            write_json(self.failure_path(record), record.to_json(), self.tmp)

    # -- reading ----------------------------------------------------------------------------------------------------

    def files(self, roles: Collection[str]) -> Iterator[Path]:
        for role in roles:
            for folder, names in self._listed(FOLDERS[role]):
                yield from (folder / name for name in names)

    def footer(self, path: Path) -> list[UnitRecord]:
        """Return a file's units; those of compacted files are kept, since reading many takes a while.

        The checksum of a small file is checked on the way; that of a large one when its rows are read.
        """
        if path in self._compacted:
            return self._compacted[path]
        stat = _stat(path)
        if stat.st_size <= _SMALL:
            status, reason, raw = seals.examine_footer(path)
            if status == seals.DAMAGED:
                raise seals.damaged_error(path, reason)
            self._checked[path] = stat.st_size, stat.st_mtime_ns
            text = seals.metadata_text(raw, FOOTER) or _footer_by_polars(path)
        else:
            text = _footer_by_polars(path)
        entries = read_footer(text, path)
        if any(not in_its_place(record, path) for record in entries):
            raise seals.damaged_error(path, MISPLACED)
        if _is_compact(path):
            self._compacted[path] = entries
        return entries

    def _check(self, path: Path) -> None:
        """Raise if a file does not fit its checksum; one that did is not read again while it is the same."""
        stat = _stat(path)
        if self._checked.get(path) != (stat.st_size, stat.st_mtime_ns):
            seals.require_sound(path)
            self._checked[path] = stat.st_size, stat.st_mtime_ns

    def records(self, role: str = "test") -> list[UnitRecord]:
        """Return all units of a role, each with its ``file``; the index, rebuilt from the footers."""
        return [record for path in self.files([role]) for record in self.footer(path)]

    def sample(self) -> list[UnitRecord]:
        """Return a few test units of every data set and model: enough to guess what a unit takes."""
        listed = self._listed(FOLDERS["test"])
        return [r for folder, names in listed for name in names[:_SAMPLED_FILES] for r in self.footer(folder / name)]

    def failures(self) -> list[FailureRecord]:
        """Return all recorded failures."""
        found = []
        for path in self.failure_files():
            try:
                found.append(FailureRecord.from_json(read_json(path)))
            except (ValueError, TypeError) as problem:
                raise seals.damaged_error(path, str(problem)) from None
        return found

    def failure_files(self) -> list[Path]:
        """Return the files of all recorded failures."""
        return [folder / name for folder, names in self._listed("failures", ".json") for name in names]

    def scan(self, records: Iterable[UnitRecord]) -> Any:
        """Return a lazy frame of exactly these units of one data set and model."""
        import polars as pl

        wanted = list(records)
        files = list(dict.fromkeys(r.file for r in wanted if r.file is not None))
        for file in files:
            self._check(file)
        keys = {r.key for r in wanted}
        whole = [f for f in files if not _is_compact(f) or all(record.key in keys for record in self.footer(f))]
        frames = [pl.scan_parquet(whole, hive_partitioning=False)] if whole else []
        for file in sorted(set(files) - set(whole)):
            pairs = pl.DataFrame(
                [r.place for r in wanted if r.file == file],
                schema={"repeat": pl.Int32, "fold": pl.Int32},
                orient="row",
            )
            part = pl.scan_parquet(file, hive_partitioning=False)
            frames.append(part.join(pairs.lazy(), on=["repeat", "fold"], how="semi"))
        return frames[0] if len(frames) == 1 else pl.concat(frames)

    # -- housekeeping -----------------------------------------------------------------------------------------------

    def drop(self, *, models: Collection[str] = (), datasets: Collection[str] = ()) -> int:
        """Remove the results and failures of these models or data sets; return how many files went."""
        removed = 0
        for folder in (*FOLDERS.values(), "failures"):
            for path in list((self.root / folder).glob("dataset=*/model=*/*")):
                names = _pair_of(path)
                if names[0] in datasets or names[1] in models:
                    path.unlink(missing_ok=True)
                    removed += 1
        for path in (self.root / "runs").glob("*.json"):
            try:
                body = read_json(path)
            except ValueError:  # damaged, so nothing is known from it
                continue
            body["datasets"] = {k: v for k, v in body["datasets"].items() if k not in datasets}
            body["models"] = {k: v for k, v in body["models"].items() if k not in models}
            write_json(path, body, self.tmp)
        release(self.root, {"dataset": datasets, "model": models})
        return removed


def _pair_of(path: Path) -> Pair:
    return decode_name(path.parts[-3]), decode_name(path.parts[-2])


def in_its_place(record: UnitRecord, path: Path) -> bool:
    """Tell whether a file is where its unit belongs: under its key, data set, model and role."""
    folder = f"{FOLDERS.get(record.role)}/{unit_folder(record.dataset, record.model)}"
    return "/".join(path.parts[-4:-1]) == folder and (record.key == path.stem or _is_compact(path))


def _stat(path: Path) -> os.stat_result:
    try:
        return path.stat()
    except OSError as problem:  # a link to nowhere
        raise seals.damaged_error(path, problem.strerror or "it cannot be read") from None


def _is_compact(file: Path | str) -> bool:
    return (file if isinstance(file, str) else file.name).startswith(COMPACT)


def _footer_by_polars(path: Path) -> str | None:
    import polars as pl

    try:
        return pl.read_parquet_metadata(path).get(FOOTER)
    except (pl.exceptions.PolarsError, OSError) as problem:
        raise EvidenceError(f"the file {str(path)!r} could not be read: {problem}.") from None


def parquet_bytes(done: Done, record: UnitRecord) -> bytes:
    """Write one unit's rows and its record as Parquet, in memory."""
    import polars as pl

    buffer = io.BytesIO()
    columns = [pl.Series(name, values) for name, values in done.columns.items()]
    pl.DataFrame(columns).write_parquet(buffer, metadata={FOOTER: footer_text([record])}, statistics=False)
    return seals.seal(buffer.getvalue())


@contextmanager
def full_disk_explained(root: Path) -> Iterator[None]:
    """Turn an error of the disk into a sentence that says what is safe and how to go on."""
    try:
        yield
    except OSError as problem:
        where = f" ({str(problem.filename)!r})" if problem.filename else ""
        raise StoreError(
            f"the store {str(root)!r} could not be written: {problem.strerror or problem}{where}.",
            hint="what was finished is safe; free some space (or repair the disk) and run the same again to resume",
        ) from problem


class StoreError(BakeoffError, OSError):
    """The store's disk failed; finished units are safe."""
