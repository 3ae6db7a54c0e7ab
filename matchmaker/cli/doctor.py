"""`matchmaker doctor`."""

from dataclasses import asdict

import typer
from rich.text import Text

from matchmaker.cli import output
from matchmaker.cli.arguments import AsJson

_STYLES = {"ok": "green", "unknown": "dim", "warning": "yellow", "bad": "red"}


def doctor(as_json: AsJson = False) -> None:
    """Check the installation: store, queue, workers, ladders, data directory; say what to do.

    Changes nothing. Ends with 1 if anything is bad.
    """
    from matchmaker.config import load_settings
    from matchmaker.doctor.examination import examine

    findings = list(examine(load_settings()))
    if as_json:
        output.write_json([asdict(finding) for finding in findings])
    else:
        table = output.table("", "Check", "Finding")
        for finding in findings:
            table.add_row(
                Text(finding.verdict, style=_STYLES[finding.verdict]),
                Text(finding.check),
                Text(output.visible(f"{finding.text}. {finding.advice}" if finding.advice else finding.text)),
            )
        output.show(table)
    if any(finding.verdict == "bad" for finding in findings):
        raise typer.Exit(1)
