# The image of students' servers, which deploy/hub/values.yaml names. It was not built here.
#   autograder publish build/hub/students
#   docker build --file deploy/hub/students.Dockerfile --tag NAME .
# Of the course there is what that command gives to students: no answers, and the library sealed.
FROM python:3.12-slim
RUN useradd --create-home --uid 1000 jovyan
COPY requirements.lock /opt/requirements.lock
RUN pip install --no-cache-dir --require-hashes -r /opt/requirements.lock
COPY build/hub/students /opt/student
COPY deploy/hub/nbgrader_config.py /opt/hub/nbgrader_config.py
COPY deploy/hub/labconfig /opt/hub/labconfig
COPY deploy/hub/student /opt/hub/student
ENV PYTHONPATH=/opt/student
USER jovyan
WORKDIR /home/jovyan
CMD ["jupyterhub-singleuser"]
