"""What mkdocstrings calls for every object that it has read: docstrings become Markdown."""

from typing import Any

from griffe import Extension, Object

from tools.site.markdown import to_markdown

__all__ = ["ToMarkdown"]


class ToMarkdown(Extension):  # type: ignore[misc]  # griffe is only in the environment of the site.
    """Changes docstrings."""

    def on_object(self, *, obj: Object, **kwargs: Any) -> None:
        """Change the docstring of one object."""
        if obj.docstring is not None:
            obj.docstring.value = to_markdown(obj.docstring.value)
