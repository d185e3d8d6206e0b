"""The command line: ``shapecell check FILE.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

import click

from shapecell import __version__
from shapecell.model import Report, Severity
from shapecell.notebook.options import LEVEL, ONLY, SCOPE
from shapecell.script import Outcome, run_script, stdout_to_stderr
from shapecell.session import Session

CLEAN, SUSPICIOUS, FAILED, USAGE = range(4)


class CannotStart(click.ClickException):
    """The check cannot begin; shown as one line."""

    exit_code = USAGE


class Misused(click.UsageError):
    """A wrong command line. It leaves with 3: 2 means that the code under check failed."""

    exit_code = USAGE


class Commands(click.Group):
    """A group whose usage errors are `Misused`."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        try:
            return super().make_context(*args, **kwargs)
        except click.UsageError as error:
            raise Misused(error.format_message(), error.ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise Misused(error.format_message(), error.ctx) from None


class WithScriptArguments(click.Command):
    """A command of which everything after ``--`` belongs to the script."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = args[: args.index("--")] if "--" in args else args
        ctx.meta["script_arguments"] = args[len(own) + 1 :]
        return super().parse_args(ctx, own)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="shapecell")
def main() -> None:
    """Finds the broadcasts that were not meant."""


@main.command(
    cls=WithScriptArguments,
    options_metavar="[OPTIONS]",
    epilog="Arguments after -- go to the script: shapecell check train.py --level high -- --epochs 3",
    params=[LEVEL, ONLY, SCOPE],
)
@click.argument("script", metavar="FILE.py", type=click.Path(path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
    help="Form of the report. JSON without --output takes standard output for itself: what the script prints goes "
    "to standard error.",
)  # fmt: skip
@click.option("--output", type=click.Path(path_type=Path), help="Write the report to this file.")
@click.option(
    "--fail-on", type=click.Choice(["high", "medium", "never"]), default="medium", show_default=True,
    help="Exit with 1 if there is a finding of this severity or above.",
)  # fmt: skip
@click.pass_context
def check(
    context: click.Context,
    script: Path,
    form: str,
    output: Path | None,
    fail_on: str,
    level: Severity,
    only: tuple[str, ...] | None,
    scope: str,
) -> NoReturn:
    """Run a script exactly as python would, then report its suspicious broadcasts.

    Exit status: 0 nothing suspicious, 1 suspicious, 2 the script failed, 3 the check could not be made.
    """
    source = _readable(script)
    _writable(output)
    session = Session(only=only, scope=scope)
    with stdout_to_stderr(form == "json" and output is None):
        outcome = run_script(script, source, context.meta["script_arguments"], session)
    _write(session.report, form, output, level)
    context.exit(_status(session.report, outcome, fail_on))


@main.command()
@click.argument("rule")
def explain(rule: str) -> None:
    """Print the page of a rule: what it means, why, how to mend it, when it is silent."""
    from shapecell.rules.explain import explain as page

    try:
        click.echo(page(rule))
    except KeyError as error:
        raise CannotStart(f"{error.args[0]}.") from None


def _readable(script: Path) -> bytes:
    if script.suffix == ".ipynb":
        raise CannotStart(f"{script} is a notebook; shapecell check runs Python scripts.")
    try:
        return script.read_bytes()
    except OSError as error:
        raise CannotStart(f"cannot read {script}: {error.strerror}.") from None


def _writable(output: Path | None) -> None:
    """Found out before a script runs for hours. Leaves what is in the file."""
    if output is None:
        return
    try:
        output.open("a").close()
    except OSError as error:
        raise CannotStart(f"cannot write to {output}: {error.strerror}.") from None


def _write(report: Report, form: str, output: Path | None, level: Severity) -> None:
    if output is None and form == "text":
        report.print(level=level)
        return
    text = report.to_json(indent=2) if form == "json" else report.to_text(level=level)
    if output is None:
        click.echo(text)
    else:
        output.write_text(text + "\n", encoding="utf-8")


def _status(report: Report, outcome: Outcome, fail_on: str) -> int:
    if outcome is Outcome.FAILED:
        return FAILED
    severity: Severity | None = {"high": "high", "medium": "medium"}.get(fail_on)  # type: ignore[assignment]
    return SUSPICIOUS if severity is not None and report.at_level(severity) else CLEAN


if __name__ == "__main__":
    main()
