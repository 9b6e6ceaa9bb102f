"""What `watch_your_back` offers to programs and notebooks: matches and comparisons as functions that return values."""
