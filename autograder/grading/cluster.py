"""The workers that run jobs: threads of this process, or the machines of a Dask cluster."""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Self

from autograder.course_folders.course import GradingError
from autograder.execution import run_job
from autograder.execution.job import Done, Job
from autograder.printable import first_line
from autograder.version import version

if TYPE_CHECKING:
    from distributed import Client

_JOIN = 60  # seconds that a cluster may be without any worker
_CONNECT = "15s"
_RETRIES = 2  # of a job that failed on a worker: its disk was full, its kernels did not start


class Workers:
    """Runs jobs in threads of this process, `count` at a time."""

    def __init__(self, executor: Executor, count: int = 1):
        self._executor, self._count, self._stop = executor, count, Event()

    def places(self) -> int:
        """Return how many jobs can run at the same time, now."""
        return self._count

    def submit(self, work: Job, student: str) -> Future[Done]:
        """Start a student's job as soon as a place is free."""
        return self._executor.submit(run_job.run, work, self._stop)

    def finished(self, running: dict[Future, object]) -> set[Future]:
        """Wait until one of them has ended, and return those that have."""
        return wait(running, return_when=FIRST_COMPLETED).done

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End running jobs at their next cell, and drop waiting ones."""
        self._stop.set()
        self._executor.shutdown(cancel_futures=True)


class _Cluster(Workers):
    """Runs jobs on a cluster. If a job's worker is lost, another one starts it again."""

    def __init__(self, client: Client):
        super().__init__(client.get_executor(pure=False, retries=_RETRIES))
        self._client = client

    def places(self) -> int:
        # As many again wait at the cluster, so that no worker waits for us, and so that a cluster
        # which grows with its work does grow.
        with _expected():
            return max(1, 2 * sum(self._client.nthreads().values()))

    def submit(self, work: Job, student: str) -> Future[Done]:
        with _expected():
            return self._executor.submit(run_job.run, work)

    def finished(self, running: dict[Future, object]) -> set[Future]:
        done: set[Future] = set()
        while not done:
            done = wait(running, timeout=_JOIN, return_when=FIRST_COMPLETED).done
            with _expected():
                if not done:
                    self._client.wait_for_workers(1, timeout=_JOIN)
                if any(future.cancelled() for future in done):
                    raise ConnectionError("it has ended")
        return done

    def stop(self) -> None:
        with contextlib.suppress(Exception):  # a cluster that is lost cannot be told
            self._executor.shutdown(wait=False)


@contextlib.contextmanager
def _expected() -> Iterator[None]:
    """Turn any error of Dask's when a cluster is lost into a sentence."""
    try:
        yield
    except Exception as error:
        raise GradingError(
            f"the cluster was lost: {first_line(error)}. Who was graded stays graded; run the "
            "command again for the rest"
        ) from error


def threads(count: int) -> Workers:
    """Run jobs in threads of this process. Each thread has its own processes for its notebook."""
    return Workers(ThreadPoolExecutor(count), count)


@contextlib.contextmanager
def cluster(address: str, *, contained: bool) -> Iterator[Workers]:
    """Run jobs on an existing Dask cluster.

    Args:
      address: its scheduler's, like "tcp://10.0.0.5:8786", or the scheduler's file.
      contained: whether students' code must be contained.

    Raises:
      GradingError: there is no such cluster, or one of its workers cannot grade as we do.
    """
    with _client(address) as client:
        _check(client, contained=contained)
        with _Cluster(client) as workers:
            yield workers


@contextlib.contextmanager
def _client(address: str) -> Iterator[Client]:
    try:
        from distributed import Client
        from distributed.comm import get_address_host_port
    except ImportError as error:
        reason = "--cluster needs the package distributed: pip install distributed"
        raise GradingError(reason) from error
    given = {"scheduler_file": address} if Path(address).is_file() else {"address": address}
    _quiet()
    try:
        if "address" in given:
            get_address_host_port(address, strict=True)
        client = Client(**given, timeout=_CONNECT, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise GradingError(f"no cluster answers at {address}: {first_line(error)}") from error
    with client, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph")  # a submission with large files
        yield client


def _quiet() -> None:
    """Keep Dask's log out of the progress bar: what matters is raised as an error."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)


def _check(client: Client, *, contained: bool) -> None:
    """Raise GradingError unless every worker grades as this machine would."""
    try:
        client.wait_for_workers(1, timeout=_JOIN)
    except Exception as error:
        raise GradingError(f"no worker has joined the cluster in {_JOIN} seconds") from error
    for worker, found in client.run(run_job.machine, on_error="return").items():
        if isinstance(found, Exception):
            raise GradingError(f"worker {worker} cannot grade: {first_line(found)}")
        if found.checks != version():
            raise GradingError(
                f"worker {worker} has other checks ({found.checks}) than this machine "
                f"({version()}): install the same version of the course on both"
            )
        if contained and found.uncontained:
            raise GradingError(
                f"worker {worker} cannot contain students' code: {found.uncontained}. "
                "Mend it, or let their code do all that the worker may do: --uncontained"
            )
