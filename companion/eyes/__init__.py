"""Pictures → cards found, what moves, where the table is: everything that any card table needs of a camera."""
