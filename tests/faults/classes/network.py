"""Faults and healthy variants: network."""

from .row import Healthy, R, Row, i, r

ROWS = {}
