"""`make check`: known holes in the versions that constraints.txt pins, by pip-audit. Fails where it finds one; where its service
cannot be reached, or knows nothing of them, a line says so and the build goes on."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

PINS = Path(__file__).resolve().parents[1] / "constraints.txt"
PATIENCE_S = 120
COMMAND = [
    sys.executable, "-m", "pip_audit", "-r", str(PINS), "--disable-pip", "--no-deps", "-f", "json", "--progress-spinner", "off",
]  # fmt: skip


def verdict(told: str) -> tuple[int, str]:
    """Exit status, and what to say, of what pip-audit printed; "" where it printed nothing."""
    try:
        found: list[dict[str, Any]] = json.loads(told)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return 0, "pip-audit: its service cannot be reached from here; nothing was audited"
    audited = [one for one in found if "skip_reason" not in one]
    holes = [f"{one['name']} {one['version']}: {hole['id']}" for one in audited for hole in one.get("vulns", [])]
    if holes:
        return 1, "pip-audit: known holes; pin other versions in constraints.txt:\n" + "\n".join(holes)
    if not audited:
        return 0, f"pip-audit: its service knows none of the {len(found)} pinned versions from here; nothing was audited"
    return 0, f"pip-audit: {len(audited)} of {len(found)} pinned versions audited, no known hole"


def main() -> int:
    """Ask, and say what was found."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    try:
        done = subprocess.run(COMMAND, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        told = done.stdout
    except subprocess.TimeoutExpired:
        told = ""
    status, said = verdict(told)
    print(said)
    return status


if __name__ == "__main__":
    sys.exit(main())
