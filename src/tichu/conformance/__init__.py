"""The conformance suite: questions about the rules with their answers, for engines in any language (conformance/).

Imports the core, and from the bots the programs that speak lines; the command line imports it.
"""

from tichu.conformance.answers import Question, answer
from tichu.conformance.cases import FILES, Case, find_folder, read_cases
from tichu.conformance.checking import Difference, Report, check

__all__ = ["FILES", "Case", "Difference", "Question", "Report", "answer", "check", "find_folder", "read_cases"]
