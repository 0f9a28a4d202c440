"""One sitting: the page is served and opened, until the reader ends it at the terminal."""

import webbrowser
from collections.abc import Callable
from pathlib import Path

from autograder.course_folders.course import Course
from autograder.reading.desk import Desk
from autograder.reading.reading_server import ReadingServer


def read_in_browser(
    chapter: str,
    *,
    root: Path,
    port: int | None = None,
    show: bool = True,
    say: Callable[[str], object] = print,
) -> None:
    """Serve a chapter's reading until Ctrl-C; then take late penalties anew.

    Args:
      port: to listen at; None takes the chapter's own, 0 one that is free.
      show: whether to open the page in a browser.
      say: is called with each line for the terminal.

    Raises:
      GradingError: nothing of the chapter is graded, or it has nothing to read.
      Problem: the port is taken.
    """
    course = Course(root)
    with course.environment():
        desk = Desk(course, chapter)
        server = ReadingServer(desk, f"{course.root} {chapter}", port)

        def ready() -> None:
            say(f"The answers to read, on this machine alone: {server.address}")
            say("Points and comments go into the gradebook as you save them. Ctrl-C ends it.")
            if show:
                webbrowser.open(server.address)

        try:
            server.run(ready)
        except KeyboardInterrupt:
            say("")
        finally:
            server.close()
            desk.close()
    say("The students' pages with the points that were given:")
    say(f"autograder grade {chapter}")
