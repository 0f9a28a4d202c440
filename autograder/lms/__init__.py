"""Canvas's and Moodle's zip files: what students handed in comes in, feedback pages go out."""
