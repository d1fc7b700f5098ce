"""Faults and healthy variants: gpu."""

from .row import Healthy, R, Row, i, r

ROWS = {}
