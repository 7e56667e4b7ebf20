"""`bakeoff serve`: the local web application."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

EXAMPLE = """Example:

  bakeoff serve runs/
"""


def serve(
    store: Annotated[Path | None, Argument(help="A store, or a folder of stores.", show_default=False)] = None,
    port: Annotated[int, Option("--port", help="Port on 127.0.0.1; 0 takes any free one.")] = 0,
    open_page: Annotated[bool, Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Open a local page: experiments and their reports, a dropped file compared, the guide, the planner."""
    from bakeoff._core.errors import EvidenceError
    from bakeoff.app import serve as run

    if store is not None and not store.is_dir():
        what = "is a file, not a folder" if store.exists() else "does not exist"
        raise EvidenceError(f"{str(store)!r} {what}.", hint="give the folder that `bakeoff run --store` wrote")
    run(store, port=port, open_page=open_page)
