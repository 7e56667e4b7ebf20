"""Build hook: compile the optional C kernels if a compiler is at hand; say so in one line if not."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path("src/bakeoff/stats/_kernels/_native.c")


class CustomBuildHook(BuildHookInterface):
    """Compiles ``_native.c`` next to its source; never fails the install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if self.target_name != "wheel" or not (root / SOURCE).exists():
            return
        if os.environ.get("BAKEOFF_NO_EXTENSION"):
            print(
                "bakeoff: C kernels skipped (BAKEOFF_NO_EXTENSION is set); the NumPy path will be used", file=sys.stderr
            )
            return
        try:
            built = _compile(root)
        except Exception as problem:  # any compiler trouble: the NumPy path always works
            reason = f"{type(problem).__name__}: {problem}".splitlines()[0]
            print(f"bakeoff: C kernels not built ({reason}); the NumPy path will be used", file=sys.stderr)
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        relative = built.relative_to(root / "src")
        build_data["force_include"][str(built)] = str(relative)


def _compile(root: Path) -> Path:
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    windows = sys.platform == "win32"
    extension = Extension(
        "bakeoff.stats._kernels._native",
        [str(root / SOURCE)],
        define_macros=[("Py_LIMITED_API", "0x030B0000")],
        py_limited_api=True,
        extra_compile_args=[] if windows else ["-O3", "-fno-math-errno", "-std=c11", "-pthread"],
        extra_link_args=[] if windows else ["-pthread"],
    )
    distribution = Distribution({"name": "bakeoff", "ext_modules": [extension], "package_dir": {"": str(root / "src")}})
    command = build_ext(distribution)
    command.inplace = False
    command.build_temp = str(root / "build" / "temp")
    command.build_lib = str(root / "build" / "lib")
    command.ensure_finalized()
    command.run()
    produced = Path(command.get_ext_fullpath("bakeoff.stats._kernels._native"))
    target = root / "src" / "bakeoff" / "stats" / "_kernels" / produced.name
    target.write_bytes(produced.read_bytes())
    return target
