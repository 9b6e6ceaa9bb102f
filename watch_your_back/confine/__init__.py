"""A player's process: started, locked down, asked one question at a time, measured from outside, ended."""
