"""Ten exercises beside the tutorials: tasks, hints, solutions that run, and what is said about wrong answers."""

from regretlab.explaining.exercises.exercise import EXERCISES, Exercise, Verdict, find

__all__ = ["EXERCISES", "Exercise", "Verdict", "find"]
