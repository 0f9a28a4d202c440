# The image of the instructor's server, which deploy/hub/values.yaml names. It was not built here.
#   docker build --file deploy/hub/instructor.Dockerfile --tag NAME .
# It holds the library, the checks and the grader. The course, with its answers, and the gradebook
# lie in the instructor's own volume.
FROM python:3.12-slim
RUN useradd --create-home --uid 1000 jovyan
WORKDIR /opt/course
COPY requirements.lock pyproject.toml README.md LICENSE ./
RUN pip install --no-cache-dir --require-hashes -r requirements.lock
COPY autograder autograder
COPY dplib dplib
COPY ville ville
RUN pip install --no-cache-dir --no-deps --no-build-isolation .
COPY deploy/hub/nbgrader_config.py /opt/hub/nbgrader_config.py
COPY deploy/hub/labconfig /opt/hub/labconfig
COPY deploy/hub/instructor /opt/hub/instructor
USER jovyan
WORKDIR /home/jovyan
CMD ["jupyterhub-singleuser"]
