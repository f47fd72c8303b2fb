"""Crashes a server in the middle of its work, in the same way as Swift's traps."""

import ctypes
import os
import time

PTRACE_PEEKUSER, PTRACE_POKETEXT, PTRACE_ATTACH, PTRACE_DETACH = 3, 4, 16, 17
WAIT_FOR_THREADS = 0x40000000
INSTRUCTION_POINTER = 16 * 8
# `ud2`, four times: what a trap is on x86-64.
TRAPS = 0x0B0F0B0F0B0F0B0F


def plant_trap(pid, thread_name, program):
    """Stops the thread in the program's own code, and writes a trap at its next instruction. x86-64 only."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    libc.ptrace.restype = ctypes.c_long
    with open(f"/proc/{pid}/maps") as maps:
        lines = [line for line in maps if line.rstrip().endswith(program)]
    low = min(int(line.split("-")[0], 16) for line in lines)
    high = max(int(line.split("-")[1].split()[0], 16) for line in lines)
    thread = next(int(task) for task in os.listdir(f"/proc/{pid}/task") if name_of(pid, task) == thread_name)
    while True:
        if libc.ptrace(PTRACE_ATTACH, thread, None, None) != 0:
            raise OSError(ctypes.get_errno(), "ptrace")
        os.waitpid(thread, WAIT_FOR_THREADS)
        place = libc.ptrace(PTRACE_PEEKUSER, thread, INSTRUCTION_POINTER, None) & (2**64 - 1)
        if low <= place < high:
            libc.ptrace(PTRACE_POKETEXT, thread, place, TRAPS)
            libc.ptrace(PTRACE_DETACH, thread, None, None)
            return
        libc.ptrace(PTRACE_DETACH, thread, None, None)
        time.sleep(0.003)


def name_of(pid, task):
    with open(f"/proc/{pid}/task/{task}/comm") as file:
        return file.read().strip()
