"""A page as its elements, to look at what is in it without a browser."""

from html.parser import HTMLParser

__all__ = ["Parsed"]

EMPTY = {"meta", "link", "input", "br"}


class Parsed(HTMLParser):
    """The elements of a page, with their attributes and what stands directly in them."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements = []
        self._open = []
        self.feed(text)
        self.close()
        assert not self._open, f"left open: {self._open}"

    def handle_starttag(self, tag, attributes):
        assert len(dict(attributes)) == len(attributes), f"an attribute twice: {tag} {attributes}"
        self.elements.append((tag, dict(attributes), []))
        if tag not in EMPTY:
            self._open.append((tag, self.elements[-1][2]))

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes), []))

    def handle_endtag(self, tag):
        assert self._open, f"</{tag}> ends nothing"
        assert self._open.pop()[0] == tag, f"</{tag}> ends something else"

    def handle_data(self, data):
        for _, texts in self._open:
            texts.append(data)

    def all(self, tag, **attributes):
        """Attributes and text of each element of this name with these attributes."""
        wanted = {key.rstrip("_"): value for key, value in attributes.items()}
        return [
            (about, "".join(texts))
            for name, about, texts in self.elements
            if name == tag and all(about.get(key) == value for key, value in wanted.items())
        ]

    def rows(self, label):
        """The texts of the cells of each row of the table that is called so."""
        region = next(n for n, (_, about, _) in enumerate(self.elements) if about.get("aria-label") == label)
        rows = []
        for tag, _, texts in self.elements[region + 2 :]:
            if tag == "table":
                break
            if tag == "tr":
                rows.append([])
            elif tag in ("th", "td"):
                rows[-1].append("".join(texts))
        return [row for row in rows if row]
