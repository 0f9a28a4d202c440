# nbgrader's settings for everybody on the hub. The course's own rules for grading are in the
# instructor's course folder, in nbgrader_config.py.
c = get_config()  # noqa: F821  (nbgrader puts this function here)

# The course as it is called in the exchange, and where its folder is (the instructor's).
c.CourseDirectory.course_id = "differential_privacy"
# Handing out and collecting: a folder of this machine in which everybody may write (chmod 1777).
c.Exchange.root = "/srv/nbgrader/exchange"
# c.Exchange.timezone = "Europe/Berlin"
# What a student guessed, passed, and missed in practice tasks, lies beside the notebook. It is
# theirs: neither collected nor copied.
c.CourseDirectory.ignore.append(".guesses.json")
c.CourseDirectory.ignore.append(".practice.json")
c.CourseDirectory.ignore.append(".progress.json")
