"""The folder on the path, so that its helper modules can be imported."""

import sys
from pathlib import Path

import pytest
from threadpoolctl import threadpool_limits

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True, scope="session")
def one_blas_thread():
    """Tiny fits gain nothing from BLAS threads, and lose much when several tests run at once."""
    with threadpool_limits(1):
        yield
