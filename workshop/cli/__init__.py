"""The commands of the workshop: `command` in a module each. `companion.cli` lists them and imports the one that is called."""
