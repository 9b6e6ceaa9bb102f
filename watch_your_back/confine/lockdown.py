"""How a forked process becomes a player's: it gives up what it does not need, before any code of the agent is there."""

from __future__ import annotations

import os
import sys
import sysconfig
from typing import Any, NamedTuple

from watch_your_back.confine import landlock, privileges, seccomp

__all__ = ["Allowed", "allowed", "lock_down", "prepare"]

_READABLE = (
    "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime",
    "/usr/share/zoneinfo", "/usr/share/locale", "/etc/ssl/openssl.cnf", "/dev/urandom", "/dev/random", "/dev/zero",
    "/sys/devices/system/cpu",
)  # fmt: skip
_WRITABLE = ("/dev/null",)


class Allowed(NamedTuple):
    """What every player may read, and whether nobody may too (so that root's players can become nobody)."""

    readable: tuple[str, ...]
    by_nobody: bool


def allowed() -> Allowed:
    """The interpreter, its packages and what the system's libraries look up."""
    package = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    around = os.path.dirname(package)
    paths = {sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values(), *sys.path, package}
    found = {os.path.realpath(path) for path in paths if path and os.path.exists(path)}
    if os.path.basename(around) != "site-packages":
        found.discard(around)  # a clone's own folder is on the path; the rest of it is nobody's business
    found |= {os.path.realpath(path) for path in _READABLE if os.path.exists(path)}
    outermost = tuple(path for path in sorted(found) if not any(map(path.startswith, _below(found - {path}))))
    return Allowed(outermost, privileges.readable_by_nobody(filter(os.path.exists, sys.path)))


def _below(folders: set[str]) -> list[str]:
    """How the paths of what is in these folders begin."""
    return [os.path.join(folder, "") for folder in folders]


def prepare(system: Allowed) -> int | None:
    """What can be done before the agent is known: the descriptor of Landlock's rules, None where there are none."""
    try:
        return landlock.begin(system.readable, _WRITABLE)
    except OSError:
        return None


def lock_down(request: dict[str, Any], zygote: int, system: Allowed, rules: int | None) -> dict[str, Any]:
    """Put on every lock that this system has, for the agent of a spawn request; `rules` have been prepared.

    What was put on, and why not the rest, is what the referee is told (the fields of `tiers.Mechanisms`). Raises
    OSError when the zygote is gone.
    """
    root, scratch, without = request["root"], request["scratch"], request["without"]
    own = {root, os.path.dirname(request["path"])}  # a class that was in no file is somewhere else than what it uses
    done: dict[str, Any] = {"landlock": 0, "seccomp": False, "unprivileged": False, "nobody": False}
    problems = []
    try:
        privileges.no_new_privileges()
        if system.by_nobody and privileges.readable_by_nobody([request["path"], root]):
            privileges.become_nobody(scratch)
            done["nobody"] = True
        privileges.drop_capabilities()
        done["unprivileged"] = True
    except OSError as error:
        problems.append(f"privileges: {error}")
    try:
        if "landlock" in without:
            raise OSError("switched off")
        if rules is None:
            rules = landlock.begin(system.readable, _WRITABLE)  # which says why there are none
        done["landlock"] = landlock.restrict(rules, own, [scratch])
        privileges.dumpable()  # no other player can look, as none can read /proc
    except OSError as error:
        problems.append(f"landlock: {error}")
    privileges.die_with_parent(zygote)
    try:
        if "seccomp" in without:
            raise OSError("switched off")
        seccomp.restrict()
        done["seccomp"] = True
    except OSError as error:
        problems.append(f"seccomp: {error}")
    return {**done, "problems": problems}
