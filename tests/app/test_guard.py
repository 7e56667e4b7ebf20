"""The guard of the application: who may ask, how much may be sent, and what every answer carries."""

from __future__ import annotations

import io
import pickle
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bakeoff.app import create_app

TOKEN = "a-token-for-tests"
LIMIT = 100_000
HOME = "http://127.0.0.1:8000"


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Any]:
    """A client that has not been given the token."""
    with warnings.catch_warnings():  # newer versions of Starlette prefer another client
        warnings.simplefilter("ignore")
        from starlette.testclient import TestClient
    app = create_app(tmp_path, token=TOKEN, max_body=LIMIT)
    with TestClient(app, base_url=HOME, raise_server_exceptions=False) as client:
        yield client
    app.state.folder.cleanup()


@pytest.fixture
def client(outside: Any) -> Any:
    """A client whose cookie is right."""
    outside.cookies.set("bakeoff-token", TOKEN)
    return outside


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/?token=wrong"),
        ("GET", "/?token="),
        ("GET", f"/?x=1&token={TOKEN}x"),
        ("GET", "/static/app.js"),
        ("GET", f"/static/app.js?token={TOKEN}"),
        ("GET", "/api/stores"),
        ("POST", "/api/upload"),
        ("POST", "/api/advise"),
        ("GET", "/report/."),
    ],
)
def test_without_the_token_nothing_is_shown(outside: Any, method: str, path: str) -> None:
    answer = outside.request(method, path)
    assert answer.status_code == 403
    assert TOKEN not in answer.text


def test_the_token_becomes_a_cookie_no_script_or_other_site_can_use(outside: Any) -> None:
    answer = outside.get(f"/?token={TOKEN}", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"].lower()
    assert f"bakeoff-token={TOKEN}" in cookie
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert outside.get("/").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "0.0.0.0:8000", "[::", "a b"])
def test_only_loopback_names_are_answered(client: Any, host: str) -> None:
    assert client.get("/", headers={"host": host}).status_code == 400


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"])
def test_loopback_names_are(client: Any, host: str) -> None:
    assert client.get("/", headers={"host": host, "cookie": f"bakeoff-token={TOKEN}"}).status_code == 200


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:9999", "http://localhost:8000"])
def test_requests_of_other_sites_are_refused(client: Any, origin: str) -> None:
    assert client.post("/api/advise", json={}, headers={"origin": origin}).status_code == 403


def test_requests_of_our_own_page_are_not(client: Any) -> None:
    assert client.post("/api/advise", json={}, headers={"origin": HOME}).status_code == 200


def test_too_large_a_body_is_refused_by_its_length(client: Any) -> None:
    answer = client.post("/api/upload", files={"file": ("a.csv", b"a,b\n" + b"1,2\n" * LIMIT)})
    assert answer.status_code == 413
    assert "limited" in answer.text


def test_too_large_a_body_is_refused_without_a_length(client: Any) -> None:
    def chunks() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
        for _ in range(60):
            yield b"1,2\n" * 1000
        yield b"\r\n--x--\r\n"

    answer = client.post("/api/upload", content=chunks(), headers={"content-type": "multipart/form-data; boundary=x"})
    assert answer.status_code == 413


@pytest.mark.parametrize("length", ["-1", "abc", "1e3", ""])
def test_a_false_length_is_refused(client: Any, length: str) -> None:
    assert client.post("/api/upload", content=b"x", headers={"content-length": length}).status_code in (400, 413)


@pytest.mark.parametrize(
    "path",
    [
        "/static/..%2f_web.py",
        "/static/%2e%2e/_web.py",
        "/static/../_web.py",
        "/static/_web.py",
        "/static/app.js%00",
        "/static/%2fetc%2fpasswd",
        "/static/.js",
        "/static/nothing.js",
        "/static/app.js/",
    ],
)
def test_static_serves_its_own_files_only(client: Any, path: str) -> None:
    answer = client.get(path, follow_redirects=False)
    assert answer.status_code in (307, 400, 403, 404)
    assert "import" not in answer.text


@pytest.mark.parametrize(
    "name", ["%2e%2e", "..%2f..", "%2e%2e%2f", "/etc", "%2fetc%2fpasswd", ".", "none", "a%00b", "a\\b"]
)
def test_reports_open_listed_stores_only(client: Any, tmp_path: Path, name: str) -> None:
    answer = client.get(f"/report/{name}")
    assert answer.status_code in (400, 404)
    assert "root:" not in answer.text
    assert "Traceback" not in answer.text


def test_every_answer_carries_its_policy(client: Any) -> None:
    for path in ("/", "/static/app.js", "/api/stores", "/nowhere"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"


def test_the_page_has_no_inline_script(client: Any) -> None:
    text = client.get("/").text
    assert text.count("<script") == text.count('<script type="module" src="/static/') + text.count(
        '<script type="application/json"'
    )
    assert " onload=" not in text
    assert " onclick=" not in text


class _Trap:
    """Unpickling this would leave a file behind."""

    path: str

    def __reduce__(self) -> tuple[Any, ...]:
        return (open, (self.path, "w"))


@pytest.mark.parametrize("name", ["trap.pkl", "trap.csv", "trap.parquet", "trap.npy", "trap.tsv"])
def test_uploads_are_never_unpickled(client: Any, tmp_path: Path, name: str) -> None:
    trap = _Trap()
    trap.path = str(tmp_path / "sprung")
    content = io.BytesIO()
    pickle.dump(trap, content)
    answer = client.post("/api/upload", files={"file": (name, content.getvalue())})
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert not (tmp_path / "sprung").exists()


def test_an_upload_may_carry_any_name_and_leaves_no_file(client: Any, tmp_path: Path) -> None:
    for name in ("../../up.csv", "/etc/x.csv", "<img src=x>.csv", "a" * 300 + ".csv", "ñ\u202e.csv"):
        answer = client.post("/api/upload", files={"file": (name, b"y_true,a\n1,1\n0,0\n")})
        assert answer.status_code == 200, answer.text
    assert list(tmp_path.iterdir()) == []
    assert list(Path(client.app.state.folder.name).iterdir()) == []


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"not json", b"null", b"\xff\xfe", b'{"id": {}}', b'{"answers": 3}', b"1" * 50]
)
@pytest.mark.parametrize("path", ["/api/analyse", "/api/advise", "/api/plan"])
def test_nonsense_is_answered_by_a_sentence(client: Any, path: str, body: bytes) -> None:
    answer = client.post(path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (200, 400)
    assert "Traceback" not in answer.text
    if answer.status_code == 400:
        assert answer.json()["error"].endswith(".")
