"""What an organiser does to an evening: the commands (`commands`), what a command does or why it cannot be (`edit`), and
what one that was made on an earlier version means now (`rebase`). Pure: the dashboard has HTTP, `companion.line` keeps evenings.
"""
