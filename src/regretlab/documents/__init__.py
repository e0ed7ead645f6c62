"""Documents: one model of what is shown to people, before it is decided where.

A document is made of blocks, tables, charts, formulas and numbers. The writers are modules of their own, each loaded
by whoever needs it: ``terminal`` (by rich), ``markdown``, ``html`` (with formulas in ``mathml``); ``numbers.plain`` is
the one for JSON. This package decides how things are written; the words themselves come from elsewhere.
"""
