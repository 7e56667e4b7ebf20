"""The cell magic ``%%bash`` of the guide's pages: what was printed is shown in one piece, plainly."""

from __future__ import annotations

import os
import subprocess

from IPython.core.magic import register_cell_magic


@register_cell_magic
def bash(line: str, cell: str) -> None:
    """Run a cell in a shell and print what it says, errors among the rest."""
    plain = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "CLICOLOR")}  # set by Jupyter's kernel
    done = subprocess.run(
        ["bash", "-c", cell], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=plain, check=False
    )
    print(done.stdout.rstrip())
