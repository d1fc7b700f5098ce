"""Faults and healthy variants: profile."""

from .row import Healthy, R, Row, i, r

ROWS = {}
