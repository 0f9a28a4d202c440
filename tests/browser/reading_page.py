"""The page for reading: served as the command does, opened, and waited for."""

import re
import subprocess
import sys
from contextlib import contextmanager

from class_to_read import CHAPTER
from places import ROOT

ALL_SAVED = "All saved in the gradebook."


@contextmanager
def reading(course, port="0"):
    """Serve the page as the command does; yield its address, and the process."""
    command = [sys.executable, "-u", "-m", "autograder", "--root", str(course), "read", CHAPTER]
    command += ["--no-browser", "--port", port]
    server = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        line = server.stdout.readline()
        found = re.search(r"http://\S+", line)
        if not found:
            raise RuntimeError(line + server.stdout.read())
        yield found[0], server
    finally:
        server.kill()
        server.wait()
        server.stdout.close()


def come_in(page, address, reader="Ann"):
    page.goto(address)
    if page.locator("#who[open]").count() or not page.evaluate("localStorage.length"):
        page.locator("#who-name").fill(reader)
        page.keyboard.press("Enter")
    page.locator("#answer > *, #done > *").first.wait_for()


def saved(page):
    """Wait until all is in the gradebook."""
    page.locator("#status", has_text=ALL_SAVED).wait_for()
