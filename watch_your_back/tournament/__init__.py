"""Many matches: tasks and workers that play them, schedules, submissions, the store and what is read from it.

Nothing here prints: progress is told to listeners, mistakes are raised.
"""
