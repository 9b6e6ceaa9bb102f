"""The few Linux system calls that the standard library does not offer, through ctypes.

No other module of the project knows a system call's number except `seccomp`, which has to list what it denies.
"""

from __future__ import annotations

import ctypes
import os

__all__ = ["c_stream", "call", "libc", "prctl"]

libc = ctypes.CDLL(None, use_errno=True)


def call(number: int, *arguments: object) -> int:
    """The result of a system call. Raises OSError."""
    result: int = libc.syscall(number, *arguments)
    if result < 0:
        _raise()
    return result


def prctl(option: int, *arguments: int | object) -> int:
    """The result of prctl(2); the arguments left out are 0, as the kernel demands of unused ones. Raises OSError."""
    filled = [*arguments, *[0] * (4 - len(arguments))]
    result: int = libc.prctl(option, *[ctypes.c_ulong(each) if type(each) is int else each for each in filled])
    if result < 0:
        _raise()
    return result


def c_stream(name: str) -> ctypes.c_void_p:
    """The C library's `stdout` or `stderr`."""
    return ctypes.c_void_p.in_dll(libc, name)


def _raise() -> None:
    number = ctypes.get_errno()
    raise OSError(number, os.strerror(number))
