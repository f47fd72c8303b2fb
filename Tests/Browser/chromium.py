"""Starts and stops a headless Chromium."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile


@contextlib.contextmanager
def chromium(address, *options):
    """A browser that opens a page, with a profile of its own. It can reach nothing but loopback, and ends with the block."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = start(address, folder, options)
        try:
            yield browser
        finally:
            end(browser)


def start(address, folder, options):
    return subprocess.Popen(
        [
            shutil.which("chromium") or "chromium", "--headless=new", f"--user-data-dir={folder}", "--disable-gpu",
            "--no-first-run", "--no-default-browser-check", "--disable-background-networking", "--disable-sync",
            "--disable-component-update", "--disable-extensions", "--disable-dev-shm-usage", "--mute-audio",
            "--proxy-server=127.0.0.1:9", "--proxy-bypass-list=127.0.0.1", "--js-flags=--max-old-space-size=2048",
        ]
        # Its sandbox asks for rights that root in a container has not; it opens our own pages alone.
        + (["--no-sandbox"] if os.geteuid() == 0 else [])
        + [*options, address],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        env=os.environ | {"TMPDIR": folder})


def end(browser):
    """Ends the browser and all processes that it started: they are one process group."""
    browser.terminate()
    try:
        browser.wait(timeout=5)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(browser.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    browser.wait()
