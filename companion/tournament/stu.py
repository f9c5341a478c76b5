"""What the bell of a tournament of Lu Stù may propose: the ways in which its rules let a game become shorter."""

from __future__ import annotations

from typing import Literal

from companion.table.language import N_

Proposal = Literal["matto", "ricompere"]
"""To take a Matto out of the deck (rule 12), or to close the ricompere (rule 10)."""
PROPOSALS: dict[Proposal, str] = {
    "matto": N_("One Matto out of the deck (rule 12)?"), "ricompere": N_("No more ricompere?"),
}  # fmt: skip
"""What the bell proposes, as a question, for gettext."""
