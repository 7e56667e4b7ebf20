"""Peak memory of a unit: its own, not what the process took before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bakeoff.runner import _meter
from bakeoff.runner._meter import MemoryPeak

# In a process of its own: the meter sees the whole process, and threads of other tests may give memory back meanwhile.
UNIT = """
import numpy as np
from bakeoff.runner._meter import MemoryPeak
earlier = np.ones(30_000_000)  # 240 MB, before the unit
del earlier
meter = MemoryPeak()
own = np.ones(5_000_000)  # 40 MB, freed before the end
del own
print(meter.bytes())
"""


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the system does not tell (Linux does)")
def test_the_peak_is_that_of_the_unit_alone():
    done = subprocess.run([sys.executable, "-c", UNIT], capture_output=True, text=True, check=True)
    assert 30e6 < int(done.stdout) < 120e6


def test_a_system_that_does_not_tell_gives_none(monkeypatch):
    monkeypatch.setattr(_meter, "_CLEAR", "/nowhere/clear_refs")
    assert MemoryPeak().bytes() is None


def test_a_limit_beyond_what_systems_count_is_none():
    with _meter.memory_limited(1e300):
        assert len(bytes(10_000)) == 10_000


@pytest.mark.skipif(sys.platform != "linux", reason="needs limits of memory")
def test_a_limit_above_the_one_that_is_set_is_that_one():
    code = (
        "import resource; from bakeoff.runner._meter import memory_limited\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**36, 2**36))\n"
        "with memory_limited(2**30): print(resource.getrlimit(resource.RLIMIT_AS) == (2**36, 2**36))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "True\n", done.stderr
