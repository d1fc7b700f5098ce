"""Faults and healthy variants: host."""

from .row import Healthy, R, Row, i, r

ROWS = {}
