"""What the runs of a suite show, in words, tables and charts."""
