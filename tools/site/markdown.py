"""Docstrings in Markdown."""

import re

__all__ = ["to_markdown"]

_ROLE = re.compile(r":(?:class|func|meth|mod|attr|data|exc):`(~?)([\w.]+)`")
_EXAMPLE = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


def to_markdown(text: str) -> str:
    """A docstring with its examples as code; of a name with a tilde only the last part is shown."""
    text = _ROLE.sub(lambda found: f"`{found[2].rpartition('.')[2] if found[1] else found[2]}`", text)
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text.replace("``", "`"))
