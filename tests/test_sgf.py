"""Smart Game Format: what is written is read back, and no file does harm."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from watch_your_back.bridges.sgf import MAX_BYTES, MAX_DEPTH, Node, SgfError, Tree, main_line, normal, parse, write

TEXTS = st.text(st.characters(codec="utf-8") | st.sampled_from("[]\\;():\n\r\t"), max_size=20)
NAMES = st.text(st.sampled_from("ABCWKMZ"), min_size=1, max_size=3).filter(lambda name: name != "CA")  # an encoding
NODES = st.builds(Node, st.dictionaries(NAMES, st.lists(TEXTS, min_size=1, max_size=3), max_size=3))


def trees(inner):
    """Games with variations below them."""
    return st.builds(Tree, st.lists(NODES, min_size=1, max_size=3), st.lists(inner, max_size=3))


TREES = st.recursive(st.builds(Tree, st.lists(NODES, min_size=1, max_size=3)), trees, max_leaves=8)


def normalised(tree):
    """The game as it comes back from a file."""
    nodes = [
        Node({name: [normal(value) for value in values] for name, values in node.properties.items()})
        for node in tree.nodes
    ]
    return Tree(nodes, [normalised(each) for each in tree.variations])


@given(st.lists(TREES, min_size=1, max_size=2))
def test_what_is_written_is_read_back(games):
    """Every tree of nodes survives, whatever its texts hold, as text and as bytes."""
    written = write(games)
    assert parse(written) == [normalised(game) for game in games]
    assert parse(written.encode()) == parse(written)


@given(st.text(st.sampled_from("(;[]\\)ABab \n:"), max_size=40))
def test_what_is_read_is_written_and_read_again(text):
    """Whatever text is taken for a file has one meaning, also after it was written anew."""
    try:
        games = parse(text)
    except SgfError:
        return
    assert parse(write(games)) == games


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data):
    """Nothing but SgfError comes of a file that is none."""
    for each in (data, b"(;" + data, b"(;CA[" + data, b"(;CA[utf-8]C[" + data + b"])"):
        with suppress(SgfError):
            parse(each)


def test_the_escapes_of_the_standard_are_undone():
    """Escaped brackets, colons and backslashes, soft line breaks, and blanks that become spaces."""
    (game,) = parse("(;C[a\\]b\\\\c\\:d\\\ne\\\r\nf\tg\r\nh])")
    assert game.nodes[0].get("C") == "a]b\\c:def g\nh"


def test_the_main_line_is_the_first_variation_of_each_branching():
    """Other variations are read and left aside."""
    (game,) = parse("(;B[aa];W[bb](;B[cc](;W[dd])(;W[ee]))(;B[ff]))")
    assert [next(iter(node.properties.items())) for node in main_line(game)] == [
        ("B", ["aa"]), ("W", ["bb"]), ("B", ["cc"]), ("W", ["dd"]),
    ]  # fmt: skip


def test_words_before_a_game_and_small_letters_in_names_are_skipped():
    """As in a letter that holds a file, and as files were written before FF[3]."""
    (game,) = parse("Dear (friend),\n(;GaMe[1]White[dd])yours")
    assert game.nodes[0].properties == {"GM": ["1"], "W": ["dd"]}


@pytest.mark.parametrize(
    ("charset", "name"),
    [
        ("utf-8", "UTF-8"),
        ("latin-1", "ISO-8859-1"),
        ("shift_jis", "Shift_JIS"),
        ("gb18030", "GB18030"),
        ("big5", "Big5"),
    ],
)
def test_a_file_is_read_in_the_encoding_that_it_names(charset, name):
    """Also where a second byte looks like a bracket or a backslash."""
    words = {"latin-1": "Müller"}.get(charset, "表十本因坊")  # the first two end in 0x5C in Shift JIS
    if charset in ("gb18030", "big5"):
        words = "黑白功"
    (game,) = parse(f"(;FF[4]CA[{name}]PB[{words}])".encode(charset))
    assert game.nodes[0].get("PB") == words


def test_a_file_without_an_encoding_is_utf8_or_else_latin1():
    """The standard says Latin-1, and most programs write UTF-8."""
    assert parse("(;PB[Müller])".encode())[0].nodes[0].get("PB") == "Müller"
    assert parse("(;PB[Müller])".encode("latin-1"))[0].nodes[0].get("PB") == "Müller"
    assert parse("(;PB[Müller])".encode("utf-16"))[0].nodes[0].get("PB") == "Müller"
    assert parse(b"\xef\xbb\xbf(;PB[x])")[0].nodes[0].get("PB") == "x"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "this is no SGF: there is no game, which begins with '(;'"),
        (b"(;B[aa]\n;W[bb", "line 2, column 3: the value that begins here has no end: a ']' is missing"),
        (b"(;B[aa]\n;W[bb]", "line 2, column 7: the file ends within a game: a ')' is missing"),
        (b"(;B[aa]\n x;W)", "line 2, column 3: the property x has no value, which stands in [ ]"),
        (b"(;B[aa]?)", "line 1, column 8: '?' where a node, ';', or a variation, '(' or ')', was expected"),
        (b"(;B[aa]((;W[bb]))", "line 1, column 9: a variation begins with a node, ';', and not with another variation"),
        (b"(;B[aa](;W[bb]);B[cc])", "line 1, column 16: a node, ';', cannot follow a variation: a '(' is missing bef"),
        (b"(;CA[klingon]B[aa])", "the file is in 'klingon' (CA), an encoding that is not known here"),
        (b"(;CA[bz2]B[aa])", "the file is in 'bz2' (CA), an encoding that is not known here"),
        (b"(;CA[utf-8]PB[\xff])", "byte 15 is not utf-8, the encoding that the file names"),
    ],
)  # fmt: skip
def test_a_file_that_is_wrong_is_refused_with_the_place(data, told):
    """The message says where and what, in one line."""
    with pytest.raises(SgfError) as refused:
        parse(data)
    assert str(refused.value).startswith(told)


def test_hostile_files_are_refused_within_bounds():
    """Too large, too deep, too many nodes: a clear refusal, and no recursion."""
    with pytest.raises(SgfError, match="more than 8 MB"):
        parse(b"(;" + b" " * MAX_BYTES + b")")
    with pytest.raises(SgfError, match=f"more than {MAX_DEPTH} levels of variations"):
        parse("(;" * 1_000_000)
    with pytest.raises(SgfError, match="more than 200,000 nodes"):
        parse("(" + ";" * 300_000 + ")")
    deep = "(;" * MAX_DEPTH + ")" * MAX_DEPTH
    assert write(parse(deep)).count("(") == MAX_DEPTH
