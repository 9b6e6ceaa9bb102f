"""Showing boards, each drawn from the picture (`watch_your_back.game.Board`) that a game gives of its state."""
