"""`autograder lab` opens the list of chapters, and forgets what was open."""

import os
import signal
import subprocess
import sys

import labserver
import pytest
from places import ROOT
from sites import watch

pytestmark = pytest.mark.browser


@pytest.fixture
def start(tmp_path):
    """A function that starts `autograder lab`; it returns the address and the process."""
    processes = []

    def run():
        port = labserver.free_port()
        command = [sys.executable, "-m", "autograder", "--root", str(ROOT), "lab", "--no-browser"]
        command += [f"--ServerApp.port={port}", "--IdentityProvider.token=t"]
        command += ["--LabApp.expose_app_in_browser=True"]
        home = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
        with (tmp_path / "lab.log").open("w", encoding="utf-8") as log:
            process = subprocess.Popen(
                command, env=os.environ | home, stdout=log, stderr=log, start_new_session=True
            )
        processes.append(process)
        address = f"http://127.0.0.1:{port}"
        labserver.wait_for_lab(process, f"{address}/lab?token=t", tmp_path)
        return address, process

    yield run
    for process in processes:
        if process.poll() is None:
            end(process)


def end(process):
    """End JupyterLab and what started it."""
    os.killpg(process.pid, signal.SIGTERM)
    process.wait(30)


def saves_that_it_is_open(response) -> bool:
    """Say whether JupyterLab has saved that the chapter is one of the open files."""
    asked = response.request
    return "/api/workspaces/" in asked.url and "05_sensitivity" in (asked.post_data or "")


def test_it_opens_the_list_of_chapters_and_forgets_what_was_open(browser, start, tmp_path):
    for _ in range(2):
        address, process = start()
        with browser.new_context(viewport={"width": 1200, "height": 900}) as context:
            page = labserver.patient_page(context)
            faults = watch(page, address)
            page.goto(f"{address}/?token=t")
            page.locator(".jp-Notebook h1", has_text="How this course works").wait_for()
            page.screenshot(path=tmp_path / "start.png")
            # Only this page is open, whatever was open when JupyterLab was closed before.
            assert page.locator(".lm-DockPanel-tabBar .lm-TabBar-tab").count() == 1
            assert page.get_by_text("Would you like to").count() == 0
            with page.expect_response(saves_that_it_is_open):  # it does so after a while
                page.get_by_role("link", name="Sensitivity", exact=True).click()
                page.locator(".jp-Notebook h1", has_text="Sensitivity").first.wait_for()
            assert [fault for fault in faults if "asked for" in fault] == []
        end(process)
    assert not list(tmp_path.glob(".jupyter/lab/workspaces/*"))
