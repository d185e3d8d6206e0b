"""From what was tracked to the findings of a report."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Iterator
from types import CodeType
from typing import cast

from shapecell.config import Config
from shapecell.model import Broadcast, Finding, Problem, Severity, Shape, Snapshot, finding_order
from shapecell.rules.base import Scene, Verdict
from shapecell.rules.catalogue import RULES
from shapecell.rules.failing import FAILING, judge_failing
from shapecell.suppress import Ignore, ignores_in
from shapecell.tracking.allowance import EVERY
from shapecell.tracking.axes import Layout, Outcome
from shapecell.tracking.recorder import broadcast_of, stretches
from shapecell.tracking.source import SourceFile
from shapecell.tracking.tracker import Group, Tracker

MAX_BROADCASTS = 2_000

_PLUMBING = frozenset(
    {
        "_call_impl", "_wrapped_call_impl", "__call__", "decorate_context", "wrapper", "inner", "_fn",
        "handle_torch_function", "<genexpr>", "<listcomp>", "<lambda>",
    }
)  # fmt: skip
"""Functions between a call and what it calls: they pass arguments on and compute nothing."""


def library_depth(codes: tuple[CodeType, ...]) -> int:
    """How many library functions that do something lie between the user's line and the operation."""
    return sum(code.co_name not in _PLUMBING for code in codes)


class _Judgement:
    """Works through the groups of one tracker, collecting findings and what could not be judged."""

    def __init__(self, scope: str, config: Config) -> None:
        self.scope = scope
        self.config = config
        self.findings: list[Finding] = []
        self.allowed: list[Finding] = []
        self.problems: dict[tuple[str, str], int] = {}

    def scene(self, group: Group, scene: Scene) -> None:
        depth = library_depth(group.site.library_codes)
        user = group.site.user_index is not None and depth <= 1
        for rule in RULES:
            try:
                verdict = rule.judge(scene)
            except Exception as error:
                key = (f"rule {rule.code}", f"{type(error).__name__}: {error}")
                self.problems[key] = self.problems.get(key, 0) + 1
                continue
            if verdict is None:
                continue
            if self.scope == "all" or user or (verdict.severity == "high" and _traceable(scene)):
                self.add(make_finding(rule.code, verdict, scene), group.allowed)

    def add(self, finding: Finding, allowed: frozenset[str] = frozenset()) -> None:
        """Keep a finding, unless the settings or an allowance say otherwise."""
        level = self.config.levels.get(finding.rule)
        if level == "off":
            return
        if level is not None:
            finding = dataclasses.replace(finding, severity=cast(Severity, level))
        silent = finding.rule in allowed or EVERY in allowed
        if silent or self.config.silent_in(finding.site.filename, finding.rule):
            self.allowed.append(finding)
        else:
            self.findings.append(finding)


def _traceable(scene: Scene) -> bool:
    """True if every operand of an operation deep inside a library goes back to the user's own code."""
    if scene.group.site.user_index is None:
        return False

    def of_user(group: Group) -> bool:
        return group.site.user_index == 0

    return all(any(of_user(group) for group in scene.ancestry(operand, 8)) for operand in range(len(scene.shapes)))


def make_finding(code: str, verdict: Verdict, scene: Scene) -> Finding:
    """The finding that a verdict on a scene becomes."""
    broadcast = broadcast_of(scene.group, scene.layouts, scene.names, scene.result_shape, verdict.crossed)
    return Finding(
        rule=code,
        severity=verdict.severity,
        message=verdict.message,
        why=verdict.why,
        fixes=verdict.fixes,
        site=broadcast.site,
        broadcast=broadcast,
        count=scene.group.count,
    )


def scenes(group: Group) -> Iterator[Scene]:
    """The scenes of a group: one for each set of operand axes that it met."""
    for layouts, outcome in group.outcomes:
        yield Scene(group, layouts, outcome)


def _one_per_place(findings: list[Finding]) -> list[Finding]:
    """One finding for each rule and expression: other shapes become variants, the most severe one speaks."""
    kept: dict[tuple[object, ...], Finding] = {}
    for finding in sorted(findings, key=finding_order):
        site = finding.site
        key = (finding.rule, site.filename, site.line, site.col, site.end_line, site.end_col, site.stack[-1:])
        first = kept.get(key)
        if first is None:
            kept[key] = finding
            continue
        shapes = _shapes(finding.broadcast)
        if shapes == _shapes(first.broadcast):
            continue
        variants = first.broadcast.variants
        if shapes not in variants and len(variants) < 8:
            variants = (*variants, shapes)
        count = first.broadcast.count + finding.broadcast.count
        last = max(first.broadcast.last, finding.broadcast.last)
        broadcast = dataclasses.replace(first.broadcast, variants=variants, count=count, last=last)
        kept[key] = dataclasses.replace(first, count=first.count + finding.count, broadcast=broadcast)
    return list(kept.values())


def _apply_comments(findings: list[Finding], files: set[str]) -> tuple[list[Finding], list[Finding], list[Problem]]:
    """Findings that stay, findings that a comment in the source suppresses, and comments that match nothing."""
    ignores = {name: ignores_in(SourceFile.of(name).lines) for name in files}
    kept: list[Finding] = []
    suppressed: list[Finding] = []
    used: set[tuple[str, Ignore]] = set()
    for finding in findings:
        name = finding.site.filename
        matching = [ignore for ignore in ignores.get(name, ()) if ignore.matches(finding)]
        used.update((name, ignore) for ignore in matching)
        (suppressed if matching else kept).append(finding)
    idle = [
        Problem(f"{name}, line {ignore.line}", f"'{ignore}' matches no finding; remove it")
        for name, found in ignores.items()
        for ignore in found
        if (name, ignore) not in used
    ]
    return kept, suppressed, idle


def _shapes(broadcast: Broadcast) -> tuple[Shape, ...]:
    return tuple(operand.shape for operand in broadcast.operands)


def _failure(tracker: Tracker) -> Finding | None:
    if tracker.escaped is None:
        return None
    group = tracker.escaped.group
    layouts: tuple[Layout, ...] = next(iter(group.memo), ())
    scene = Scene(group, layouts, Outcome(()))
    return make_finding(FAILING.code, judge_failing(scene, tracker.escaped.error_text), scene)


def judge(
    tracker: Tracker,
    *,
    scope: str = "user",
    source: str | None = None,
    frameworks: tuple[str, ...] = (),
    config: Config | None = None,
) -> Snapshot:
    """Everything that a report shows of what `tracker` recorded.

    Parameters
    ----------
    tracker
        The tracker; it may still be recording.
    scope
        ``"user"`` or ``"all"``, see `shapecell.check`.
    source
        The source of the cell, if there is one.
    frameworks
        Names of the frameworks that were followed.
    config
        The project's settings; None for the defaults.
    """
    tracker.settle()
    judgement = _Judgement(scope, config or Config())
    files: set[str] = set()
    broadcasts: list[Broadcast] = []
    hidden = 0
    for group in tracker:
        all_scenes = list(scenes(group))
        if group.site.user_index is not None:
            files.add(group.site.codes[group.site.user_index].co_filename)
        for scene in all_scenes:
            judgement.scene(group, scene)
        if all_scenes and group.operation.results and stretches(group):
            if scope == "user" and library_depth(group.site.library_codes) > 1:
                continue
            if len(broadcasts) >= MAX_BROADCASTS:
                hidden += 1
                continue
            scene = all_scenes[0]
            broadcasts.append(broadcast_of(group, scene.layouts, scene.names, scene.result_shape))
    failure = _failure(tracker)
    if failure is not None:
        judgement.add(failure)
    findings, suppressed, idle = _apply_comments(_one_per_place(judgement.findings), files)
    problems = (
        *idle,
        *tracker.problems(),
        *(Problem(where, why, count) for (where, why), count in judgement.problems.items()),
    )
    return Snapshot(
        findings=tuple(sorted(findings, key=finding_order)),
        broadcasts=tuple(sorted(broadcasts, key=lambda b: b.first)),
        operations=tracker.operations,
        problems=problems,
        suppressed=tuple(sorted([*suppressed, *_one_per_place(judgement.allowed)], key=finding_order)),
        unrecorded=tracker.unrecorded + hidden,
        frameworks=frameworks,
        source=source,
        source_hash=hashlib.sha256(source.encode()).hexdigest() if source is not None else None,
    )
