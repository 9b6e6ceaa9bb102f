"""The rule book of Go with dictionaries and sets, as plain as can be: the judge of the fast rules."""

DEFAULTS = {
    "size": 9,
    "komi": 7.5,
    "rules": "chinese",
    "handicap": 0,
    "superko": "positional",
    "turn_cap": None,
}

HANDICAP = {
    9: [(2, 6), (6, 2), (2, 2), (6, 6), (2, 4), (6, 4), (4, 2), (4, 6), (4, 4)],
    13: [(3, 9), (9, 3), (3, 3), (9, 9), (3, 6), (9, 6), (6, 3), (6, 9), (6, 6)],
    19: [(3, 15), (15, 3), (3, 3), (15, 15), (3, 9), (15, 9), (9, 3), (9, 15), (9, 9)],
}
"""By size the corners, the middles of the sides and the centre."""

OTHER = {"black": "white", "white": "black"}


class PlainGo:
    """A game that changes as it is played; `stones` maps the points with a stone to `black` or `white`."""

    def __init__(self, **options):
        for name, value in (DEFAULTS | options).items():
            setattr(self, name, value)
        self.points = [(x, y) for y in range(self.size) for x in range(self.size)]
        self.stones = {}
        if self.handicap:
            places = HANDICAP[self.size]
            odd = self.handicap in (5, 7, 9)
            self.stones = dict.fromkeys(places[: self.handicap - odd] + places[8:] * odd, "black")
        self.to_move = "white" if self.handicap else "black"
        self.turns = 0
        self.passes = 0
        self.lost = {"black": 0, "white": 0}
        self.history = [(self.stones, self.to_move)]
        self.over = None

    def neighbours(self, point):
        x, y = point
        near = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        return [(x, y) for x, y in near if 0 <= x < self.size and 0 <= y < self.size]

    def group(self, stones, start):
        """All points joined to one by points of the same kind, and the other points next to them."""
        kind, group, border, todo = stones.get(start), {start}, set(), [start]
        while todo:
            for near in self.neighbours(todo.pop()):
                if stones.get(near) != kind:
                    border.add(near)
                elif near not in group:
                    group.add(near)
                    todo.append(near)
        return group, border

    def without_dead(self, stones, colour):
        """The stones that are left when the chains of a colour that have no liberty are taken away."""
        left, looked_at = dict(stones), set()
        for point in stones:
            if stones[point] == colour and point not in looked_at:
                group, border = self.group(stones, point)
                looked_at |= group
                if all(near in stones for near in border):
                    for each in group:
                        del left[each]
        return left

    def after(self, point):
        """The stones after a play on an empty point; None if the stone cannot be played."""
        mover, other = self.to_move, OTHER[self.to_move]
        stones = self.without_dead(self.stones | {point: mover}, other)
        alive = self.without_dead(stones, mover)
        if alive != stones and (self.rules != "tromp-taylor" or len(stones) - len(alive) == 1):
            return None
        if self.superko == "positional" and any(alive == board for board, _ in self.history):
            return None
        if self.superko == "situational" and (alive, other) in self.history:
            return None
        if self.superko == "simple" and len(self.history) > 1 and alive == self.history[-2][0]:
            return None
        return alive

    def legal(self):
        if self.over:
            return []
        return [p for p in self.points if p not in self.stones and self.after(p) is not None] + [None]

    def play(self, action):
        mover, other = self.to_move, OTHER[self.to_move]
        if action is None:
            self.passes += 1
        else:
            self.passes = 0
            before, self.stones = self.stones | {action: mover}, self.after(action)
            for point in before:
                if point not in self.stones:
                    self.lost[before[point]] += 1
        self.turns += 1
        self.to_move = other
        self.history.append((self.stones, other))
        cap = 3 * self.size**2 if self.turn_cap is None else self.turn_cap
        if self.passes == 2:
            self.over = "two passes"
        elif self.turns == cap:
            self.over = "turn limit"

    def score(self):
        points = {"black": 0, "white": self.komi}
        for point in self.points:
            if point not in self.stones:
                _, border = self.group(self.stones, point)
                owners = {self.stones[near] for near in border}
                if len(owners) == 1:
                    points[owners.pop()] += 1
            elif self.rules != "japanese":
                points[self.stones[point]] += 1
        if self.rules == "japanese":
            points["black"] += self.lost["white"]
            points["white"] += self.lost["black"]
        else:
            points["white"] += self.handicap
        return points["black"], points["white"]

    def winner(self):
        black, white = self.score()
        return None if not self.over or black == white else "black" if black > white else "white"
