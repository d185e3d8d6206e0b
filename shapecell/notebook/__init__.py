"""The magics and how a report is shown in IPython."""
