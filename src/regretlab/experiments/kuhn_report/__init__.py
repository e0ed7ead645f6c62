"""The report on the suite ``kuhn-report``: the founding study, as data, beside what many runs show."""

from regretlab.experiments.kuhn_report.sections import kuhn_report

__all__ = ["kuhn_report"]
