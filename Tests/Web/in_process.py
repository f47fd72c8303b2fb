#!/usr/bin/env python3
"""Builds the example with Hummingbird, which takes minutes, and asks it for its page. Ends what it starts."""

import os
import pathlib
import subprocess
import sys
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLE = ROOT / "examples/hummingbird-orders"
SECONDS = 30


def ask(url, body=None):
    with urllib.request.urlopen(url, body, timeout=SECONDS) as answer:
        return answer.read().decode()


def main():
    subprocess.run(["swift", "build"], cwd=EXAMPLE, check=True)
    shown = subprocess.run(["swift", "build", "--show-bin-path"], cwd=EXAMPLE, check=True, capture_output=True, text=True)
    program = pathlib.Path(shown.stdout.strip(), "orders")
    process = subprocess.Popen([program], cwd=EXAMPLE, stdout=subprocess.PIPE, text=True, env=os.environ | {"PORT": "0"})
    try:
        url = process.stdout.readline().split()[1]
        before, after = ask(url), ask(url + "orders", b"")
    finally:
        process.terminate()
        process.wait(timeout=SECONDS)
    is_right = "O&#39;Neill&#39;s &lt;Corner&gt;" in before and "Ada Lovelace" not in before and "Ada Lovelace" in after
    print(f"in process: Hummingbird {'renders orders' if is_right else 'is wrong: ' + before}")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
