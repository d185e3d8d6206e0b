"""The page of a rule, made from the rule itself."""

from __future__ import annotations

from shapecell.rules.base import Rule
from shapecell.rules.catalogue import BY_CODE, RULES


def page(rule: Rule) -> str:
    """The rule's page in Markdown."""
    return (
        f"## {rule.code}: {rule.title}\n\n"
        f"**Severity**: {rule.severity}.\n\n"
        f"**Why it matters.** {rule.why}\n\n"
        f"**How to mend it.** {rule.remedy}\n\n"
        f"**When it is silent.** {rule.silent}\n\n"
        f"It is raised here:\n\n```python\n{rule.example.strip()}\n```\n\n"
        f"and not here:\n\n```python\n{rule.twin.strip()}\n```\n"
    )


def explain(code: str) -> str:
    """The page of the rule `code` (upper or lower case).

    Raises
    ------
    KeyError
        If there is no such rule; the message lists those that exist.
    """
    rule = BY_CODE.get(code.strip().upper())
    if rule is None:
        raise KeyError(f"no rule {code!r}; the rules are {', '.join(BY_CODE)}")
    return page(rule)


def all_pages() -> str:
    """The text of ``docs/rules.md``."""
    return (
        "# Rules\n\nThis page is generated from the rules themselves (`make docs`). `shapecell explain SC101` "
        "and `%shapecheck explain SC101` print the same text.\n\n" + "\n".join(map(page, RULES))
    )


if __name__ == "__main__":
    print(all_pages(), end="")
