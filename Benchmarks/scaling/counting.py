"""Instructions, counted by callgrind: the difference of two runs, so that starting and ending cost nothing."""

import re

from instructions import ENVIRONMENT as DETERMINISTIC
from instructions import callgrind, collected
from scaling.check import Failure
from scaling.server import Server


# From some size on the C library copies and clears by one instruction, which valgrind counts once for each byte: what
# is larger would seem to cost more, or less, for each of its bytes. So it is told to do so for no size.
ENVIRONMENT = dict(DETERMINISTIC, GLIBC_TUNABLES=":".join(
    f"glibc.cpu.{name}={1 << 40}"
    for name in ("x86_rep_movsb_threshold", "x86_rep_stosb_threshold", "x86_non_temporal_threshold")))


def stage_count(folder, binary, name, stage, turns, *options):
    """Returns the count of one turn of a stage of cells-benchmark with the workload NAME in the folder."""
    command = [binary, "--workloads", folder, "--only", name, "--stage", stage, *options]
    counts = [collected(callgrind(folder, [*command, "--turns", count], ENVIRONMENT)) for count in turns]
    return (counts[1] - counts[0]) / (turns[1] - turns[0])


def request_count(folder, binary, path, body, requests, *options):
    """Returns the count of one request, with libmicrohttpd's but without the kernel's."""
    counts = []
    for times in requests:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/counts"]
        server = Server(binary, "--workers", 1, *options, before=command, environment=ENVIRONMENT)
        with server:
            server.post(path, body, times)
            log = server.stop()
        found = re.search(r"Collected : (\d+)", log)
        if not found:
            raise Failure(f"callgrind gave no count:\n{log}")
        counts.append(int(found.group(1)))
    return (counts[1] - counts[0]) / (requests[1] - requests[0])
