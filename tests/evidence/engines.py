"""Tables as each engine has them. Those that need a server or Java are slow tests: ``pytest -m "spark or cluster"``."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import sys
import warnings
from typing import Any

import polars as pl
import pytest

_ON_SPARK = [pytest.mark.slow, pytest.mark.spark]
ENGINES = (
    "polars",
    "duckdb",
    "ibis-duckdb",
    "ibis-sqlite",
    "dask",
    pytest.param("dask-cluster", marks=[pytest.mark.slow, pytest.mark.cluster]),
    pytest.param("spark", marks=_ON_SPARK),
    pytest.param("spark-connect", marks=_ON_SPARK),
)
"""PySpark needs the extra ``spark`` and Java 17 (Debian: ``apt-get install openjdk-17-jre-headless``)."""


def native(engine: str, frame: pl.DataFrame) -> Any:
    """The frame as the engine's own lazy table."""
    if engine == "polars":
        return frame.lazy()
    if engine.startswith("dask"):
        dask = pytest.importorskip("dask.dataframe")
        if engine == "dask-cluster":
            dask_client()
        return dask.from_pandas(frame.to_pandas(), npartitions=3)
    if engine == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        connection, table = duckdb.connect(), frame.to_arrow()
        connection.register("t", table)
        return connection.table("t")
    if engine.startswith("spark"):
        if engine == "spark" and _CONNECTED:
            pytest.skip("one process holds a classic session or a Connect session; run each alone with -k")
        return spark_session(engine).createDataFrame(frame.to_arrow())
    ibis = pytest.importorskip("ibis")
    return getattr(ibis, engine.removeprefix("ibis-")).connect().create_table("t", frame.to_arrow())


_CONNECTED: list[str] = []


@functools.cache
def spark_session(engine: str) -> Any:
    """One Spark session for the whole run; Connect starts a server of its own on this machine."""
    pytest.importorskip("pyspark")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java 17")
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    from pyspark.sql import SparkSession

    if engine == "spark-connect":
        _CONNECTED.append(engine)
        builder = SparkSession.builder.remote("local[1]")
    else:
        builder = SparkSession.builder.master("local[1]")
    for key, value in {
        "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1", "spark.driver.memory": "1g", "spark.sql.shuffle.partitions": "1",
        "spark.default.parallelism": "1", "spark.sql.execution.arrow.pyspark.enabled": "true",
    }.items():  # fmt: skip
        builder = builder.config(key, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a server of Connect keeps some settings to itself, and says so
        session = builder.getOrCreate()
    atexit.register(session.stop)
    if engine == "spark":
        session.sparkContext.setLogLevel("OFF")
    return session


@functools.cache
def dask_client() -> Any:
    """A cluster of two worker processes on this machine, which every Dask frame uses from then on."""
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=":0"
    )
    client = distributed.Client(cluster)
    atexit.register(lambda: (client.close(), cluster.close()))
    return client
