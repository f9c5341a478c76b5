"""The drawn decks: every card as vectors, by the project's own pen. `Style` says how a deck was printed."""

from companion.workshop.deck.backs import back
from companion.workshop.deck.ramino import back as ramino_back
from companion.workshop.deck.ramino import face as ramino_face
from companion.workshop.deck.stu import face
from companion.workshop.deck.style import Style

__all__ = ["Style", "back", "face", "ramino_back", "ramino_face"]
