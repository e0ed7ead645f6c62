"""The report on the suite ``kuhn-report``: the founding study, as data, beside what many runs show."""

from regretlab.experiments.findings.kuhn_report.sections import founding_study

__all__ = ["founding_study"]
