"""The exit status of a command, for scripts: docs/keeping-a-course.md lists them."""

DONE = 0
NOT_DONE = 1  # refused, failed, or not confirmed: nothing was written; or `--check` found something
LOOK = 3  # done and written, but not for everybody: what is printed asks for a person

ANYWAY = "write also marks above the most that a chapter gives"  # an option of export and return
