# Settings for grading, in one file. nbgrader and `autograder grade` both read it.
# A line that begins with "# c." is switched off: take the "# " away to switch it on.
# Every possible setting: nbgrader generate_config --file all_settings.py
# https://nbgrader.readthedocs.io/en/stable/configuration/config_options.html

c = get_config()  # noqa: F821  (nbgrader puts this function here)

# The course's name. It matters only if you use nbgrader's exchange, or keep several courses.
c.CourseDirectory.course_id = "differential_privacy"

# Folders ---------------------------------------------------------------------------------------
# nbgrader finds a chapter's files at FOLDER/STUDENT/CHAPTER/CHAPTER.ipynb. Students are folder
# names: any name that your system allows. These are nbgrader's own names; change the right-hand
# side if your students' work lies elsewhere.
c.CourseDirectory.submitted_directory = "submitted"  # what students handed in; only read
c.CourseDirectory.autograded_directory = "autograded"  # the same, run and scored
c.CourseDirectory.feedback_directory = "feedback"  # one page a student, to send back

# What a student guessed, passed, and missed in practice tasks, lies beside the notebook. It is
# theirs: neither collected nor copied.
c.CourseDirectory.ignore.append(".guesses.json")
c.CourseDirectory.ignore.append(".practice.json")
c.CourseDirectory.ignore.append(".progress.json")

# Where the scores are kept. Without this line: gradebook.db, beside this file.
# c.CourseDirectory.db_url = "sqlite:////home/me/private/gradebook.db"

# Leave these students out, a comma between two names.
# c.CourseDirectory.student_id_exclude = "test_student,guest"

# Running students' code -------------------------------------------------------------------------
# The longest that one cell may run, in seconds. A cell that loops for ever is ended after this
# time and its tests get 0 points; the cells after it still run. What it waits for a busy machine
# does not count here. Make it longer if your machine is slow: a right answer must never meet it. A
# test cell of this course needs about one second.
c.Execute.timeout = 30

# A cell that cannot even be interrupted: wait this many more seconds, then end the whole notebook.
# Exercises before that cell keep their points, those after it get 0, and the table says so.
c.Execute.iopub_timeout = 4

# End Python at once when a notebook is done. "graceful" would wait half a second for each student.
c.Execute.shutdown_kernel = "immediate"

# Chapter 18 is about a made-up county's table. This number draws your class's own: another one for
# each class. Tests apart from the answers have it, and no student's code does. (nbgrader's own
# commands do not know it, and say so.)
# c.Execute.course_seed = 2027

# What to keep of a cell that prints without end.
c.LimitOutput.max_lines = 1000

# What students' code may do ----------------------------------------------------------------------
# It runs with copies of its own files, and sees Python and the libraries. It cannot see the course,
# the gradebook, other students' work or the network, and all that it has started ends with it.
# This works on Linux. Elsewhere `autograder grade` says so, and asks you for --uncontained.
c.Containment.contained = True

# Data that your notebooks read from a place of its own. (Files that you hand out with a chapter are
# there anyway.) Students' code can read these files and folders, and not change them.
c.Containment.hidden = []  # folders that are empty for it, beside the course, exchange and home
c.Containment.readable = []  # for example ["/srv/data/census.csv"]

# How much it may use. Right answers should never meet these limits: what does gets 0 points for
# that exercise, and the graded notebook says why.
c.Containment.memory_megabytes = 2048  # of memory, for each of its processes
c.Containment.seconds = 600  # for all cells of a notebook together
c.Containment.processes = 64  # at one time
c.Containment.file_megabytes = 100  # of files, all together; they are kept in memory
c.Containment.output_megabytes = 10  # of text and pictures in a notebook; the rest is cut

# Scores -----------------------------------------------------------------------------------------
# A student who deletes a test cell gets it back before grading. Without this line the deleted test
# would have no score at all.
c.OverwriteCells.add_missing_cells = True

# Late work. First give the chapter a date:
#     autograder dates 03_laplace "2027-03-01 23:59 Europe/Oslo"
# and let each submission carry its time, in a file timestamp.txt beside the notebook
# (nbgrader collect writes it). Then this line gives 0 points for late work:
# c.LateSubmissionPlugin.penalty_method = "zero"
# More time for single students: extensions.csv, beside this file (docs/instructor.md).
# Or one of these three rules, in place of that line; the student's page then has a sentence on it.
# So many percent of the points off for each day that has begun:
# c.AssignLatePenalties.plugin_class = "autograder.nbgrader.late_rules.PercentADay"
# c.PercentADay.percent = 10
# Days for the whole term, that each student spends as they like, and what each further day costs:
# c.AssignLatePenalties.plugin_class = "autograder.nbgrader.late_rules.SlipDays"
# c.SlipDays.days = 5
# c.SlipDays.percent = 100
# Nothing for some minutes, and 0 points after them:
# c.AssignLatePenalties.plugin_class = "autograder.nbgrader.late_rules.GraceMinutes"
# c.GraceMinutes.grace_minutes = 15
# The other two rules may have such minutes, too; and days are counted by the clocks of a zone:
# c.PercentADay.grace_minutes = 15
# c.LateRule.zone = "Europe/Oslo"
# For another rule (a point a day, say) write a class of your own and name it here:
# c.AssignLatePenalties.plugin_class = "my_rules.PointADay"
# https://nbgrader.readthedocs.io/en/stable/configuration/late_submissions.html

# Feedback ---------------------------------------------------------------------------------------
# How a page is made from a graded notebook: put the scores in, take the hidden tests out (their
# code, not what they say), lay it out. `nbgrader generate_feedback` and formgrader's button
# "Generate feedback" make the same pages with these lines; without them they show hidden tests.
c.GenerateFeedback.preprocessors = [
    "autograder.feedback.pages.Grades",
    "autograder.feedback.pages.HideHiddenTests",
]
c.GenerateFeedback.exporter_class = "autograder.feedback.pages.FeedbackExporter"

# Where students may write who think that a grade is wrong. With it each page says how to ask, and
# `autograder report` writes a list of requests to fill in, reports/CHAPTER-requests.csv.
# c.FeedbackExporter.regrade_address = "teaching@example.org"
# c.FeedbackExporter.regrade_days = 14

# Which form of an output formgrader shows, the first that there is. Sliders are left out on
# purpose: a page has no Python behind it, so they would leave an empty space. (nbgrader's commands
# then warn that it is "not recognized", by steps that show no output. Nothing is wrong.)
c.NbConvertBase.display_data_priority = [
    "text/html",
    "text/markdown",
    "image/svg+xml",
    "image/png",
    "image/jpeg",
    "text/latex",
    "text/plain",
]

# Handing out and collecting ---------------------------------------------------------------------
# nbgrader's exchange is a folder that teachers and students of one JupyterHub share. You do not
# need it if students hand in their notebooks in some other way.
# c.Exchange.root = "/srv/nbgrader/exchange"
# c.Exchange.timezone = "UTC"

# nbgrader releases whatever lies in release/, also answers, if you have tried a chapter there. With
# the first line it looks, and refuses. With the second it releases feedback also where somebody's
# work came in another way, as by mail; nbgrader itself would stop there.
c.ExchangeFactory.release_assignment = "autograder.nbgrader.release.Release"
c.ExchangeFactory.release_feedback = "autograder.nbgrader.release.ReleaseFeedback"

# Exporting ----------------------------------------------------------------------------------------
# For `autograder export canvas` and `moodle`. Where nothing was handed in, write 0, not nothing:
# c.GradesExportPlugin.missing = "zero"
# What a chapter is called there, if not by its name here:
# c.GradesExportPlugin.titles = {"03_laplace": "Laplace (4711)"}
# The students' login in Canvas is not their folder's name, but their address:
# c.CanvasExportPlugin.login = "email"

# A log of everything nbgrader does, to look at when something is strange.
# c.NbGrader.logfile = "nbgrader.log"
