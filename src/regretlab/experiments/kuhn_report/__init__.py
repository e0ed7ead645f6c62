"""The report on the suite ``kuhn-report``: the founding study beside what many runs show."""

from regretlab.experiments.kuhn_report.report import kuhn_report

__all__ = ["kuhn_report"]
