"""Runs a process with a real memory limit: a control group of version 2 or 1, or else a limit of its data (`RLIMIT_DATA`).

The group is created below the one of this process, and removed with the process. The limit of data counts what the process
has mapped for writing, whether it has been touched or not, with the stacks of its threads. So it allows more than a group;
a process that passes it ends itself for want of memory. `RLIMIT_AS` would be no substitute: it counts address space, of
which each thread's heap takes 64 MiB that are almost never mapped for writing.
"""

import contextlib
import os
import pathlib
import re
import resource

# Of the threads: eight of 8 MiB.
STACK_BYTES = 64 << 20


def status_bytes(pid, field):
    """Returns a field of /proc/PID/status in bytes."""
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"^{field}:\s+(\d+) kB", text, re.M).group(1)) << 10


class Group:
    """A limit for a process and those it starts; `form` says which."""

    def __init__(self, limit_bytes, of_data=False):
        self.folder, self.form, self.data_bytes = None, "limit of data, no control group", limit_bytes + STACK_BYTES
        for form, folder, files in [] if of_data else self.candidates():
            try:
                folder.mkdir()
            except OSError:
                continue
            try:
                for name, value in files.items():
                    (folder / name).write_text(value.format(limit_bytes))
                self.folder, self.form = folder, form
                return
            except OSError:
                folder.rmdir()

    @staticmethod
    def candidates():
        name = f"cellfactory-{os.getpid()}"
        own = dict(line.split(":", 2)[1:] for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines())
        above = pathlib.Path("/sys/fs/cgroup" + own.get("", "/").rstrip("/"))
        if (above / "cgroup.subtree_control").exists() and "memory" in (above / "cgroup.subtree_control").read_text():
            # Swapping is not using less.
            yield "control group, version 2", above / name, {"memory.max": "{}", "memory.swap.max": "0"}
        if "memory" in own:
            folder = pathlib.Path("/sys/fs/cgroup/memory" + own["memory"].rstrip("/"), name)
            yield "control group, version 1", folder, {"memory.swappiness": "0", "memory.limit_in_bytes": "{}"}

    def join(self):
        """Call this in the process to limit, before it starts its program."""
        if self.folder:
            (self.folder / "cgroup.procs").write_text(str(os.getpid()))
        else:
            resource.setrlimit(resource.RLIMIT_DATA, (self.data_bytes, self.data_bytes))

    def kills(self):
        """Returns the number of processes that the kernel killed at the limit."""
        if not self.folder:
            return 0
        for name in ("memory.events", "memory.oom_control"):
            if (self.folder / name).exists():
                return int(re.search(r"^oom_kill (\d+)", (self.folder / name).read_text(), re.M).group(1))
        return 0

    def peak(self):
        """Returns the group's peak memory in bytes, or None if the kernel does not report it."""
        for name in ("memory.peak", "memory.max_usage_in_bytes"):
            if self.folder and (self.folder / name).exists():
                return int((self.folder / name).read_text())
        return None


@contextlib.contextmanager
def group(limit_bytes, of_data=False):
    made = Group(limit_bytes, of_data)
    try:
        yield made
    finally:
        if made.folder:
            made.folder.rmdir()
