"""The seccomp filter, as bytes: the system calls that a student's code may not make.

Most of these calls need rights that a contained process lacks. They are refused all the same,
because seldom used calls have the most kernel bugs. Others would get around a limit: memory that
belongs to no process, the order to die with the grader, or the core to work on. Others would let
two sandboxes talk: both see the libraries' files, and so the locks on them and which of their
pages are in memory.

The filter is a list of instructions of eight bytes: <linux/filter.h>. The call's data, at the
offsets below: <linux/seccomp.h>, struct seccomp_data.
"""

import errno
import os
import struct
import sys

from autograder.sandbox import system

# By machine: the place of its number below, and its name for seccomp (<linux/audit.h>).
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

# <asm/unistd_64.h> for x86_64, <asm-generic/unistd.h> for aarch64.
REFUSED = {
    # File systems and namespaces.
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "unshare": (272, 97),
    "setns": (308, 268),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    # Other processes.
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "perf_event_open": (298, 241),
    "sched_setaffinity": (203, 122),
    "inotify_init": (253, 26),
    "inotify_init1": (294, 26),
    # Wide and seldom used doors into the kernel.
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # The machine.
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "acct": (163, 89),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    # Memory that no limit of a process counts.
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "mq_open": (240, 180),
    # Which pages of a file are in memory: asynchronous reads, too, can be told not to wait for the
    # disk.
    "mincore": (27, 232),
    "cachestat": (451, 451),
    "io_setup": (206, 0),
}
# Answered as if they were done: programs may hint at what they will read, and the kernel need not
# listen. It would bring pages of a shared file into memory, or take them out.
HINTS = {"fadvise64": (221, 223), "readahead": (187, 213)}
# Hints at memory. Those that concern this process alone: <asm-generic/mman-common.h>, MADV_NORMAL,
# DONTNEED, FREE, DONTFORK, DOFORK, UNMERGEABLE, HUGEPAGE, NOHUGEPAGE, DONTDUMP, DODUMP, WIPEONFORK,
# KEEPONFORK. Those at what will be read are answered as above: RANDOM, SEQUENTIAL, WILLNEED. The
# others are unknown here, as to an older kernel.
_MADVISE = (28, 233)
_OWN_MEMORY, _TO_BE_READ = (0, 4, 8, 10, 11, 13, 14, 15, 16, 17, 18, 19), (1, 2, 3)
# With a flag it can be told not to wait for the disk, or to leave nothing in memory.
_PREADV2 = (327, 286)
# Refused with some arguments only.
_CLONE, _PRCTL, _SOCKET, _SOCKETPAIR = (56, 220), (157, 167), (41, 198), (53, 199)
# A lock on a file that two sandboxes see is a bit that both see. POSIX's own locks stay, as SQLite
# needs them: without the right to write, only shared locks can be asked for, which never conflict.
_FLOCK, _FCNTL = (73, 32), (72, 25)
# F_GETLK, F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW, F_SETLEASE, F_NOTIFY: <linux/fcntl.h>
_ASKED_OF_A_FILE = (5, 36, 37, 38, 1024, 1026)
# Its arguments lie in memory, where a filter cannot look. If it is refused, libc uses clone.
_CLONE3 = 435
# Newer calls than this are not known here. (On x86_64 it stops the second, 32-bit, set too.)
_LAST_KNOWN = 466

_NAMESPACES = (
    system.NEW_MOUNTS
    | system.NEW_UTS
    | system.NEW_IPC
    | system.NEW_USERS
    | system.NEW_PIDS
    | system.NEW_NETWORK
    | 0x02000000  # control groups
)
# <linux/prctl.h>: PR_SET_PDEATHSIG, and PR_SET_MEMORY_MERGE: pages that several processes have
_PROCESS_CONTROLS = (1, 67)
# UNIX, INET, INET6, NETLINK: <linux/socket.h>. The network namespace is empty, but some families
# reach past it, for example to the host of a virtual machine.
_FAMILIES = (1, 2, 10, 16)

_NUMBER, _MACHINE = 0, 4
_FIRST_ARGUMENT, _SECOND_ARGUMENT, _THIRD_ARGUMENT, _SIXTH_ARGUMENT = 16, 24, 32, 56
_LOAD, _EQUAL, _GREATER, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_ALLOW, _FAIL, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
# The answer of a file system without locks: HDF5 and others then go on.
_LOCKLESS = _FAIL | errno.ENOSYS
_AS_IF_DONE = _FAIL | 0


def program() -> bytes:
    """Return the filter for this machine.

    Raises:
      StepError: the numbers of this machine's calls are not known here.
    """
    name = os.uname().machine
    if name not in _MACHINES or sys.maxsize <= 2**32 or sys.byteorder != "little":
        raise system.StepError(errno.ENOTSUP, f"filter of system calls for the machine {name}")
    place, code = _MACHINES[name]
    lines = [_line(_LOAD, _MACHINE), *_unless(_EQUAL, code, _KILL)]
    lines += [_line(_LOAD, _NUMBER), *_when(_GREATER, _LAST_KNOWN, _failure(errno.ENOSYS))]
    lines += _when(_EQUAL, _CLONE3, _failure(errno.ENOSYS))
    for numbers in REFUSED.values():
        lines += _when(_EQUAL, numbers[place], _failure(errno.EPERM))
    refused = _failure(errno.EPERM)
    lines += _with_argument(_CLONE[place], _when(_ANY_BIT, _NAMESPACES, refused))
    lines += _with_argument(_PRCTL[place], _each(_PROCESS_CONTROLS, refused))
    lines += _when(_EQUAL, _FLOCK[place], _LOCKLESS)
    lines += _with_argument(_FCNTL[place], _each(_ASKED_OF_A_FILE, _LOCKLESS), _SECOND_ARGUMENT)
    lines += _pages_in_memory(place)
    for numbers in (_SOCKET, _SOCKETPAIR):
        lines += _with_argument(numbers[place], _families())
    return b"".join([*lines, _line(_RETURN, _ALLOW)])


def _families() -> list[bytes]:
    """Allow these families, fail for the others."""
    return [*_each(_FAMILIES, _ALLOW), _line(_RETURN, _failure(errno.EAFNOSUPPORT))]


def _pages_in_memory(place: int) -> list[bytes]:
    """Neither change nor tell which pages of a file are in memory."""
    lines = [
        line for numbers in HINTS.values() for line in _when(_EQUAL, numbers[place], _AS_IF_DONE)
    ]
    advice = [*_each(_OWN_MEMORY, _ALLOW), *_each(_TO_BE_READ, _AS_IF_DONE)]
    advice.append(_line(_RETURN, _failure(errno.EINVAL)))
    lines += _with_argument(_MADVISE[place], advice, _THIRD_ARGUMENT)
    flags = _unless(_EQUAL, 0, _failure(errno.EOPNOTSUPP))
    return lines + _with_argument(_PREADV2[place], flags, _SIXTH_ARGUMENT)


def _each(values: tuple[int, ...], result: int) -> list[bytes]:
    return [line for value in values for line in _when(_EQUAL, value, result)]


def _with_argument(number: int, lines: list[bytes], argument: int = _FIRST_ARGUMENT) -> list[bytes]:
    """Do these lines for one call, with an argument loaded; then load the number again."""
    body = [_line(_LOAD, argument), *lines, _line(_LOAD, _NUMBER)]
    return [_line(_EQUAL, number, otherwise=len(body)), *body]


def _when(test: int, value: int, result: int) -> list[bytes]:
    return [_line(test, value, otherwise=1), _line(_RETURN, result)]


def _unless(test: int, value: int, result: int) -> list[bytes]:
    return [_line(test, value, then=1), _line(_RETURN, result)]


def _failure(number: int) -> int:
    return _FAIL | number


def _line(code: int, value: int, *, then: int = 0, otherwise: int = 0) -> bytes:
    """Return one instruction; `then` and `otherwise` are the lines to skip after a test."""
    return struct.pack("=HBBI", code, then, otherwise, value)
