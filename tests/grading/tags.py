"""Reads the tags of a page that the grader writes."""

from html.parser import HTMLParser


class Tags(HTMLParser):
    """All tags of a page, in order; fails where one that needs it is not closed."""

    EMPTY = ("meta", "br", "img", "hr", "col")

    def __init__(self, text: str):
        super().__init__()
        self.tags, self.open = [], []
        self.feed(text)
        self.close()
        assert self.open == [], "tags that are not closed"

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
