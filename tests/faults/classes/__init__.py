"""Rows of faults by class: each file has ROWS (class -> rows)."""
