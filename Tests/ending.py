"""Stops the servers of tests. Each must exit with status 0 after SIGTERM."""

import subprocess
import sys


def end(server, seconds=60):
    """Sends SIGTERM and waits. Ends the program with status 1 if the server ends otherwise than it should, or has done so before."""
    server.terminate()
    try:
        # Reads what the server still writes, so that no full pipe holds it.
        server.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        server.kill()
        sys.exit(f"the server has not ended {seconds} s after SIGTERM")
    if server.returncode:
        sys.exit(f"the server ended with status {server.returncode}")
