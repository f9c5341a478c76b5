"""`companion doctor`: what this machine lacks, and the command that mends it."""

from __future__ import annotations

import json

import click

from companion.cli.common import default_ledger

FIELDS = ("what", "ok", "found", "mend")
"""The keys of a finding in `--json`."""


@click.command("doctor")
@click.option("--json", "as_json", is_flag=True, help="One JSON object: {\"ok\": …, \"findings\": […]}.")
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Say what this machine lacks, and the command that mends it.

    Exit 0 when it lacks nothing, 1 when something is missing.
    """
    from companion.cli.start import runs
    from companion.line.doctor import examine, probes

    findings = examine(ctx.obj if isinstance(ctx.obj, tuple) else probes(default_ledger().parent, runs))
    ok = all(finding.ok for finding in findings)
    if as_json:
        click.echo(json.dumps({"ok": ok, "findings": [{name: getattr(finding, name) for name in FIELDS}
                                                      for finding in findings]}))
    else:
        width = max(len(finding.what) for finding in findings)
        for finding in findings:
            click.echo(f"{'OK     ' if finding.ok else 'missing'}  {finding.what:<{width}}  {finding.found}")
            if finding.mend:
                click.echo(f"{'':9}{'':<{width}}  mend: {finding.mend}")
    ctx.exit(0 if ok else 1)
