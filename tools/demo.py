"""Execute the demo notebooks in a real kernel, print their reports, and write them as HTML.

With ``--in-place`` the notebooks themselves are rewritten with their fresh outputs; without it they are left alone.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter

import shapecell

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "demo_notebooks"
REPORT_TYPE = "application/vnd.shapecell+json"


def execute(path: Path) -> Any:
    """The notebook at `path` with the outputs of a fresh run in a kernel of its own.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        If a cell fails.
    """
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=300,
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def reports(cell: Any) -> list[shapecell.Report]:
    """The reports among the outputs of `cell`."""
    return [
        shapecell.Report.from_dict(output["data"][REPORT_TYPE])
        for output in cell.get("outputs", ())
        if REPORT_TYPE in output.get("data", {})
    ]


def printed(cell: Any) -> str:
    """What `cell` printed to standard output."""
    return "".join(
        output["text"]
        for output in cell.get("outputs", ())
        if output["output_type"] == "stream" and output["name"] == "stdout"
    )


def show(notebook: Any) -> None:
    """Print what the cells of `notebook` printed, and their reports, to the terminal."""
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        text, found = printed(cell), reports(cell)
        if text or found:
            print(f"\n[{cell.execution_count}]")
        if text:
            print(text, end="")
        for report in found:
            report.print()


def write_html(notebook: Any, target: Path) -> None:
    """Write `notebook` as one HTML page."""
    page, _ = HTMLExporter().from_notebook_node(notebook, resources={"metadata": {"name": target.stem}})
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page, encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="*", type=Path, help="default: all of demo_notebooks/")
    parser.add_argument("--in-place", action="store_true", help="store the fresh outputs in the notebooks")
    parser.add_argument("--output", type=Path, default=ROOT / "demo_output", help="folder of the HTML pages")
    options = parser.parse_args(arguments)
    pages = []
    for path in options.notebooks or sorted(NOTEBOOKS.glob("*.ipynb")):
        print(f"{path.stem}", flush=True)
        notebook = execute(path)
        show(notebook)
        if options.in_place:
            nbformat.write(notebook, path)
        target = options.output / f"{path.stem}.html"
        write_html(notebook, target)
        pages.append(target)
    print()
    for page in pages:
        print(f"the executed notebook as a page: {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
