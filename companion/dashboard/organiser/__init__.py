"""The organiser's phone: how it is paired, and everything that it can change. Nothing here may be shown to spectators."""

from companion.dashboard.organiser.guard import csrf_token, organiser_only, paired_phone

__all__ = ["csrf_token", "organiser_only", "paired_phone"]
