"""Hold'em endgames for people who look at a page: a spot while it is described, a run while it solves, any node of it.

A run lives in a process of its own, so that nobody waits for it and its memory is given back when it ends.
"""
