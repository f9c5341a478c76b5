"""Hashes of files: of code without its comments and docstrings, which decide on nothing that a program does."""

from __future__ import annotations

import ast
import hashlib
import io
import tokenize
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_BREAKS = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
_SILENT = (tokenize.COMMENT, tokenize.NL)


def hash_of(*parts: bytes) -> str:
    """16 hexadecimal digits of these parts in this order."""
    found = hashlib.sha256()
    for part in parts:
        found.update(hashlib.sha256(part).digest())
    return found.hexdigest()[:16]


@cache
def hash_of_file(path: Path) -> str:
    """Of a file's bytes; of a Python module's code alone."""
    data = path.read_bytes()
    return hash_of(code_of(data.decode()).encode() if path.suffix == ".py" else data)


def code_of(source: str) -> str:
    """Python ``source`` without comments, docstrings and blank lines."""
    spans, begins, tokens = [], True, list(tokenize.generate_tokens(io.StringIO(source).readline))
    for token, after in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and begins and after.type == tokenize.NEWLINE):
            spans.append((token.start, token.end))
        begins = token.type in _BREAKS or (begins and token.type in _SILENT)
    lines = source.splitlines()
    for (row, column), (last_row, last_column) in reversed(spans):
        lines[row - 1 : last_row] = [lines[row - 1][:column] + lines[last_row - 1][last_column:]]
    return "\n".join(line.rstrip() for line in lines if line.strip())


def closure(names: Iterable[str], within: tuple[str, ...]) -> tuple[Path, ...]:
    """The files of the modules ``names``, and of all that they import of the packages ``within``."""
    found, waiting = dict[str, Path](), list(names)
    while waiting:
        name = waiting.pop()
        path = ROOT / (name.replace(".", "/") + ".py")
        path = path if path.is_file() else path.with_suffix("") / "__init__.py"
        if name in found or not path.is_file():
            continue
        found[name] = path
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(within):
                waiting += [str(node.module), *(f"{node.module}.{one.name}" for one in node.names)]
    return tuple(found[name] for name in sorted(found))
