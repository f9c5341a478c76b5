"""People to sit at a simulated table."""

from typing import Final

NAMES: Final = (
    "Anna", "Bruno", "Carla", "Dino", "Elsa", "Fabio", "Gina", "Ivo", "Lina", "Mario", "Nora", "Orso", "Piera",
    "Renzo", "Sara", "Tito", "Ugo", "Vera", "Aldo", "Bice", "Ciro", "Delia", "Ezio", "Flora", "Guido", "Irma",
    "Luca", "Marta", "Nino", "Olga", "Paolo", "Rita", "Sandro", "Teresa", "Valerio", "Wanda", "Zita", "Ettore", "Chiara",
)  # fmt: skip
"""39 first names, all different: as many players as one deck can seat (rule 2)."""
