"""Answers in one kernel, the tests in another, and what passes between them.

A test that shares a process with the answer can be fooled: by a patched library, by an IPython that
skips asserts, by a value that passes for any number. So the student's cells run in one kernel and
the instructor's tests in another (`answers_kernel.py`, `tests_kernel.py`). Only plain data crosses
between them (`remote.py` lists the facts that must still be taken on trust).

This module imports nothing: the two kernels need little, and nbgrader alone takes a second.
"""
