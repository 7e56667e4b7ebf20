"""`bakeoff serve`: it answers as soon as it has said where it is, and stops when told to."""

from __future__ import annotations

import http.cookiejar
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from bakeoff import ParameterError
from bakeoff.app import serve


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_answers_at_once_and_stops(tmp_path: Path, how: signal.Signals) -> None:
    command = [sys.executable, "-c", "from bakeoff.cli import main; main()", "--lang", "en", "serve"]
    server = subprocess.Popen(
        [*command, str(tmp_path), "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "NO_PROXY": "127.0.0.1"},
    )  # fmt: skip
    try:
        assert server.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", server.stdout.readline())
        assert found is not None
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        with urllib.request.build_opener(jar).open(found.group(), timeout=60) as answer:
            assert answer.status == 200
            assert b"<title>" in answer.read()
        server.send_signal(how)
        said = server.communicate(timeout=60)[1]
    finally:
        server.kill()
        server.wait()
    assert "Traceback" not in said
    assert server.returncode in (0, 130, -how)


@pytest.mark.parametrize("port", [70000, -1])
def test_a_port_that_does_not_exist_is_said(tmp_path: Path, port: int) -> None:
    with pytest.raises(ParameterError, match="ports end at 65535"):
        serve(tmp_path, port=port, open_page=False)
