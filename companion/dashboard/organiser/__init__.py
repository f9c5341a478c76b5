"""The organiser's phone: pairing, and everything that it changes. Nothing here is for spectators' eyes."""

from companion.dashboard.organiser.guard import csrf_token, organiser_only, paired_phone

__all__ = ["csrf_token", "organiser_only", "paired_phone"]
