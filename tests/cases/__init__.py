"""Retold bug reports and their correct twins, each one notebook cell; `score` scores shapecell on them."""
