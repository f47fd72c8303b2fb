"""Starts and stops a headless Chromium."""

import os
import shutil
import signal
import subprocess


def chromium(address, folder, *options):
    """A browser in a session of its own, so that all of it can be ended; nothing but loopback can be reached."""
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
    """Ends the browser and all it started: they are one process group, made by us."""
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
