"""Chromium for the browser tests: Debian's own, driven by Playwright; a page that tells of every error and request."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest

from bakeoff.evidence import Predictions

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def cannot(reason: str) -> None:
    """Skip with a reason; in continuous integration that is a failure."""
    if os.environ.get("BAKEOFF_CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    program = next(filter(None, map(shutil.which, _NAMES)), None)
    if program is None:
        cannot("no Chromium on this machine: `make browser` installs it")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        cannot("Playwright is not installed: `make setup` installs it")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=list(_ARGUMENTS))
        yield started
        started.close()


@dataclass
class Watched:
    """A page with everything it complained about and everything it asked for."""

    page: Any
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def watch(self) -> Watched:
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda e: self.errors.append(str(e)))
        self.page.on("request", lambda r: self.requests.append(r.url))
        return self

    def outside(self, *hosts: str) -> list[str]:
        """Requests that left the file, or the hosts named."""
        local = ("file", "data", "blob")
        return [u for u in self.requests if urlsplit(u).scheme not in local and urlsplit(u).netloc not in hosts]


@pytest.fixture
def watched(browser: Any) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 1250, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(20_000)
    yield Watched(page).watch()
    context.close()


def _scores(truth: np.ndarray, strength: float, rng: np.random.Generator) -> np.ndarray:
    """Probabilities of a model as strong as asked for."""
    return 1 / (1 + np.exp(-(strength * (2 * truth - 1) + rng.normal(0, 1.3, truth.size))))


@pytest.fixture(scope="package")
def two_class() -> Predictions:
    rng = np.random.default_rng(7)
    truth = rng.random(400) < 0.3
    models = {
        "forest": _scores(truth, 1.2, rng),
        "bayes": _scores(truth, 0.8, rng).round(2),
        "tree": _scores(truth, 0.7, rng).round(1),
    }
    labels = np.where(truth, "ill", "well")
    return Predictions.from_arrays(labels, y_score=models, pos_label="ill", dataset="ward")


@pytest.fixture(scope="package")
def report_file(two_class: Predictions, tmp_path_factory: pytest.TempPathFactory) -> Path:
    import bakeoff

    return bakeoff.report(two_class, title="Three models on the ward").save(tmp_path_factory.mktemp("page") / "r.html")


@dataclass
class Served:
    address: str
    host: str


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """The application, served by uvicorn on a free port of loopback."""
    with serving("browser-token") as here:
        yield here


@contextmanager
def serving(token: str) -> Iterator[Served]:
    """Serve the application until the block is left."""
    import uvicorn

    from bakeoff.app import create_app

    app = create_app(token=token, max_body=8 * 2**20)
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    host = f"127.0.0.1:{listener.getsockname()[1]}"
    yield Served(f"http://{host}/?token={token}", host)
    server.should_exit = True
    thread.join(10)
    listener.close()
    app.state.folder.cleanup()
