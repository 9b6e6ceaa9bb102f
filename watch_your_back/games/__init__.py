"""The built-in games: a module or package each, whose `GAME` is the class of the game."""
