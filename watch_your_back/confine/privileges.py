"""Giving up what a process started by root, or by anybody, could still do: capabilities, the user id, limits.

Source of the numbers: `include/uapi/linux/{prctl,capability}.h`.
"""

from __future__ import annotations

import ctypes
import os
import resource
from collections.abc import Iterable

from watch_your_back.confine.system_calls import libc, prctl

__all__ = [
    "NOBODY",
    "adopt_orphans",
    "become_nobody",
    "die_with_parent",
    "drop_capabilities",
    "dumpable",
    "limit_resources",
    "no_new_privileges",
    "not_dumpable",
    "readable_by_nobody",
]

NOBODY = 65534
"""The user and group id that a player gets when the referee runs as root."""

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38
_CAPABILITY_VERSION_3 = 0x20080522
_SIGKILL = 9

FILE_SIZE = 16 * 1024 * 1024
"""Bytes that one file of a player may grow to."""
OPEN_FILES = 64
"""Descriptors that a player may hold."""


def no_new_privileges() -> None:
    """Never gain privileges again, which Landlock and seccomp ask of an unprivileged process first."""
    prctl(_PR_SET_NO_NEW_PRIVS, 1)


def not_dumpable() -> None:
    """Let no other process of the same user read this one's memory or environment."""
    prctl(_PR_SET_DUMPABLE, 0)


def dumpable() -> None:
    """Let the referee, as the same user, look up which files this process has open."""
    prctl(_PR_SET_DUMPABLE, 1)


def adopt_orphans() -> None:
    """Become the parent of all orphaned descendants, so that none can get away by forking twice."""
    prctl(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(parent: int) -> None:
    """Be killed when the parent's thread that forked this process ends. Raises OSError when it is gone already.

    Must come last: a change of the user id takes the wish back.
    """
    prctl(_PR_SET_PDEATHSIG, _SIGKILL)
    if os.getppid() != parent:
        raise OSError("the parent process is gone")


def readable_by_nobody(paths: Iterable[str]) -> bool:
    """As root, whether nobody could read these files and search these directories; False for any other user."""
    if os.geteuid() != 0:
        return False
    paths = list(paths)  # what has to be looked up for this list is to be looked up as root
    groups, group = os.getgroups(), os.getegid()
    try:
        os.setgroups([])
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
        return all(_readable(path) for path in paths)
    except OSError:
        return False  # the root of a container or a user namespace may not do this
    finally:
        os.seteuid(0)
        os.setegid(group)
        if os.getgroups() != groups:
            os.setgroups(groups)


def _readable(path: str) -> bool:
    access = os.R_OK | (os.X_OK if os.path.isdir(path) else 0)
    return os.access(path, access, effective_ids=True)


def become_nobody(owned: str) -> None:
    """As root, take the user id of nobody for good; the directory `owned` goes with it. Raises OSError."""
    os.chown(owned, NOBODY, NOBODY)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def drop_capabilities() -> None:
    """Give up every capability; with `no_new_privileges` no program can hand them back. Raises OSError."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    nothing = (ctypes.c_uint32 * 6)()
    if libc.capset(header, nothing) < 0:
        raise OSError(ctypes.get_errno(), "capset")


def limit_resources(address_space: int | None) -> None:
    """Bound address space (bytes, if given), file size, descriptors and core dumps of this process."""
    if address_space is not None:
        _limit(resource.RLIMIT_AS, address_space)
    _limit(resource.RLIMIT_FSIZE, FILE_SIZE)
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    _limit(resource.RLIMIT_CORE, 0)


def _limit(which: int, value: int) -> None:
    _, hard = resource.getrlimit(which)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))
