"""Build hook: compile the optional C kernels if a compiler is at hand; say so in one line if not."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path("src/bakeoff/stats/_kernels/_native.c")
MODULE = "bakeoff.stats._kernels._native"


class CustomBuildHook(BuildHookInterface):
    """Compiles ``_native.c`` next to its source; never fails the install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if self.target_name != "wheel" or not (root / SOURCE).exists():
            return
        if os.environ.get("BAKEOFF_NO_EXTENSION"):
            self._say("C kernels skipped (BAKEOFF_NO_EXTENSION is set); the NumPy path will be used")
            return
        try:
            built = compile_kernels(root)
        except (Exception, SystemExit) as problem:  # any compiler trouble: the NumPy path always works
            reason = (str(problem) or type(problem).__name__).splitlines()[0]
            reason = reason if len(reason) <= 100 else f"{reason[:97]}..."
            self._say(f"C kernels not built ({reason}); the NumPy path will be used")
            return
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = f"cp311-abi3-{platform}"  # the limited API: one binary for every Python from 3.11 on
        build_data["force_include"][str(built)] = str(built.relative_to(root / "src"))

    def _say(self, line: str) -> None:
        print(f"bakeoff: {line}", file=sys.stderr)


def compile_kernels(root: Path) -> Path:
    """Compile the extension with whatever compiler this Python was built for; return the binary beside its source."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    windows = sys.platform == "win32"
    extension = Extension(
        MODULE,
        [str(root / SOURCE)],
        define_macros=[("Py_LIMITED_API", "0x030B0000")],
        py_limited_api=True,
        # Strict C11 keeps products and sums apart (no fused multiply-add), so that every machine rounds alike.
        extra_compile_args=["/O2"] if windows else ["-O3", "-std=c11", "-ffp-contract=off", "-Wno-psabi", "-pthread"],
        extra_link_args=[] if windows else ["-pthread"],
    )
    with tempfile.TemporaryDirectory() as scratch:
        distribution = Distribution({"name": "bakeoff", "ext_modules": [extension]})
        command = build_ext(distribution)
        command.build_temp = scratch
        command.build_lib = scratch
        command.ensure_finalized()
        command.run()
        produced = Path(command.get_ext_fullpath(MODULE))
        target = root / SOURCE.parent / produced.name
        partial = target.with_suffix(".partial")
        shutil.copy(produced, partial)
        partial.replace(target)  # in one step: a running process keeps the binary it has
    return target


if __name__ == "__main__":  # rebuild in place while working on the kernels: python hatch_build.py
    print(compile_kernels(Path(__file__).parent))
