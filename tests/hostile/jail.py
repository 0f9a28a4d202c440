"""Measures an attack where it cannot reach the rest of this machine's processes or network.

The attacks are meant for graders that let them through. So each run has its own list of processes,
which ends with the run, and its own network, which leads nowhere. Files are not kept apart: an
attack writes into its own copy of the course. Linux only.

Run as `python jail.py REQUEST`, a file for `measure.py`. An ordinary user needs user namespaces.
"""

import ctypes
import fcntl
import os
import resource
import signal
import socket
import struct
import sys
from pathlib import Path

# <linux/sched.h>, <sys/mount.h>, <linux/prctl.h>, <linux/sockios.h>, <linux/if.h>
_NEW_MOUNTS, _NEW_IPC, _NEW_USERS = 0x00020000, 0x08000000, 0x10000000
_NEW_PIDS, _NEW_NETWORK = 0x20000000, 0x40000000
_PRIVATE, _RECURSIVE = 1 << 18, 1 << 14
_DIE_WITH_PARENT, _SET_FLAGS, _UP = 1, 0x8914, 1
_LIBC = ctypes.CDLL(None, use_errno=True)

_MEMORY, _FILE = 8 << 30, 1 << 30  # bytes: for the worst that nobody stops


def main(arguments: list[str]) -> int:
    """Measure in the jail; return an exit code."""
    user, group, root = os.getuid(), os.getgid(), os.geteuid() == 0
    _check(_LIBC.unshare(_spaces(root)), "unshare")
    if not root:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    child = os.fork()
    if not child:
        try:
            _enter()
            import measure

            measure.main(Path(arguments[0]))
            os._exit(0)
        except BaseException as error:
            os.write(2, f"the jail: {error!r}\n".encode())
            os._exit(70)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def why_not() -> str:
    """Return why there can be no jail here; "" if there can."""
    if sys.platform != "linux":
        return "only Linux keeps processes and networks apart"
    child = os.fork()
    if not child:
        os._exit(ctypes.get_errno() if _LIBC.unshare(_spaces(os.geteuid() == 0)) else 0)
    number = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return f"namespaces: {os.strerror(number)}" if number else ""


def _spaces(root: bool) -> int:
    spaces = _NEW_MOUNTS | _NEW_IPC | _NEW_PIDS | _NEW_NETWORK
    return spaces if root else spaces | _NEW_USERS


def _enter() -> None:
    """Be the first process of the new list: no other can end it, and all end with it."""
    _check(_LIBC.prctl(_DIE_WITH_PARENT, signal.SIGKILL), "prctl")
    _check(_LIBC.mount(b"none", b"/", None, _PRIVATE | _RECURSIVE, None), "private mounts")
    _check(_LIBC.mount(b"proc", b"/proc", b"proc", 0, None), "/proc")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh22x", b"lo", _UP))
    for limit, value in ((resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_FSIZE, _FILE)):
        resource.setrlimit(limit, (value, value))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _check(result: int, what: str) -> None:
    if result:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
