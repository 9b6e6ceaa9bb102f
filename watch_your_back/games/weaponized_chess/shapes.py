"""The shape of a turn: a tuple of steps, each a tuple that begins with its code (section 4.2)."""

from __future__ import annotations

from watch_your_back.game import Action, ActionForm, IllegalAction
from watch_your_back.games.weaponized_chess.steps import Step

__all__ = ["FORMS", "check_shape", "shown"]

FORMS = (
    ActionForm(
        '("MV", piece, row, column, level, passenger)',
        "Move a piece to a square and level, with a passenger or None",
        (("MV", "B-SHP-1", 4, 7, "ground", None),),
    ),
    ActionForm(
        '("DZ", piece, rows, columns, ((row, column), ...))',
        "doze: shift a Dozer's square and chosen neighbouring ones by one step",
        (("DZ", "B-DO-1", 1, 0, ((2, 2),)),),
    ),
    ActionForm(
        '("FI", piece, weapon, "dir", rows, columns)',
        "fire a weapon in a direction, each part -1, 0 or 1",
        (("MV", "B-SHP-1", 4, 7, "ground", None), ("FI", "B-RP-1", "RL", "dir", 1, 0)),
    ),
    ActionForm(
        '("FI", piece, weapon, "at", target)',
        "fire a SAM or torpedo that homes, or a Jet's or Sub's restricted rocket, at an enemy piece",
        (("FI", "B-AAA-1", "SL", "at", "W-JE-1"), ("MV", "B-SHP-1", 4, 7, "ground", None)),
    ),
    ActionForm(
        '("FI", piece, transport, "to", row, column, path)',
        'set out with a BI, JP or SC; the path is "straight", "port" or "starboard"',
        (("FI", "B-FP-1", "BI", "to", 5, 4, "starboard"), ("MV", "B-SHP-1", 4, 7, "ground", None)),
    ),
    ActionForm(
        '("PU", piece, article)',
        "pick up an article on the piece's square",
        (("MV", "B-FP-1", 4, 5, "ground", None), ("PU", "B-FP-1", "AFL")),
    ),
    ActionForm(
        '("DR", piece, article)',
        "drop an article on the piece's square",
        (("MV", "B-FP-1", 4, 5, "ground", None), ("DR", "B-FP-1", "AFL")),
    ),
    ActionForm(
        '("EX", piece, article, other, swap)',
        "give an article to another piece, for one in return or None",
        (("EX", "B-Q-1", "RL", "B-RP-1", "ARL"), ("MV", "B-SHP-1", 4, 7, "ground", None)),
    ),
    ActionForm(
        '("RE", row, column, type)',
        "let a reinforcement enter on its activation square",
        (("MV", "B-DS-1", 8, 1, "ground", None), ("RE", 9, 1, "JE")),
    ),
    ActionForm("()", "nothing at all, only when no Move is possible", ()),
)
"""The steps of which a turn is the tuple, each in an example of a whole turn."""

_PASSENGER, _SQUARES = "an id or None", "a tuple of (row, column)"
_MOVE: tuple[object, ...] = (str, int, int, str, _PASSENGER)
_PARTS: dict[str, tuple[object, ...]] = {
    "MV": _MOVE,
    "DZ": (str, int, int, _SQUARES),
    "PU": (str, str),
    "DR": (str, str),
    "EX": (str, str, str, "an article or None"),
    "RE": (int, int, str),
}
_FIRES: dict[str, tuple[object, ...]] = {
    "dir": (str, str, str, int, int),
    "at": (str, str, str, str),
    "to": (str, str, str, int, int, str),
}
_NAMES = {str: "a string", int: "a number"}
_WIDTH = 200


def shown(form: Action) -> str:
    """A step or turn as its player wrote it, cut where it is long."""
    text = repr(form)
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}..."


def check_shape(form: Action) -> tuple[Step, ...]:
    """The steps of a turn in normal form. Raises IllegalAction of kind `form` that names the step."""
    if not isinstance(form, tuple):
        what = "None (is a return missing in action()?)" if form is None else shown(form)
        raise IllegalAction("form", f"a turn is a tuple of steps, () where nothing can be done, not {what}")
    if form and isinstance(form[0], str):
        raise IllegalAction(
            "form", f"a turn is a tuple of steps, so a single one is ({shown(form)},), with another pair of brackets"
        )
    for number, step in enumerate(form, 1):
        if why := _misshapen(step):
            raise IllegalAction("form", f"step {number} of the turn, {shown(step)}: {why}")
    return form  # type: ignore[return-value]


def _misshapen(step: Action) -> str | None:
    """What is wrong with the shape of a step, if anything."""
    if not isinstance(step, tuple) or not step:
        return 'a step is a tuple such as ("MV", "B-SHP-1", 4, 7, "ground", None)'
    code = step[0]
    if code == "FI":
        if len(step) < 4 or step[3] not in _FIRES:
            return 'the fourth part of a Fire is "dir", "at" or "to"'
        expected = _FIRES[str(step[3])]
    elif isinstance(code, str) and code in _PARTS:
        expected = _PARTS[code]
    else:
        return f"a step begins with FI, {', '.join(_PARTS)}"
    if len(step) != len(expected) + 1:
        return f"it has {len(step)} parts in place of {len(expected) + 1}"
    for number, (part, kind) in enumerate(zip(step[1:], expected, strict=True), 2):
        if not _fits(part, kind):
            return f"part {number} is to be {_NAMES.get(kind, kind)}, not {shown(part)}"  # type: ignore[call-overload]
    return None


def _fits(part: Action, kind: object) -> bool:
    if isinstance(kind, type):
        return type(part) is kind
    if kind == _SQUARES:
        return isinstance(part, tuple) and all(
            isinstance(each, tuple) and len(each) == 2 and type(each[0]) is type(each[1]) is int for each in part
        )
    return part is None or type(part) is str
