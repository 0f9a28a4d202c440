"""What is used of nbgrader: a course's folders, its gradebook, its steps, what was handed in."""
