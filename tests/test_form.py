"""The normal form of an action, and what is said of everything that has none."""

import pickle
from collections import namedtuple
from enum import IntEnum
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from watch_your_back.form import MAX_DEPTH, MAX_ITEMS, MAX_TEXT, IllegalAction, normal_form


def refusal(action):
    with pytest.raises(IllegalAction) as refused:
        normal_form(action)
    assert refused.value.kind == "form"
    return refused.value.message


def nested(depth, base=list):
    """A tuple in a tuple in a tuple ..., `depth` of them."""
    action = base()
    for _ in range(depth - 1):
        action = base([action])
    return action


class Trap:
    """Calls itself to attention on whatever is done with it."""

    def trap(self, *args, **kwargs):
        raise AssertionError("a method of the object was called")

    __class__ = property(trap)
    __getattribute__ = __repr__ = __str__ = __format__ = __bool__ = __hash__ = __eq__ = __len__ = __iter__ = trap
    __getitem__ = __index__ = __int__ = __float__ = __lt__ = __ge__ = __contains__ = __next__ = __add__ = __radd__ = (
        trap
    )
    __reduce_ex__ = __call__ = __instancecheck__ = __le__ = __gt__ = __pos__ = __trunc__ = __copy__ = trap


class TrapTuple(Trap, tuple):
    """A tuple all of whose own methods are traps."""


class TrapList(Trap, list):
    """A list all of whose own methods are traps."""


class TrapInt(Trap, int):
    """An int all of whose own methods are traps."""


class TrapStr(Trap, str):
    """A string all of whose own methods are traps."""


class Name(str):
    """A string that counts the calls of its methods."""

    calls = 0

    def __eq__(self, other):
        Name.calls += 1
        return str.__eq__(self, other)

    def __getitem__(self, index):
        Name.calls += 1
        return str.__getitem__(self, index)

    def __format__(self, spec):
        Name.calls += 1
        return str.__format__(self, spec)

    __hash__ = str.__hash__


class TrapType(type):
    """The type of classes that cannot be asked anything."""

    def __getattribute__(cls, name):
        raise AssertionError("the class was asked")

    __instancecheck__ = __subclasscheck__ = __repr__ = __eq__ = __len__ = __iter__ = __getattribute__
    __hash__ = type.__hash__

    def mro(cls):
        return [cls, object]


class Card(IntEnum):
    """An int by another name."""

    ACE = 1


Point = namedtuple("Point", "x y")


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (None, None),
        (3, 3),
        ("resign", "resign"),
        ((), ()),
        ((3, 4), (3, 4)),
        ([3, 4], (3, 4)),
        (((1, 2), (1, 3)), ((1, 2), (1, 3))),
        ([[1, 2], (1, 3)], ((1, 2), (1, 3))),
        ((True, False), (1, 0)),
        (Point(1, Card.ACE), (1, 1)),
        ((np.str_("swap"), 7), ("swap", 7)),
        (((((((((),),),),),),),), ((((((((),),),),),),),)),
        ((2**63 - 1, -(2**63)), (2**63 - 1, -(2**63))),
        (tuple(range(100)), tuple(range(100))),
    ],
)
def test_plain_values_and_their_subclasses_become_plain_tuples(action, expected):
    """Lists, bools, enumerations and named tuples are taken for the tuples and ints that they are."""
    form = normal_form(action)
    assert form == expected
    assert repr(form) == repr(expected)


@pytest.mark.parametrize("trap", [TrapTuple, TrapList])
def test_subclasses_with_methods_of_their_own_are_read_without_them(trap):
    """Overridden methods, and a `__class__` that lies, are not called."""
    action = trap([TrapInt(3), trap([TrapStr("word"), None])])
    form = normal_form(action)
    assert repr(form) == "(3, ('word', None))"
    assert type(form[0]) is int
    assert type(form[1][0]) is str


@pytest.mark.parametrize(
    ("action", "parts"),
    [
        (3.0, ["the action is of type float", "int(x)", "//"]),
        ((1, 2.5), ["action[1] is of type float"]),
        (((1, 2), (1, 3j)), ["action[1][1] is of type complex"]),
        ((np.int64(1), 2), ["action[0] is of type numpy.int64", "NumPy", "int(x)"]),
        (np.array([1, 2]), ["of type numpy.ndarray", "array.tolist()"]),
        (np.float64(1), ["of type numpy.float64", "NumPy"]),
        (np.ma.array([1]), ["NumPy"]),
        ({1, 2}, ["of type set", "has an order"]),
        ({1: 2}, ["of type dict", "has an order"]),
        ({1: 2}.keys(), ["of type dict_keys", "tuple(...)"]),
        (iter((1, 2)), ["of type tuple_iterator", "tuple(...)"]),
        ((x for x in (1, 2)), ["of type generator", "tuple(...)"]),
        (range(2), ["of type range", "tuple(...)"]),
        (b"ab", ["of type bytes", "not bytes"]),
        (len, ["of type builtin_function_or_method", "brackets"]),
        (Card, ["of type enum.EnumType", "brackets"]),
        (Fraction(1), ["of type fractions.Fraction", "plain tuples of ints"]),
        (object(), ["of type object", "plain tuples of ints"]),
        (type("Own", (), {"__index__": lambda self: 3})(), [f"of type {__name__}.Own", "int(x)"]),
        (type("a\nb" * 200, (), {})(), ["a?ba?b"]),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_other_types_are_named_with_their_place_and_how_to_mend_it(action, parts):
    """The author reads which part of the action is of which type, and what to return in its place."""
    message = refusal(action)
    for part in parts:
        assert part in message
    assert len(message) < 500


@pytest.mark.parametrize(
    ("make", "place"),
    [
        (lambda: Trap(), "the action"),
        (lambda: TrapTuple([1, Trap()]), "action[1]"),
        (lambda: [[Trap()]], "action[0][0]"),
        (lambda: TrapList([TrapInt(1), TrapStr("a"), (Trap(), 2)]), "action[2][0]"),
    ],
)
def test_a_hostile_object_is_named_without_calling_it(make, place):
    """Every method of it would raise; its type and its place are said all the same."""
    assert f"{place} is of type {__name__}.Trap" in refusal(make())


def test_a_class_cannot_hide_behind_its_metaclass_or_its_names():
    """Neither the metaclass nor strings with methods of their own, as names of the class, are asked."""
    hidden = TrapType("Hidden", (), {"__index__": None})
    assert "of type test_form.Hidden" in refusal(object.__new__(hidden))
    named = type(Name("Named"), (), {Name("__module__"): Name("x"), Name("__index__"): None})()
    Name.calls = 0
    message = refusal(named)
    assert Name.calls == 0
    assert "of type Named" in message


@pytest.mark.parametrize("base", [tuple, list])
def test_nesting_is_bounded(base):
    """Eight levels are taken, nine are not, and 100,000 are refused without a recursion error."""
    assert normal_form(nested(MAX_DEPTH, base)) == nested(MAX_DEPTH, tuple)
    assert "more than 8 levels deep" in refusal(nested(MAX_DEPTH + 1, base))
    assert "more than 8 levels deep" in refusal(nested(100_000, base))


def test_a_list_that_contains_itself_is_refused():
    """Also one that contains itself many times over, which is refused before it has been walked through."""
    once = []
    once.append(once)
    assert "more than 8 levels deep" in refusal(once)
    often = []
    often.extend([often] * 1_000)
    assert "8 levels deep" in refusal(often)
    wide = []
    wide.extend([[], *[wide] * 9_999])
    assert "more than" in refusal(wide)


def test_size_is_bounded():
    """Items are counted over all tuples together, characters over all strings."""
    assert normal_form([0] * MAX_ITEMS) == (0,) * MAX_ITEMS
    assert "more than 10,000 items" in refusal([0] * (MAX_ITEMS + 1))
    assert "more than 10,000 items" in refusal([[0] * 5_000, [0] * 5_000])
    assert normal_form("x" * MAX_TEXT) == "x" * MAX_TEXT
    assert "more than 10,000 characters" in refusal("x" * 104_857_600)
    assert "more than 10,000 characters" in refusal(["x" * 6_000, "y" * 6_000])


@pytest.mark.parametrize(
    "number", [2**63, -(2**63) - 1, 10**10_000, -(10**10_000)], ids=["2^63", "low", "huge", "hugely low"]
)
def test_numbers_are_within_64_bits(number):
    """A larger number is refused in few words, wherever it stands."""
    for action in (number, (0, number), ((0, 1), (2, number)), [number], TrapInt(number)):
        message = refusal(action)
        assert "more than 64 bits" in message
        assert len(message) < 100


def test_an_illegal_action_survives_pickling():
    """Kind and message are the same on the other side of a process pool."""
    error = pickle.loads(pickle.dumps(IllegalAction("zone", "outside")))
    assert (error.kind, error.message, str(error)) == ("zone", "outside", "outside")


leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers()
anything = st.recursive(
    leaves | st.sampled_from([object(), np.int64(1), np.zeros(3), len, int, ..., Card.ACE, Point(1, 2)]),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.lists(inner).map(lambda items: Point(items, items))
        | st.lists(inner).map(iter)
    ),
    max_leaves=20,
)


def is_plain(form):
    return form is None or type(form) in (int, str) or (type(form) is tuple and all(map(is_plain, form)))


@given(anything)
def test_anything_has_a_normal_form_or_is_refused(action):
    """There is no third way, the form is plain, and the form of a form is itself."""
    try:
        form = normal_form(action)
    except IllegalAction as error:
        form = error.kind if error.message.isprintable() else error
    assert is_plain(form)
    assert repr(normal_form(form)) == repr(form)


def test_only_real_bases_count():
    """A class that leaves int out of the order in which its methods are looked up is not read as an int."""

    class Denying(type):
        def mro(cls):
            return [cls, object]

    assert "of type test_form.Sly" in refusal(Denying("Sly", (int,), {})(3))


def test_booleans_are_numbers_only_where_a_game_says_so():
    """The message names the int to return instead; everything else is as it was."""
    assert repr(normal_form(((True, 2), False))) == "((1, 2), 0)"
    with pytest.raises(IllegalAction, match=r"is True \(bool\): return the int 1 instead"):
        normal_form(((True, 2), 0), booleans=False)
    assert normal_form([[3, 2], None, "h"], booleans=False) == ((3, 2), None, "h")
