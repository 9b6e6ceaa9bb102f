SIZE = "the student's own"
