"""One test of many cases: thousands of tests of a millisecond each would take longer to collect than to run."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import update_wrapper
from typing import Any

__all__ = ["for_each"]

_SHOWN = 300


def for_each(find: Callable[[], Iterable[Any]]) -> Callable[[Callable[[Any], object]], Callable[[], None]]:
    """Make a test of one case a test of all that `find` returns, when it runs; a failure names its case."""

    def decorate(test: Callable[[Any], object]) -> Callable[[], None]:
        def test_of_all() -> None:
            number = 0
            for number, case in enumerate(find(), 1):
                try:
                    test(case)
                except BaseException as error:
                    error.add_note(f"in case {number}: {str(case)[:_SHOWN]}")
                    raise
            assert number, "there are no cases"

        update_wrapper(test_of_all, test)
        del test_of_all.__wrapped__  # or pytest would take the parameter of the test for a fixture
        return test_of_all

    return decorate
