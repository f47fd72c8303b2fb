"""Becomes process 1 of a container, as started by an engine: enter.py SPECIFICATION

Run it with `unshare --mount --pid --fork --propagation private`. The specification is JSON: `root`, the image's root;
`mounts` and `writable`, the mounts over it, from path to path; `arguments`; `environment`. The root file system is
read-only; the user is 65532, without groups, capabilities or ways to get them. Only the program itself is run from the
image.
"""

import ctypes
import json
import os
import subprocess
import sys

USER = 65532
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 24, 38, 47, 4


def mount(*arguments):
    subprocess.run(["mount", *arguments], check=True)


def prctl(*arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(*(list(arguments) + [0] * (5 - len(arguments)))) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def main():
    specification = json.loads(sys.argv[1])
    # A layer over the image for the places of mounts, as engines have one; nothing of it stays.
    top = "/mnt"
    mount("-t", "tmpfs", "container", top)
    for name in ("upper", "work", "root"):
        os.mkdir(f"{top}/{name}")
    root = f"{top}/root"
    layers = f"lowerdir={specification['root']},upperdir={top}/upper,workdir={top}/work"
    mount("-t", "overlay", "container", "-o", layers, root)
    for source, target in (specification["mounts"] | specification["writable"]).items():
        place = root + target
        os.makedirs(place if os.path.isdir(source) else os.path.dirname(place), exist_ok=True)
        if not os.path.isdir(source):
            open(place, "a").close()
        mount("--bind", source, place)
        if source in specification["mounts"]:
            mount("-o", "remount,bind,ro", place)
    mount("-t", "proc", "proc", f"{root}/proc")
    mount("-t", "tmpfs", "-o", "mode=755", "dev", f"{root}/dev")
    for name in ("null", "zero", "full", "random", "urandom"):
        open(f"{root}/dev/{name}", "w").close()
        mount("--bind", f"/dev/{name}", f"{root}/dev/{name}")
    mount("-o", "remount,ro", f"{root}/dev")
    mount("-o", "remount,ro", root)

    os.chroot(root)
    os.chdir("/")
    capabilities = int(open("/proc/sys/kernel/cap_last_cap").read())
    for capability in range(capabilities + 1):
        prctl(PR_CAPBSET_DROP, capability)
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    os.setgroups([])
    os.setgid(USER)
    os.setuid(USER)
    arguments = specification["arguments"]
    os.execve(arguments[0], arguments, specification["environment"])


main()
