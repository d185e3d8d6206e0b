"""The options of ``%%shapecheck``; the command line shares those that mean the same there."""

from __future__ import annotations

import keyword
import shlex
from dataclasses import dataclass
from pathlib import Path

import click

from shapecell.adapters.base import known_adapters
from shapecell.model import SEVERITIES, Severity
from shapecell.session import SCOPES


def _frameworks(context: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...] | None:
    if value is None:
        return None
    known = [entry.framework for entry in known_adapters()]
    names = tuple(name.strip() for name in value.split(",") if name.strip())
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise click.BadParameter(
            f"{(unknown or [value])[0]!r} is no framework that shapecell follows ({', '.join(known)})."
        )
    return names


def _variable(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    if value is not None and (not value.isidentifier() or keyword.iskeyword(value)):
        raise click.BadParameter(f"{value!r} is no variable name.")
    return value


def _log(context: click.Context, option: click.Parameter, value: str | None) -> Path | None:
    """Fixed before the cell can change the working directory."""
    return None if value is None else Path(value).expanduser().absolute()


LEVEL = click.Option(
    ["--level"],
    type=click.Choice(SEVERITIES),
    default="medium",
    show_default=True,
    help="Show findings of this severity and above.",
)
ONLY = click.Option(["--only"], metavar="FRAMEWORK,…", callback=_frameworks, help="Follow these frameworks only.")
SCOPE = click.Option(
    ["--scope"],
    type=click.Choice(SCOPES),
    default="user",
    show_default=True,
    help="'user': judge your own code and what it calls; 'all': libraries as well.",
)

_MAGIC = click.Command(
    "%%shapecheck",
    help=(
        "Runs the cell exactly as without this line, then reports the broadcasts that were probably not meant. "
        "Line magics: %shapecheck last (the last report), %shapecheck explain SC101 (the page of a rule)."
    ),
    add_help_option=False,
    params=[
        click.Option(
            ["--strict"], is_flag=True, help="Let the cell fail after it ran if it has a finding that is shown."
        ),
        LEVEL,
        ONLY,
        SCOPE,
        click.Option(["--as", "name"], metavar="NAME", callback=_variable, help="Bind the report to this variable."),
        click.Option(["--quiet"], is_flag=True, help="Keep the report, do not show it."),
        click.Option(
            ["--log"], metavar="FILE", callback=_log, help="Append the report to this file, as one line of JSON."
        ),
        click.Option(["--help"], is_flag=True, help="Show this text; the cell is not run."),
    ],
)


@dataclass(frozen=True, slots=True)
class Options:
    """What stands on a ``%%shapecheck`` line, understood."""

    strict: bool = False
    level: Severity = "medium"
    only: tuple[str, ...] | None = None
    scope: str = "user"
    name: str | None = None
    quiet: bool = False
    log: Path | None = None
    help: bool = False


class OptionsError(ValueError):
    """A ``%%shapecheck`` line that is not understood; the message is one paragraph for the user."""


def parse(line: str) -> Options:
    """The options on a ``%%shapecheck`` line, without the magic's name.

    Raises
    ------
    OptionsError
        If an option or its value is not understood; says what, and which options there are.
    """
    try:
        words = shlex.split(line, comments=True)
        context = _MAGIC.make_context("%%shapecheck", words)
    except (click.UsageError, ValueError) as error:
        what = error.format_message() if isinstance(error, click.UsageError) else f"{error}."
        names = ", ".join(option.opts[0] for option in _MAGIC.params)
        end = "" if what.endswith((".", "?", ")")) else "."
        raise OptionsError(
            f"%%shapecheck: {what}{end} The cell was not run. The options are {names}; %shapecheck --help tells more."
        ) from None
    return Options(**context.params)


def help_text() -> str:
    """What ``%%shapecheck --help`` shows."""
    return _MAGIC.get_help(click.Context(_MAGIC, info_name="%%shapecheck", max_content_width=100))
