"""The report of a tournament: one HTML file with ratings, crosstable, what was used, failures, and replays."""
