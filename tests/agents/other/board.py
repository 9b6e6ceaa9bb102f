NAME = "the other board"
