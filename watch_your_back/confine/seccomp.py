"""seccomp: which system calls a player may make, on Linux, without privileges.

A deny list, since a student's NumPy may need nearly anything of the rest: what reaches another process, the network, a
new program, the kernel's settings, or memory that is charged to nobody; what lets a stopped process go on; and what
Landlock does not guard of the files: their owners, modes, times and attributes. A denied call is an OSError to the
player and no loss by itself.

Source of the numbers: the kernel's system call tables (`syscall_64.tbl` and `asm-generic/unistd.h`) and
`include/uapi/linux/{filter,seccomp,audit}.h`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

from watch_your_back.confine.system_calls import prctl

__all__ = ["restrict", "supported"]

# (x86_64, aarch64); None where the architecture has no such call.
_DENIED: dict[str, tuple[int | None, int | None]] = {
    # the network (socketpair stays: asyncio needs one, and it leads nowhere; nor can it carry or hold much)
    "socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201), "accept": (43, 202),
    "accept4": (288, 242), "sendmsg": (46, 211), "sendmmsg": (307, 269), "setsockopt": (54, 208),
    # what the owner of a file may do to it without opening it for writing
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None),
    "futimesat": (261, None), "utimensat": (280, 88), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "setxattrat": (463, 463), "removexattr": (197, 14), "lremovexattr": (198, 15),
    "fremovexattr": (199, 16), "removexattrat": (466, 466), "file_setattr": (469, 469),
    # new programs and processes (clone is looked at below)
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "move_pages": (279, 239),
    "migrate_pages": (256, 238), "setpriority": (141, 140), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274), "ioprio_set": (251, 30),
    # a timer may send SIGCONT to the process that has been stopped
    "timer_create": (222, 107),
    # memory and data that nobody is charged for, or that outlive the player
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "shmat": (30, 196),
    "shmctl": (31, 195), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180), "mq_unlink": (241, 181),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # the system
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51), "setns": (308, 268),
    "unshare": (272, 97), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "swapon": (167, 224), "swapoff": (168, 225), "reboot": (169, 142), "sethostname": (170, 161),
    "setdomainname": (171, 162), "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "syslog": (103, 116), "acct": (163, 89),
    "quotactl": (179, 60), "quotactl_fd": (443, 443), "settimeofday": (164, 170), "clock_settime": (227, 112),
    "adjtimex": (159, 171), "clock_adjtime": (305, 266), "personality": (135, 92), "iopl": (172, None),
    "ioperm": (173, None), "modify_ldt": (154, None), "vhangup": (153, 58), "open_by_handle_at": (304, 265),
    # doors that have often been broken open
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "fanotify_init": (300, 262),
}  # fmt: skip
# Answered with ENOSYS, so that the C library falls back to the older call, whose arguments a filter can look at.
_ABSENT: dict[str, tuple[int, int]] = {"clone3": (435, 435), "openat2": (437, 437)}
_CLONE, _KILL, _TGKILL, _PRCTL, _PRLIMIT = (56, 220), (62, 129), (234, 131), (157, 167), (302, 261)
_AFFINITY, _FCNTL, _IOCTL, _OPENAT, _OPEN_ON_X86 = (203, 122), (72, 25), (16, 29), (257, 56), 2

_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000

_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _FAIL = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE = 0, 4  # offsets in struct seccomp_data
_FIRST, _SECOND, _THIRD = 16, 24, 32  # the low halves of the arguments

_CLONE_THREAD, _CLONE_FILES = 0x00010000, 0x00000400
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _MODE_FILTER = 1, 4, 22, 2
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETPIPE_SZ, _FIOSETOWN, _SIOCSPGRP = 8, 10, 15, 1031, 0x8901, 0x8902
_O_TMPFILE = 0o20000000
_ITSELF = 0x7FFFFFFF
"""Stands for the number of the process in a program that has been made beforehand; higher than any process's."""


_Line = tuple[int, int, int, int | None]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def supported() -> bool:
    """Whether this machine's architecture has a list here and its kernel takes filters."""
    if platform.machine() not in _ARCHITECTURES:
        return False
    try:
        prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.c_void_p(None))
    except OSError as error:
        return error.errno == errno.EFAULT  # the kernel looked for the filter that was not there
    return True


def restrict() -> None:
    """Deny the listed calls to this process and its threads from now on.

    Raises OSError where the kernel or the architecture cannot; the process must have `no_new_privs` set.
    """
    program = _PROGRAMS.get(platform.machine())
    if program is None:
        raise OSError(f"no seccomp list for {platform.machine()}")
    code = program.replace(struct.pack("I", _ITSELF), struct.pack("I", os.getpid()))
    prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(_Program(len(code) // 8, code)))


def _program(index: int, audit: int) -> bytes:
    refuse, absent = _FAIL | errno.EPERM, _FAIL | errno.ENOSYS
    lines: list[_Line] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_IF_EQUAL, 1, 0, audit),
        (_RETURN, 0, 0, refuse),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if index == 0:
        lines += [(_IF_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, refuse)]
    for table, answer in ((_DENIED, refuse), (_ABSENT, absent)):
        for numbers in table.values():
            if numbers[index] is not None:
                lines += [(_IF_EQUAL, 0, 1, numbers[index]), (_RETURN, 0, 0, answer)]
    # Threads that share their descriptors, yes; processes, no.
    lines += [(_IF_EQUAL, 0, 5, _CLONE[index]), (_LOAD, 0, 0, _FIRST), (_IF_ANY_BIT, 0, 2, _CLONE_THREAD)]
    lines += [(_IF_ANY_BIT, 0, 1, _CLONE_FILES), (_RETURN, 0, 0, _ALLOW), (_RETURN, 0, 0, refuse)]
    # It may not ask to outlive its parent, nor hide its descriptors.
    lines += _compared(_PRCTL[index], _FIRST, [_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE], refuse, _ALLOW)
    # No descriptor may send signals, be it SIGCONT to itself, and no pipe hold more than the usual 64 KiB.
    commands = [_F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETPIPE_SZ]
    lines += _compared(_FCNTL[index], _SECOND, commands, refuse, _ALLOW)
    lines += _compared(_IOCTL[index], _SECOND, [_FIOSETOWN, _SIOCSPGRP], refuse, _ALLOW)
    # No file that never had a name, and so is in no directory; the module tempfile knows what to do instead.
    opening = [(_OPENAT[index], _THIRD)] + ([(_OPEN_ON_X86, _SECOND)] if index == 0 else [])
    for number, flags in opening:
        lines += [(_IF_EQUAL, 0, 4, number), (_LOAD, 0, 0, flags), (_IF_ANY_BIT, 0, 1, _O_TMPFILE)]
        lines += [(_RETURN, 0, 0, _FAIL | errno.EOPNOTSUPP), (_RETURN, 0, 0, _ALLOW)]
    # Signals to itself (abort() needs that), and to nobody else; its own limits and processors only.
    for denied, own in ((_KILL, [_ITSELF]), (_TGKILL, [_ITSELF]), (_PRLIMIT, [_ITSELF, 0]), (_AFFINITY, [_ITSELF, 0])):
        lines += _compared(denied[index], _FIRST, own, _ALLOW, refuse)
    return b"".join(struct.pack("HBBI", *line) for line in [*lines, (_RETURN, 0, 0, _ALLOW)])


def _compared(number: int, argument: int, values: list[int], if_one: int, if_none: int) -> list[_Line]:
    """What to answer to a call, by whether one of its arguments is one of these values."""
    lines: list[_Line] = [(_IF_EQUAL, 0, len(values) + 3, number), (_LOAD, 0, 0, argument)]
    lines += [(_IF_EQUAL, len(values) - index, 0, value) for index, value in enumerate(values)]
    return [*lines, (_RETURN, 0, 0, if_none), (_RETURN, 0, 0, if_one)]


_PROGRAMS = {machine: _program(*about) for machine, about in _ARCHITECTURES.items()}
