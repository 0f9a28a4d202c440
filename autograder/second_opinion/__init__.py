"""The second opinion: the answers run in one process, the tests in another; plain data crosses."""
