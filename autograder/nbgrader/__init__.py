"""The course in nbgrader: its folders, its gradebook, its steps, its submissions."""
