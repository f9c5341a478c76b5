"""`companion autostart`: the evening's program starts with the machine."""

from __future__ import annotations

import click


@click.command("autostart")
@click.option("--kiosk", is_flag=True, help="Also show the TV's page over the whole screen once the desktop is there.")
@click.option("--off", is_flag=True, help="Start neither by itself any more, and remove all that was written for that.")
def command(kiosk: bool, off: bool) -> None:
    """Let the evening's program start with this machine, as a user unit of systemd that runs companion serve --host 0.0.0.0."""
    from companion.line import autostart

    if off:
        if kiosk:
            raise click.UsageError("--off ends both: leave --kiosk out")
        for path in autostart.switch_off():
            click.echo(f"removed: {path}")
        click.echo("The program is started by hand from now on; what runs, goes on.")
        return
    for path in autostart.switch_on(kiosk=kiosk):
        click.echo(f"written: {path}")
    click.echo("The program starts with this machine from now on. Now at once: systemctl --user start companion")
