-- Written by nbgrader 0.5.5: one chapter, one student, points by a test and by hand.
BEGIN TRANSACTION;
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL);
INSERT INTO "alembic_version" VALUES('724cde206c17');
CREATE TABLE assignment (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	duedate DATETIME, 
	PRIMARY KEY (id), 
	UNIQUE (name)
);
INSERT INTO "assignment" VALUES('bd446fda0a2a491dbbe97e14deb16e1a','01_toy','2026-03-01 12:00:00.000000');
CREATE TABLE comment (
	id VARCHAR(32) NOT NULL, 
	notebook_id VARCHAR(32), 
	cell_id VARCHAR(32), 
	auto_comment TEXT, 
	manual_comment TEXT, 
	PRIMARY KEY (id), 
	UNIQUE (cell_id, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES submitted_notebook (id), 
	FOREIGN KEY(cell_id) REFERENCES solution_cell (id)
);
INSERT INTO "comment" VALUES('28ca241414df42e0bcf175474fd28851','de8ea0e54b704a31aada54454178ef3f','8748904cb6f94d3a88eab29062849614',NULL,NULL);
INSERT INTO "comment" VALUES('d8f34921233540a3ba11bde815df0728','de8ea0e54b704a31aada54454178ef3f','450bb6ec82374d11b31ec952f431d429',NULL,'Good.');
CREATE TABLE grade (
	id VARCHAR(32) NOT NULL, 
	notebook_id VARCHAR(32), 
	cell_id VARCHAR(32), 
	auto_score FLOAT, 
	manual_score FLOAT, 
	extra_credit FLOAT, 
	needs_manual_grade BOOLEAN NOT NULL, 
	PRIMARY KEY (id), 
	UNIQUE (cell_id, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES submitted_notebook (id), 
	FOREIGN KEY(cell_id) REFERENCES grade_cell (id)
);
INSERT INTO "grade" VALUES('7d459ae9d4544f00aa88d318f6895ea3','de8ea0e54b704a31aada54454178ef3f','4ba3332d095c4d24b7d40444f9fc9738',1.0,NULL,NULL,0);
INSERT INTO "grade" VALUES('fd52d5df58154a228fde51ac6b4e73bb','de8ea0e54b704a31aada54454178ef3f','76b61dba1eba44f089c5c4075fcf53c5',NULL,2.0,NULL,0);
CREATE TABLE grade_cell (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	max_score FLOAT NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	notebook_id VARCHAR(32), 
	PRIMARY KEY (id), 
	UNIQUE (name, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "grade_cell" VALUES('4ba3332d095c4d24b7d40444f9fc9738','double_visible',1.0,'code','91cfd99673c3404fa79ea4c99075abc9');
INSERT INTO "grade_cell" VALUES('76b61dba1eba44f089c5c4075fcf53c5','written',2.0,'markdown','91cfd99673c3404fa79ea4c99075abc9');
CREATE TABLE notebook (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	assignment_id VARCHAR(32), 
	kernelspec VARCHAR(1024), 
	PRIMARY KEY (id), 
	UNIQUE (name, assignment_id), 
	FOREIGN KEY(assignment_id) REFERENCES assignment (id)
);
INSERT INTO "notebook" VALUES('91cfd99673c3404fa79ea4c99075abc9','01_toy','bd446fda0a2a491dbbe97e14deb16e1a',NULL);
CREATE TABLE solution_cell (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	notebook_id VARCHAR(32), 
	PRIMARY KEY (id), 
	UNIQUE (name, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "solution_cell" VALUES('8748904cb6f94d3a88eab29062849614','double','91cfd99673c3404fa79ea4c99075abc9');
INSERT INTO "solution_cell" VALUES('450bb6ec82374d11b31ec952f431d429','written','91cfd99673c3404fa79ea4c99075abc9');
CREATE TABLE source_cell (
	id VARCHAR(32) NOT NULL, 
	name VARCHAR(128) NOT NULL, 
	cell_type VARCHAR(8) NOT NULL, 
	locked BOOLEAN NOT NULL, 
	source TEXT, 
	checksum VARCHAR(128), 
	notebook_id VARCHAR(32), 
	PRIMARY KEY (id), 
	UNIQUE (name, notebook_id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "source_cell" VALUES('f89f1a50873a46029dd333a60cc4f98a','double','code',0,'','x','91cfd99673c3404fa79ea4c99075abc9');
INSERT INTO "source_cell" VALUES('d0461ca3589a4bcdbaa52abf16ce30a7','double_visible','code',1,'','x','91cfd99673c3404fa79ea4c99075abc9');
INSERT INTO "source_cell" VALUES('bb3d6279e8f64bc69ece6ac1d999eb8e','written','markdown',0,'','x','91cfd99673c3404fa79ea4c99075abc9');
CREATE TABLE student (
	id VARCHAR(128) NOT NULL, 
	first_name VARCHAR(128), 
	last_name VARCHAR(128), 
	email VARCHAR(128), 
	PRIMARY KEY (id)
);
INSERT INTO "student" VALUES('alice','Alice','Ames',NULL);
CREATE TABLE submitted_assignment (
	id VARCHAR(32) NOT NULL, 
	assignment_id VARCHAR(32), 
	student_id VARCHAR(128), 
	timestamp DATETIME, 
	extension DATETIME, 
	PRIMARY KEY (id), 
	UNIQUE (assignment_id, student_id), 
	FOREIGN KEY(assignment_id) REFERENCES assignment (id), 
	FOREIGN KEY(student_id) REFERENCES student (id)
);
INSERT INTO "submitted_assignment" VALUES('440f77bc14d2458890f86ad4221c5a8a','bd446fda0a2a491dbbe97e14deb16e1a','alice','2026-03-01 11:00:00.000000',NULL);
CREATE TABLE submitted_notebook (
	id VARCHAR(32) NOT NULL, 
	assignment_id VARCHAR(32), 
	notebook_id VARCHAR(32), 
	flagged BOOLEAN, 
	late_submission_penalty FLOAT, 
	PRIMARY KEY (id), 
	UNIQUE (notebook_id, assignment_id), 
	FOREIGN KEY(assignment_id) REFERENCES submitted_assignment (id), 
	FOREIGN KEY(notebook_id) REFERENCES notebook (id)
);
INSERT INTO "submitted_notebook" VALUES('de8ea0e54b704a31aada54454178ef3f','440f77bc14d2458890f86ad4221c5a8a','91cfd99673c3404fa79ea4c99075abc9',0,NULL);
COMMIT;
