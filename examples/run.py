#!/usr/bin/env python3
"""Runs an example: its cells in a factory, and its application beside it.

  make example NAME=orders|htmx|turbo [EXAMPLE_PORT=8000]
"""

import argparse
import os
import pathlib
import signal
import socket
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
LIBRARIES = {"htmx": "htmx-2.0.10.min.js", "turbo": "turbo.min.js"}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("name", choices=["orders", "htmx", "turbo"])
    arguments.add_argument("--binary", default=str(ROOT / ".build/release/cellfactory"))
    arguments.add_argument("--port", type=int, default=8000, help="of the application; 0 takes a free one")
    options = arguments.parse_args()
    port = options.port or free_port()
    # Also when uvicorn has ended by it, so that the factory ends, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    # htmx and Turbo are theirs to give; the examples read them from this folder. The factory would warn of a setting that it does not know.
    libraries = os.environ.pop("CELLFACTORY_WEB_LIBRARIES", str(ROOT.parent / "shared/web"))
    library = LIBRARIES.get(options.name)
    if library and not pathlib.Path(libraries, library).is_file():
        return f"this example needs {library} in a folder that CELLFACTORY_WEB_LIBRARIES names: see examples/README.md"
    factory = subprocess.Popen(
        [options.binary, "serve", "--templates", str(HERE / options.name / "cells"), "--port", "0",
         "--cors-origin", f"http://127.0.0.1:{port}"], stdout=subprocess.PIPE, text=True)
    try:
        line = factory.stdout.readline()
        if not line.startswith("listening on "):
            return 1
        os.environ["FACTORY"] = line.split()[-1]
        os.environ["CELLFACTORY_WEB_LIBRARIES"] = libraries
        sys.path[:0] = [str(HERE / options.name), str(ROOT / "clients/python/src")]
        import uvicorn
        print(f"open http://127.0.0.1:{port}/", flush=True)
        uvicorn.run("app:app", host="127.0.0.1", port=port, log_level="warning")
    finally:
        factory.terminate()
        factory.wait(timeout=15)
    return 0


if __name__ == "__main__":
    sys.exit(main())
