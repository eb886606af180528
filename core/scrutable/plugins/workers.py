"""Work that several processes do. Whatever ends the program that started them, they end with it."""

from __future__ import annotations

import os
import pickle
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from typing import TypeVar

from scrutable.errors import ScrutableError
from scrutable.writing.stopping import held, left_to_parent

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Items that are handed over before their results are asked for, for each process.
_AHEAD = 4


def spread(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    workers: int,
    prepare: Callable[[], object] | None = None,
) -> Iterator[Result]:
    """The function's result of each item, in their order, made by several processes.

    The processes are started anew and not forked. They hold the reading end of a pipe whose writing end is here alone:
    it closes when this process ends, were it killed, or gives up, and they end as it closes. A script that calls this
    needs `if __name__ == "__main__":`, since they import it.

    Parameters
    ----------
    function, items, results : what pickle takes; the function and `prepare` are found by their names.
    workers : how many processes; with 1 the work is done in this one.
    prepare : what each process calls before it begins.

    Raises
    ------
    ScrutableError : a process was ended from outside.

    Examples
    --------
    >>> list(spread(abs, [-1, 2, -3], workers=1))
    [1, 2, 3]
    """
    if workers < 2:
        yield from map(function, items)
        return
    if os.name == "posix":
        with held():  # so that HUP does not end it; started with the first process, it would unblock what is held there
            resource_tracker.ensure_running()
    context = get_context("spawn")
    reader, writer = context.Pipe(duplex=False)
    begin = reader, pickle.dumps(prepare)
    with reader, writer, ProcessPoolExecutor(workers, context, initializer=_begin, initargs=begin) as pool:
        try:
            yield from _in_order(pool, function, items, workers * _AHEAD)
        except BaseException as error:
            writer.close()  # they need not finish what nobody will ask for
            _drop_what_waits(pool)
            if isinstance(error, BrokenProcessPool):
                what = "a process ended before its work was done, perhaps for want of memory"
                raise ScrutableError(what, fix="free memory, or ask for fewer processes") from error
            raise


def _in_order(
    pool: ProcessPoolExecutor, function: Callable[[Item], Result], items: Iterable[Item], most: int
) -> Iterator[Result]:
    """The results; of at most so many items at a time."""
    waiting: deque[Future[Result]] = deque()
    for item in items:
        if len(waiting) == most:
            yield waiting.popleft().result()
        with held():  # it may start a process, of which half would be left
            waiting.append(pool.submit(function, item))
    while waiting:
        yield waiting.popleft().result()


def _drop_what_waits(pool: ProcessPoolExecutor) -> None:
    """Give up items on their way: Python before 3.11.5 waits without end for a large one that no process takes."""
    if sys.version_info < (3, 11, 5):
        with suppress(AttributeError, OSError):
            pool._call_queue._reader.close()  # type: ignore[attr-defined]  # there is no public way


def _begin(parent: Connection, prepare: bytes) -> None:
    left_to_parent()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    if (call := pickle.loads(prepare)) is not None:
        call()


def _end_with(parent: Connection) -> None:
    with suppress(EOFError, OSError):
        parent.recv_bytes()  # nothing is ever sent
    os._exit(1)
