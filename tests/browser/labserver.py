"""JupyterLab and Chromium for a test or a benchmark: start them, run a notebook, end them."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import nbformat
from servers import first_answer, free_port

CHROMIUM = shutil.which("chromium")
CHROMIUM_FLAGS = [
    "--no-sandbox",  # Chromium refuses to run as root without this
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # It may ask no other host for anything: a page's own rules would cost it its cache, too.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
NO_CHROMIUM = "there is no `chromium` here. On Debian: apt-get install chromium"
MILLISECONDS = 120_000  # for one step in a browser; a slow machine may need it
SELDOM = 200  # milliseconds between two looks at a page
# The kernel of the open notebook, from JupyterLab's own objects (--expose-app-in-browser).
KERNEL = "window.jupyterapp?.shell?.currentWidget?.context?.sessionContext?.session?.kernel"

ALL_CELLS_HAVE_RUN = """() => {
  const cells = [...jupyterapp.shell.currentWidget.context.model.cells];
  const codes = cells.filter(cell => cell.type === 'code');
  return codes.every(cell => cell.executionCount && cell.executionState === 'idle');
}"""
OPEN = "path => jupyterapp.shell.currentWidget?.context?.path === path"
# A notebook that is not saved would ask whether it is to be.
CLOSE_ALL = """async () => {
  for (const widget of [...jupyterapp.shell.widgets('main')]) {
    if (widget.context) widget.context.model.dirty = false;
    widget.close();
  }
  await jupyterapp.serviceManager.sessions.shutdownAll();
}"""


@contextmanager
def chromium():
    """Start a headless Chromium and yield it; a program ends with one sentence if there is none."""
    if CHROMIUM is None:
        sys.exit(f"NOT MEASURED: {NO_CHROMIUM}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def write_notebook(path: Path, *cells: str) -> Path:
    """Write a Python notebook of these code cells."""
    python = {"name": "python3", "display_name": "Python 3", "language": "python"}
    codes = [nbformat.v4.new_code_cell(cell) for cell in cells]
    notebook = nbformat.v4.new_notebook(cells=codes, metadata={"kernelspec": python})
    nbformat.write(notebook, path)
    return path


@contextmanager
def jupyterlab(folder: Path, home: Path):
    """Serve `folder` and yield the address, token and all; what the server writes is in `home`."""
    server, address = start_lab(folder, home)
    try:
        wait_for_lab(server, address, home)
        yield address
    finally:
        stop_lab(server)


def start_lab(folder: Path, home: Path) -> tuple[subprocess.Popen, str]:
    """Start JupyterLab on `folder`; all that it writes about itself goes under `home`."""
    settings = home / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    # JupyterLab asks on its first start whether it may fetch news from its makers: it may not.
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(quiet), "utf-8")
    port, token = free_port(), "browser-test"
    environment = os.environ | {
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
    }
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += ["--expose-app-in-browser", "--ServerApp.ip=127.0.0.1", "--ServerApp.port_retries=0"]
    command += [f"--ServerApp.port={port}", f"--IdentityProvider.token={token}"]
    command += [f"--ServerApp.root_dir={folder}"]
    with (home / "lab.log").open("w", encoding="utf-8") as log:
        server = subprocess.Popen(
            command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
    return server, f"http://127.0.0.1:{port}/lab?token={token}"


def wait_for_lab(server: subprocess.Popen, address: str, home: Path) -> None:
    """Return when the server answers; fail, with what it wrote, when it ends or takes too long."""
    try:
        first_answer(address.replace("/lab?", "/api/status?"), server)
    except TimeoutError as error:
        log = (home / "lab.log").read_text("utf-8")[-3000:]
        raise RuntimeError(f"JupyterLab did not start:\n{log}") from error


def stop_lab(server: subprocess.Popen) -> None:
    """End this server, and with it its kernels."""
    server.terminate()
    try:
        server.wait(30)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


def open_and_run(context, address: str, notebook: str):
    """Open a notebook of the served folder in a new page, run all its cells, return the page."""
    page = patient_page(context)
    # Reset: else JupyterLab opens what the last page had open, and this notebook beside it.
    page.goto(address.replace("/lab?", f"/lab/tree/{notebook}?reset&"))
    run_all_cells(page)
    wait_until(page, ALL_CELLS_HAVE_RUN)
    return page


def patient_page(context):
    """Return a new page that waits long before it says that something does not come."""
    page = context.new_page()
    page.set_default_timeout(MILLISECONDS)
    return page


def wait_until(page, script: str, arg=None) -> None:
    """Wait until the script is true, and ask seldom.

    Playwright asks at every frame, and so has Chromium draw sixty frames a second while the kernel
    needs the processor.
    """
    page.wait_for_function(script, arg=arg, polling=SELDOM)


def run_beside(page, notebook: str) -> None:
    """Open a notebook in a page that has JupyterLab already, and run all its cells."""
    open_it = "path => void jupyterapp.commands.execute('docmanager:open', {path})"
    page.evaluate(open_it, notebook)
    wait_until(page, OPEN, notebook)
    run_all_cells(page)
    wait_until(page, ALL_CELLS_HAVE_RUN)


def close_all(page) -> None:
    """Close what is open in JupyterLab, unsaved, and end its kernels."""
    page.evaluate(CLOSE_ALL)


def run_all_cells(page) -> None:
    """Start to run the open notebook, but not before its kernel is there: Lab would ask for one."""
    wait_until(page, f"() => {KERNEL}?.status === 'idle'")
    # The promise of a command may wait for a dialog, and we would wait with it.
    page.evaluate("() => void jupyterapp.commands.execute('notebook:run-all-cells')")
