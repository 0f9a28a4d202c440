"""A simulated semester: a class of known abilities, graded, and held against the truth.

`make semester` runs it. plan: who hands in what. answers, cheats: the text of it. hand_in: release,
collect. truth, compare: what must come, and what came. items: what the report says of exercises.
"""
