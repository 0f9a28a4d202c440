"""Contained processes: they see their own files, their own processes, and no network.

Linux namespaces separate mounted files, processes and network devices. A contained process is
forked into new namespaces, gets a new root (`root.py`), loses all rights, is given limits, and has
its system calls filtered (`seccomp.py`). bubblewrap and containers work in the same way; this needs
no program but the kernel, and keeps the imported libraries in memory.

Root and ordinary users may do this. Root takes an unused user id for each submission, so that
each submission's processes are counted separately. An ordinary user enters a user namespace first,
where it may mount; there the kernel (5.14 or newer) counts processes by namespace. If root itself
is in a namespace with few users (in some containers), parallel submissions share the user `nobody`
and its limit of processes.

Memory is limited for each process: a submission's processes together can take `processes` times as
much. When the machine has no memory left, the kernel ends contained processes first, the largest
before the others. To limit all of them together, start the grader in a control group:
`systemd-run --user --scope -p MemoryMax=8G autograder grade ...`.
"""

import contextlib
import os
import resource
import tempfile
from collections.abc import Iterable
from pathlib import Path

from autograder.sandbox import copied_files, root, seccomp, system
from autograder.sandbox.limits import FOLDER, Limits

_NAMESPACES = (
    system.NEW_MOUNTS | system.NEW_PIDS | system.NEW_NETWORK | system.NEW_IPC | system.NEW_UTS
)
# User ids from here on are unused: systemd.io/UIDS-GIDS. A process id can be added.
_FIRST_USER, _NOBODY = 0x70000000, 65534
_MEGABYTE = 1 << 20
_FILES = 256  # open at a time
_FIRST_TO_GO = "1000"  # when the machine has no memory left: before the grader


class Sandbox:
    """Forks contained processes. It must be made and used in one thread.

    Args:
      limits: what such a process may use.

    Raises:
      StepError: the system calls of this machine are not known.
    """

    def __init__(self, limits: Limits):
        self._limits, self._user, self._group = limits, os.geteuid(), os.getegid()
        self._is_root = self._user == 0
        self._shown, self._filter = root.needed(limits.readable, limits.hidden), seccomp.program()

    def fork(self) -> int:
        """Fork into new namespaces; the child must call `enter` before all else.

        Returns:
          The child's process id; 0 in the child. When it ends, what it has started has ended.

        Raises:
          StepError: namespaces are not available here.
        """
        return system.clone(_NAMESPACES | (0 if self._is_root else system.NEW_USERS))

    def enter(self, folder: str, *, keep: Iterable[int]) -> None:
        """Contain this process, for good.

        Args:
          folder: the submission's files; the process works on a copy of them.
          keep: the descriptors that stay open, with 0, 1 and 2.

        Raises:
          OSError: a step failed; a StepError says which.
        """
        system.die_with_parent()
        with contextlib.suppress(system.StepError):
            system.write("/proc/self/oom_score_adj", _FIRST_TO_GO)
        os.umask(0o022)  # the new root's folders are for a user without rights
        user, group = self._new_user()
        source = Path(folder).resolve(strict=True)
        given, size = copied_files.total(source), self._limits.file_megabytes
        root.build(self._shown, user=user, group=group, megabytes=size, given=given)
        copied_files.copy_in(root.outside(source), Path(FOLDER), user=user, group=group)
        root.finish()
        system.set_host_name("grader")
        _close_all_but({0, 1, 2, *keep})
        os.setsid()
        _set_limits(self._limits)
        self._give_up_rights(user, group)
        os.chdir(FOLDER)
        tempfile.tempdir = None  # it may have been looked up before

    def _new_user(self) -> tuple[int, int]:
        """Return the user and group that the contained process will have."""
        if not self._is_root:
            _keep_user(self._user, self._group)
            return self._user, self._group
        number = _FIRST_USER + int(Path("/proc/self").readlink().name)  # as it is called outside
        known = Path("/proc/self/uid_map").read_text().splitlines()
        ranges = [(int(start), int(size)) for start, _, size in map(str.split, known)]
        if any(start <= number < start + size for start, size in ranges):
            return number, number
        return _NOBODY, _NOBODY

    def _give_up_rights(self, user: int, group: int) -> None:
        system.bar_capabilities()
        if self._is_root:
            os.setgroups([])
            os.setresgid(group, group, group)
            os.setresuid(user, user, user)
        system.drop_capabilities()
        system.die_with_parent()  # a change of user has cleared it
        system.forbid_new_privileges()
        system.set_filter(self._filter)


def _keep_user(user: int, group: int) -> None:
    """Have the same number within the user namespace: files are then owned as before."""
    system.write("/proc/self/setgroups", "deny")
    system.write("/proc/self/uid_map", f"{user} {user} 1")
    system.write("/proc/self/gid_map", f"{group} {group} 1")


def _set_limits(limits: Limits) -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    libraries = pages * os.sysconf("SC_PAGESIZE")
    values = {
        resource.RLIMIT_AS: libraries + limits.memory_megabytes * _MEGABYTE,
        resource.RLIMIT_FSIZE: limits.file_megabytes * _MEGABYTE,
        resource.RLIMIT_NPROC: limits.processes,
        resource.RLIMIT_NOFILE: _FILES,
        # Not 0: with 1, a crash is not handed to a system program either (fs/coredump.c).
        resource.RLIMIT_CORE: 1,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    for limit, value in values.items():
        most = resource.getrlimit(limit)[1]
        if most != resource.RLIM_INFINITY:
            value = min(value, most)
        resource.setrlimit(limit, (value, value))


def _close_all_but(descriptors: set[int]) -> None:
    for descriptor in {int(file.name) for file in Path("/proc/self/fd").iterdir()} - descriptors:
        with contextlib.suppress(OSError):  # the list's own descriptor is on it
            os.close(descriptor)
