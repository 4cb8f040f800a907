"""Draw the terminal table for the README: play a few scripted decisions and put the last screen into an SVG.

python tools/terminal_picture.py docs/terminal.svg
"""

import subprocess
import sys
from html import escape
from pathlib import Path

_TICHU = Path(sys.executable).with_name("tichu")
#: No Grand Tichu, three cards to give, the Mah Jong with a wish for an eight, the ace, and a hint for the next lead.
_TYPED = "n\n2b\njb\n4s\n\nma\n8\n1\ni\nq\ny\n"
_COLOURS = {"♠": "#d8dee9", "♦": "#6ab0ff", "♣": "#6fdc8c", "♥": "#ff7b72"}
_LINE, _CHARACTER = 19, 8.43


def last_screen(text: str) -> list[str]:
    """From the last headline on, without the farewell."""
    lines = text.rstrip().split("\n")
    start = max(at for at, line in enumerate(lines) if line.startswith("──"))
    end = next(at for at, line in enumerate(lines) if at > start and "Why:" in line)
    return lines[start : end + 1]


def colour_suits(line: str) -> str:
    """One line of text, the suits in their colours."""
    return "".join(
        f'<tspan fill="{_COLOURS[sign]}">{sign}</tspan>' if sign in _COLOURS else escape(sign) for sign in line
    )


def picture(lines: list[str]) -> str:
    """The lines as an SVG."""
    width, height = round(80 * _CHARACTER) + 32, _LINE * len(lines) + 32
    texts = "\n".join(
        f'<text x="16" y="{_LINE * at + 30}" xml:space="preserve">{colour_suits(line)}</text>'
        for at, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
        f'<rect width="100%" height="100%" rx="10" fill="#14181f"/>\n'
        '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" fill="#c9d1d9">\n'
        f"{texts}\n</g>\n</svg>\n"
    )


def main() -> None:
    """Play and draw."""
    command = [str(_TICHU), "play", "--terminal", "--seed", "20", "--speed", "instant"]
    done = subprocess.run(command, input=_TYPED, capture_output=True, text=True, check=True, encoding="utf-8")
    Path(sys.argv[1]).write_text(picture(last_screen(done.stdout)), encoding="utf-8")


if __name__ == "__main__":
    main()
