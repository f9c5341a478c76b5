"""The drawn decks: every card as vectors, by the project's own pen. `Style` says how a deck was printed."""

from workshop.deck.backs import back
from workshop.deck.ramino import back as ramino_back
from workshop.deck.ramino import face as ramino_face
from workshop.deck.stu import face
from workshop.deck.style import Style

__all__ = ["Style", "back", "face", "ramino_back", "ramino_face"]
