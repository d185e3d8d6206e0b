"""The false-alarm sweep: correct code of real libraries, run under shapecell.

Prints, per library, every finding that was raised ("high" or "medium"), and a table: how many operations were
followed, and raised findings per 2,000 broadcasts, counted twice. A *group* is one operation with one set of shapes on
one path of calls, as a report lists it. A *site* is the innermost line of code, in the library or the example,
whatever led there. With ``--scope user`` both leave out what happens deep inside the library.

Exit status 1 if an example failed or shapecell could not follow something.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.sweep.libraries import LIBRARIES, TUNED, UNTUNED
from tests.sweep.sweep import Tally, load, sweep


def show(tally: Tally, *, verbose: bool) -> None:
    """Print the findings, failures and figures of one library."""
    shown = set()
    for alarm in tally.alarms:
        once = (alarm.rule, alarm.inside or alarm.where, alarm.operation)
        if verbose or once not in shown:
            shown.add(once)
            print(alarm)
    same: dict[str, list[str]] = {}
    for name, error in tally.errors.items():
        same.setdefault(error.rstrip().rpartition("\n")[2], []).append(name)
    for first, *others in same.values():
        also = f" (the same in {', '.join(others)})" if others else ""
        print(f"  ERROR in example {first}{also}\n      " + tally.errors[first].rstrip().replace("\n", "\n      "))
    for problem, example in tally.problems.items():
        print(f"  NOT FOLLOWED {problem}, in example {example}")


def line(name: str, tallies: Sequence[Tally]) -> str:
    """One row of the table of figures."""
    groups, raised_groups = sum(t.groups for t in tallies), sum(len(t.alarms) for t in tallies)
    sites, raised = sum(len(t.places) for t in tallies), sum(len(t.raised_places) for t in tallies)
    return (
        f"{name:22} {sum(t.examples for t in tallies):8} {sum(t.operations for t in tallies):10} "
        f"{groups:8} {raised_groups:7} {2000 * raised_groups / max(1, groups):9.2f} "
        f"{sites:8} {raised:7} {2000 * raised / max(1, sites):9.2f} "
        f"{sum(len(t.errors) for t in tallies):7} {sum(t.seconds for t in tallies):8.0f}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the sweep."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        prog="python -m tests.sweep", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--library", action="append", choices=sorted(LIBRARIES), metavar="NAME", help=f"one of {', '.join(LIBRARIES)}"
    )
    parser.add_argument("--scope", choices=("user", "all"), default="user")
    parser.add_argument("--only", default="", metavar="SUBSTRING", help="only the examples with it in their name")
    parser.add_argument("--plain", action="store_true", help="run the examples without a check")
    parser.add_argument("--verbose", action="store_true", help="print a finding once per example, not once per place")
    parser.add_argument("--list", action="store_true", help="list the examples and stop")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything to FILE as well")
    options = parser.parse_args(arguments)

    import torch

    torch.set_num_threads(1)
    tallies: list[Tally] = []
    for library in options.library or LIBRARIES:
        if options.list:
            print(library, *(f"  {name}" for name, _ in load(library)), sep="\n")
            continue
        tally = sweep(library, scope=options.scope, only=options.only, plain=options.plain)
        tallies.append(tally)
        if tally.alarms or tally.errors or tally.problems:
            print(library)
            show(tally, verbose=options.verbose)
            sys.stdout.flush()
    if options.list:
        return 0

    print(
        f"\n{'library':22} {'examples':>8} {'operations':>10} {'groups':>8} {'raised':>7} {'per 2000':>9} "
        f"{'sites':>8} {'raised':>7} {'per 2000':>9} {'errors':>7} {'seconds':>8}"
    )
    for tally in tallies:
        print(line(tally.library, [tally]))
    for name, group in (("all tuned", TUNED), ("all untuned", UNTUNED)):
        some = [t for t in tallies if t.library in group]
        if len(some) > 1:
            print(line(name, some))
    if options.json:
        options.json.write_text(json.dumps([t.to_dict() for t in tallies], indent=1) + "\n", encoding="utf-8")
    return 1 if any(t.errors or t.problems for t in tallies) else 0


if __name__ == "__main__":
    sys.exit(main())
