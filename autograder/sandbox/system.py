"""Linux system calls that Python has no function for. An error names the step that failed.

Each has its page in the Linux manual, section 2, by the name of the step.
"""

import ctypes
import errno
import os
import signal

# <linux/sched.h>
NEW_MOUNTS, NEW_UTS, NEW_IPC = 0x00020000, 0x04000000, 0x08000000
NEW_USERS, NEW_PIDS, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000
# <sys/mount.h>
READ_ONLY, NO_SETUID, NO_DEVICES, NO_EXEC, BIND = 1, 2, 4, 8, 1 << 12
REMOUNT, RECURSIVE, PRIVATE = 1 << 5, 1 << 14, 1 << 18
_DETACH = 2
# <linux/mount.h>, <linux/fcntl.h>, and the number that the call has on every machine
_MOUNT_SETATTR, _HERE, _AT_RECURSIVE = 442, -100, 0x8000
# <linux/prctl.h>
_PDEATHSIG, _DUMPABLE, _SECCOMP, _CAPBSET_DROP, _NO_NEW_PRIVS, _AMBIENT = 1, 4, 22, 24, 38, 47
_AMBIENT_CLEAR_ALL = 4
_FILTER = 2
# <linux/capability.h>
_CAPABILITY_VERSION_3, _LAST_CAPABILITY = 0x20080522, 63

_CLONE = {"x86_64": 56, "aarch64": 220}

_libc = ctypes.CDLL(None, use_errno=True)
# Python's lock stays with the thread that calls: a fork must not happen without it.
_locked = ctypes.PyDLL(None, use_errno=True)
_locked.syscall.argtypes = [ctypes.c_long] * 6
_locked.syscall.restype = ctypes.c_long


class StepError(OSError):
    """A step towards containment failed; its words say which."""

    def __init__(self, number: int, step: str):
        super().__init__(number, f"{step}: {os.strerror(number)}")
        self.step = step

    def __str__(self) -> str:
        return self.strerror


class _Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "users")]


class _CapabilityHead(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("process", ctypes.c_int)]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p)]


def clone(flags: int) -> int:
    """Fork into the new namespaces that the flags name. Only a process of one thread may call this.

    Python has no such fork. `os.fork` and then new namespaces would take two forks, each five
    milliseconds with a quarter of a gigabyte in memory.

    Returns:
      The child's process id; 0 in the child.
    """
    ctypes.pythonapi.PyOS_BeforeFork()
    # Its arguments: flags with the signal that tells of its end, then no stack of its own, ...
    child = _locked.syscall(_CLONE[os.uname().machine], flags | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
        return 0
    number = ctypes.get_errno()
    ctypes.pythonapi.PyOS_AfterFork_Parent()
    if child < 0:
        raise StepError(number, "clone")
    return child


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount a file system, or change how one is mounted."""
    words = [word.encode() if word else None for word in (source, target, kind)]
    result = _libc.mount(*words, ctypes.c_ulong(flags), options.encode() or None)
    _check(result, f"mount {target}")


def make_unwritable(path: str) -> None:
    """Make a mount, and all that are mounted below it, read-only and without special files."""
    attributes = _Attributes(READ_ONLY | NO_SETUID | NO_DEVICES, 0, 0, 0)
    arguments = path.encode(), _AT_RECURSIVE, ctypes.byref(attributes), ctypes.sizeof(attributes)
    _check(_libc.syscall(_MOUNT_SETATTR, _HERE, *arguments), f"mount_setattr {path}")


def pivot_root(new: str, old: str) -> None:
    """Make `new` the root of all files, and put the present root at `old`."""
    _check(_libc.pivot_root(new.encode(), old.encode()), "pivot_root")


def detach(path: str) -> None:
    """Unmount a file system and all that are mounted below it."""
    _check(_libc.umount2(path.encode(), _DETACH), f"umount2 {path}")


def set_host_name(name: str) -> None:
    """Give this machine another name, in this UTS namespace."""
    _check(_libc.sethostname(name.encode(), ctypes.c_size_t(len(name))), "sethostname")


def die_with_parent() -> None:
    """Be killed when the parent ends. A change of user clears this."""
    _control(_PDEATHSIG, signal.SIGKILL)


def bar_capabilities() -> None:
    """Keep programs that are started from getting a power of root. Needs the right to do so."""
    for capability in range(_LAST_CAPABILITY + 1):
        if _libc.prctl(_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0):
            if ctypes.get_errno() == errno.EINVAL:  # this kernel has no more capabilities
                return
            _check(-1, "prctl capbset_drop")


def drop_capabilities() -> None:
    """Give up every power of root that this process has."""
    _control(_AMBIENT, _AMBIENT_CLEAR_ALL)
    head, nothing = _CapabilityHead(_CAPABILITY_VERSION_3, 0), (ctypes.c_uint32 * 6)()
    _check(_libc.capset(ctypes.byref(head), ctypes.byref(nothing)), "capset")
    _control(_DUMPABLE, 1)  # or its own /proc/self would be closed to it


def forbid_new_privileges() -> None:
    """Keep programs that are started from having more rights than this process."""
    _control(_NO_NEW_PRIVS, 1)


def set_filter(instructions: bytes) -> None:
    """Install a seccomp filter, for good."""
    buffer = ctypes.create_string_buffer(instructions, len(instructions))
    program = _Program(len(instructions) // 8, ctypes.addressof(buffer))
    _control(_SECCOMP, _FILTER, ctypes.byref(program))


def write(path: str, text: str) -> None:
    """Write to a file of /proc in one call.

    Raises:
      StepError: it cannot be written.
    """
    try:
        file = os.open(path, os.O_WRONLY)
        try:
            os.write(file, text.encode())
        finally:
            os.close(file)
    except OSError as error:
        raise StepError(error.errno or 0, f"write {path}") from None


def _control(option: int, *values) -> None:
    words = [ctypes.c_ulong(v) if isinstance(v, int) else v for v in values]
    words += [ctypes.c_ulong(0)] * (4 - len(words))
    _check(_libc.prctl(ctypes.c_int(option), *words), f"prctl {option}")


def _check(result: int, step: str) -> None:
    if result:
        raise StepError(ctypes.get_errno(), step)
