SIZE = 8


def squares():
    return [(x, y) for y in range(SIZE) for x in range(SIZE)]
