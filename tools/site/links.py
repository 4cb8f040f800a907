"""Links inside a site that lead nowhere."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["broken_links"]


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if name := found.get("id") or (found.get("name") if tag == "a" else None):
            self.names.add(name)
        if link := found.get("href") or found.get("src"):
            self.links.add(link)


def broken_links(site: Path) -> list[str]:
    """A line for each link to a page, a file or a place in a page that is not there; other sites are not asked."""
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    faults = []
    for path, page in pages.items():
        # Shown at whatever address was wrong, it can only have links from the root.
        if path.name == "404.html":
            continue
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                faults.append(f"{path.relative_to(site)}: {link} is not there")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
                faults.append(f"{path.relative_to(site)}: there is no {parts.fragment!r} in {parts.path or 'it'}")
    return faults
