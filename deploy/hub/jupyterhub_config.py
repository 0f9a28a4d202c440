# One server for a class: JupyterHub with nbgrader's exchange, for people with accounts on it.
# Start it as root:  jupyterhub --config deploy/hub/jupyterhub_config.py
# What it needs, and the three commands before the first start, are in docs/hub.md.
import os
import sys
from pathlib import Path

c = get_config()  # noqa: F821  (JupyterHub puts this function here)
HERE = Path(__file__).resolve().parent if "__file__" in globals() else Path.cwd() / "deploy/hub"

# Who may log in -----------------------------------------------------------------------------------
# Accounts of this machine, with their own passwords. nbgrader files a submission under the name of
# the account, so each student needs one: a spawner that runs everybody as one user would file the
# whole class as one student.
c.JupyterHub.authenticator_class = "pam"
c.Authenticator.allow_all = True
# c.Authenticator.allowed_users = {"alice", "bob"}  # instead of everybody with an account
c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
c.Spawner.default_url = "/lab"
# The hub, JupyterLab and nbgrader start programs of this Python by their names.
c.Spawner.environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}

# Who teaches --------------------------------------------------------------------------------------
# They see Formgrader, Create Assignment and Courses. Everybody else sees Assignments and Validate.
INSTRUCTORS = {"instructor"}

# What students can read ---------------------------------------------------------------------------
# Their notebooks use the library in this folder, which `autograder publish` makes: what exercises
# ask for is sealed in it. docs/hub.md takes their rights to read the course itself.
STUDENT_LIBRARY = Path("/opt/student")

# Network ------------------------------------------------------------------------------------------
# Only this machine can reach it. Put a web server with a certificate before it, or give it one:
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
# c.JupyterHub.ssl_cert, c.JupyterHub.ssl_key = "/etc/ssl/course.pem", "/etc/ssl/course.key"


def settings_for(spawner):
    """Give a person's server the settings of their part in the course."""
    part = "instructor" if spawner.user.name in INSTRUCTORS else "student"
    # The later folder is asked first: the part's own settings win over those of everybody.
    spawner.environment["JUPYTER_CONFIG_PATH"] = f"{HERE / part}:{HERE}"
    if part == "student":
        spawner.environment["PYTHONPATH"] = str(STUDENT_LIBRARY)


c.Spawner.pre_spawn_hook = settings_for
