"""`make grade-demo`: a small class of one chapter, graded and compared with what is expected."""
