"""Answers on a page of the site, as a reader gives them: write, press, wait for what comes."""

from sites import LONG


def come_near(page) -> None:
    """Go to a page's first exercise, and wait for its editor."""
    page.locator("[class*=tag_exercise-]").first.scroll_into_view_if_needed()
    page.locator(".answer").first.wait_for()


class Answered:
    """One exercise of an open page."""

    def __init__(self, page, name: str) -> None:
        self.page, self.box = page, page.locator(f".answer[data-exercise={name}]")

    def write(self, text: str) -> None:
        """Put a text in place of what is in the editor, as from the clipboard."""
        self.box.locator(".cm-content").focus()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)

    def text(self) -> str:
        """Return what the editor holds."""
        lines = self.box.locator(".cm-line").all_text_contents()
        return "\n".join(lines)

    def press(self, button: str) -> str:
        """Press a button; return the kind of what comes, when it has come."""
        self.box.evaluate("box => { delete box.dataset.kind }")
        self.box.get_by_role("button", name=button, exact=True).click()
        return self.wait()

    def press_again(self) -> None:
        """Start the exercise again."""
        self.box.locator(".answer-again").click()

    def wait(self) -> str:
        """Return the kind of what comes, when it has come."""
        self.box.and_(self.page.locator("[data-kind]")).wait_for(timeout=LONG)
        self.box.and_(self.page.locator("[data-busy=no]")).wait_for(timeout=LONG)
        return self.box.get_attribute("data-kind")

    def check(self, text: str | None = None) -> str:
        """Write an answer, if one is given, and check it; return the kind of what comes."""
        if text is not None:
            self.write(text)
        return self.press("Check")

    def said(self) -> str:
        """Return the words below the editor."""
        return self.box.locator(".answer-came").inner_text()

    def state(self) -> str:
        """Return the words beside the buttons."""
        return self.box.locator(".answer-state").inner_text()
