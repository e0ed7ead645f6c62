"""Studies that take hours, beside the package: their results are in the documents."""
