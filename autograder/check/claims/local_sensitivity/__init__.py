"""Claims about noise made to the measure of the table at hand."""
