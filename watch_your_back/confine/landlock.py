"""Landlock: which files a player may open, on Linux from 5.13, without privileges.

Source of the numbers: the kernel's `include/uapi/linux/landlock.h` and its user guide.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable

from watch_your_back.confine.system_calls import call

__all__ = ["abi", "begin", "restrict"]

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_RULE_PATH_BENEATH = 1

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_READ = _READ_FILE | _READ_DIR
_WRITE = _READ | _WRITE_FILE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _REFER | _TRUNCATE
_ON_FILES = _READ_FILE | _WRITE_FILE | _TRUNCATE

# What each version of the interface can forbid, as a mask of all its rights up to then.
_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
_TCP_RIGHTS = 0b11  # bind and connect, from version 4
_SCOPES = 0b11  # abstract sockets and signals stay within the player, from version 6


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("tcp", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def abi() -> int:
    """The version of Landlock that this kernel offers; 0 where there is none or it is switched off."""
    try:
        return call(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION)
    except OSError:
        return 0


def begin(readable: Iterable[str], writable: Iterable[str]) -> int:
    """The descriptor of a set of rules that allow to open what is beneath these paths, for `restrict`.

    Paths that do not exist are left out. Raises OSError when the kernel has no Landlock.
    """
    version = abi()
    if version == 0:
        raise OSError("this kernel has no Landlock")
    ruleset = _Ruleset(_file_rights(version), _TCP_RIGHTS if version >= 4 else 0, _SCOPES if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = call(_CREATE_RULESET, ctypes.byref(ruleset), ctypes.c_size_t(size), 0)
    try:
        _allow(rules, version, readable, writable)
    except OSError:
        os.close(rules)
        raise
    return rules


def restrict(rules: int, readable: Iterable[str], writable: Iterable[str]) -> int:
    """Let this process and all its threads open only what is beneath these paths and those that the rules have already,
    and no TCP port, from now on.

    Closes the rules. Returns the version of the interface that was used. Raises OSError; the process must have
    `no_new_privs` set.
    """
    version = abi()
    try:
        _allow(rules, version, readable, writable)
        call(_RESTRICT_SELF, rules, 0)
    finally:
        os.close(rules)
    return version


def _file_rights(version: int) -> int:
    return _FILE_RIGHTS[min(version, 5)]


def _allow(rules: int, version: int, readable: Iterable[str], writable: Iterable[str]) -> None:
    for path in readable:
        _add(rules, path, _file_rights(version) & _READ)
    for path in writable:
        _add(rules, path, _file_rights(version) & _WRITE)


def _add(rules: int, path: str, rights: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(parent).st_mode):
            rights &= _ON_FILES
        rule = _PathBeneath(rights, parent)
        call(_ADD_RULE, rules, _RULE_PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(parent)
