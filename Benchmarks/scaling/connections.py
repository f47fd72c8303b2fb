"""Idle connections: thousands of them cost memory, and no more."""

import contextlib
import http.client
import os
import pathlib
import re
import resource
import time

from scaling.check import Check, Failure, at_most
from scaling.load import cost, interleaved
from scaling.server import TEMPLATES, Server
from workloads import workloads

MANY = 10_000
# Descriptors of this process beside the connections.
SPARE_DESCRIPTORS = 100
# After these the last request is no longer looked after.
SETTLE_SECONDS = 2
IDLE_SECONDS = 10
# Two milliseconds a second. A busy machine doubles what looking at a connection takes.
IDLE_SHARE_LIMIT = 0.002
BUSY_LIMIT = 1.03
ROUND_SECONDS = 1


def checks(options, folder):
    allow_descriptors(MANY + SPARE_DESCRIPTORS)
    made = {workload.name: workload for workload in workloads()}
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        raise Failure("two cores are needed: one for the server, one for wrk")
    body = folder / "news.json"
    body.write_bytes(made["news"].body)
    command = [
        options.server, "--templates", TEMPLATES, "--workers", 1, "--connections", MANY + SPARE_DESCRIPTORS,
        "--idle-seconds", 86400]
    pinned = ["taskset", "--cpu-list", cores[0]]
    with Server(*command, before=pinned) as alone, Server(*command, before=pinned) as crowded, \
            contextlib.ExitStack() as idle:
        def load(server):
            return lambda: cost(server, f"/cells/{made['news'].kind}", body, ROUND_SECONDS, core=cores[1])

        for server in (alone, crowded):
            load(server)()
        resident, kernel = crowded.resident_bytes(), kernel_bytes()
        for _ in range(MANY):
            idle.enter_context(contextlib.closing(used_connection(crowded, made["tiny"])))
        resident = (crowded.resident_bytes() - resident) / MANY
        # Both ends are on this machine.
        kernel = (kernel_bytes() - kernel) / MANY / 2
        time.sleep(SETTLE_SECONDS)
        shares = [idle_share(server) for server in (alone, crowded)]
        quotient, words = interleaved(load(alone), load(crowded), options.rounds)
    return [
        Check(f"{MANY:,} idle connections: resident memory of the server, each", f"{resident:,.0f} bytes"),
        Check("the kernel's memory for one end, each, about", f"{kernel:,.0f} bytes"),
        Check(
            f"the idle server's share of a core, with none and with {MANY:,}", f"{shares[0]:.3%}, {shares[1]:.3%}",
            f"≤ {IDLE_SHARE_LIMIT:.1%}", shares[1] <= IDLE_SHARE_LIMIT),
        at_most(
            f"CPU of a request beside {MANY:,} idle connections, and beside none", quotient, BUSY_LIMIT,
            words),
    ]


def allow_descriptors(count):
    """Raises this process's limit of open files; the server raises its own."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        raise Failure(f"{count:,} open files are needed, and {hard:,} allowed: raise the hard limit (ulimit -Hn)")
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def used_connection(server, workload):
    """Opens a connection and gets one answer on it."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=30)
    try:
        connection.request("POST", f"/cells/{workload.kind}", workload.body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException) as error:
        raise Failure(f"an idle connection: {error!r}\n{server.logged()}") from error
    if answer.status != 200:
        raise Failure(f"an idle connection was answered with {answer.status}")
    return connection


def kernel_bytes():
    """Returns the kernel's memory for its objects and for socket buffers."""
    slab = re.search(r"^Slab:\s+(\d+) kB", pathlib.Path("/proc/meminfo").read_text(), re.M)
    sockets = re.search(r"^TCP:.* mem (\d+)", pathlib.Path("/proc/net/sockstat").read_text(), re.M)
    return int(slab.group(1)) * 1024 + int(sockets.group(1)) * os.sysconf("SC_PAGE_SIZE")


def idle_share(server):
    before = server.cpu_seconds()
    time.sleep(IDLE_SECONDS)
    return (server.cpu_seconds() - before) / IDLE_SECONDS
