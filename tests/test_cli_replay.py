"""`wyb replay` where there is no terminal: every position as text, one of them, JSON, and the page."""

import gzip
import io
import json

import pytest
from parsed_html import Parsed
from report_data import NAMES, TRACEBACK, stored, tournament, unpacked

from watch_your_back.game import Game
from watch_your_back.match.record import Record


def recorded(folder, name="match.jsonl", number=2, *, pack=False, **how):
    """The file of a match that was made up, and its record."""
    made = tournament(NAMES[:3], **how)
    text = made._texts[made.report.matches[number].key]
    file = folder / name
    file.write_bytes(gzip.compress(text.encode()) if pack else text.encode())
    return file, Record.load(io.StringIO(text))


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    """A match with output."""
    return recorded(tmp_path_factory.mktemp("match"), output="depth 3\n")


def test_a_pipe_gets_every_position(wyb, match):
    """Its board, what happened, both players' costs, and at the end the result."""
    file, record = match
    ended = wyb("replay", file)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(
        "Watch Your Back!: team_7/player (white) v champion (black)\n\nThe start, placing phase\n"
    )
    assert ended.out.count("    0  1  2  3  4  5  6  7\n") == len(record.turns) + 1
    assert ended.out.count("Printed by white to stdout:\n  | depth 3\n") == len(record.outputs)
    assert ended.out.endswith(
        "\nDraw between White (team_7/player) and Black (champion): both eliminated (216 turns).\n"
    )


def test_one_position_is_the_one_after_so_many_turns(wyb, match):
    """With the last action marked, and no other position."""
    file, record = match
    (x, y), turn = record.turns[16].action, record.turns[16]
    out = wyb("replay", file, "--at", "17").out
    assert out.startswith(f"Turn 17, White: ({x}, {y}), placing phase\n\n    0  1  2  3  4  5  6  7\n")
    assert out.splitlines()[3 + y][3 + 3 * x :][:3] in ("[○]", "[O]")
    assert out.count(" this turn") == 1
    assert f"{turn.memory_mb:.1f} MB of 100 MB" in out


@pytest.mark.parametrize("at", ["217", "1000000"])
def test_a_turn_that_was_not_played_is_refused(wyb, match, at):
    """With the turns that there are."""
    assert wyb("replay", match[0], "--at", at) == (
        2, "", f"wyb replay: the match has no turn {at}, only 0 to 216\n"
    )  # fmt: skip


def test_a_compressed_record_is_a_record(wyb, match, tmp_path):
    """Whatever its name."""
    file, _ = recorded(tmp_path, "match.jsonl.gz", pack=True, output="depth 3\n")
    assert wyb("replay", file).out == wyb("replay", match[0]).out


def test_the_record_of_a_killed_referee_is_shown_as_far_as_it_goes(wyb, match, tmp_path):
    """In the middle of a line, too."""
    data = match[0].read_bytes()
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(data[: data.index(b'"ply":40') + 3])
    out = wyb("replay", cut).out
    assert "\nTurn 40, Black: " in out
    assert ", where the record breaks off\n" in out
    assert out.endswith("White (team_7/player) against Black (champion): the record breaks off after 40 turns.\n")


def test_a_failure_is_the_last_position(wyb, tmp_path):
    """With the player, the reason, and the traceback, none of whose lines can pass for ours."""
    made = tournament()
    failed = next(match for match in made.report.matches if match.reason == "exception")
    file = tmp_path / "failed.jsonl"
    file.write_text(made._texts[failed.key])
    ended = wyb("replay", file, "--at", str(failed.turns + 1))
    side = made.record(failed).failures[0].side
    who = ("White", "Black")[side]
    assert ended.out.startswith(f"Turn {failed.turns + 1}, {who}: exception in action, the end\n")
    quoted = "".join(f"  | {line}\n" for line in TRACEBACK.splitlines())
    assert f"{who}, exception in action:\n  | max() iterable argument is empty\n{quoted}" in ended.out


def test_hostile_words_cannot_command_the_terminal(wyb, tmp_path):
    """Escape sequences and lines that look like ours are made harmless."""
    file, record = recorded(tmp_path, output="\x1b[2J\x1b]0;title\x07Turn 9, White: (1, 1)\rwinner\n")
    out = wyb("replay", file, "--at", str(record.outputs[0].ply + 1)).out
    assert "\x1b" not in out
    assert "  | Turn 9, White: (1, 1)\n  | winner\n" in out


def test_a_match_of_a_tournament_is_chosen_by_its_id(wyb, tmp_path):
    """As `wyb tournament export` and the report tell it; a wrong one is refused with the nearest."""
    made = tournament(NAMES[:3])
    store = tmp_path / "class.db"
    stored(store, made)
    id = made.report.matches[2].id
    assert wyb("replay", store, "--match", id).out.startswith(
        "Watch Your Back!: team_7/player (white) v champion (black)\n"
    )
    ended = wyb("replay", store, "--match", id[:-1] + "7")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.endswith("; did you mean team_7/player/champion/1?\n")
    ended = wyb("replay", store)
    assert "is the store of a tournament; choose a match with --match: champion/team_7/player/1, " in ended.err
    assert ended.err.endswith(" and 3 more\n")
    assert wyb("replay", tmp_path / "class.db", "--match", id, "--html", "-").out.count(f'"{id}"') == 1


def test_match_is_only_for_stores(wyb, match):
    """A record has one match."""
    ended = wyb("replay", match[0], "--match", "a/b/1")
    assert (ended.code, ended.err) == (
        2, f"wyb replay: --match is for the store of a tournament, and {match[0]} is none\n"
    )  # fmt: skip


def test_what_is_no_record_is_refused_in_one_line(wyb, tmp_path):
    """With the line and what is wrong with it."""
    file = tmp_path / "notes.txt"
    file.write_text("hello\n")
    ended = wyb("replay", file)
    assert ended.code == 2
    assert ended.err.count("\n") == 1
    assert "this is not a line of a record" in ended.err


SGF = "(;GM[1]SZ[9]PB[Lee]PW[Cho]GC[A friendly game.];B[ee]C[The middle: of course];W[ce];B[];W[];C[Good game])"


def test_a_game_in_sgf_is_shown_with_its_comments(wyb, tmp_path):
    """Each where it was made."""
    file = tmp_path / "game.sgf"
    file.write_text(SGF)
    assert "\n\nThe middle: of course\n" in wyb("replay", file, "--at", "1").out
    assert "\nA friendly game.\n" in wyb("replay", file, "--at", "0").out
    assert "\nGood game\n" in wyb("replay", file, "--at", "4").out
    page = Parsed(wyb("replay", file, "--html", "-").out)
    told = unpacked(page.all("script", id="replay-1")[0][1])
    assert told["comments"] == [[0, "A friendly game."], [1, "The middle: of course"], [4, "Good game"]]


def test_json_has_everything(wyb, match):
    """One object, with a member for each position."""
    file, record = match
    told = json.loads(wyb("replay", file, "--json").out)
    assert (told["game"], told["complete"], told["winner"]) == ("watch_your_back", True, None)
    assert [position["ply"] for position in told["positions"]] == list(range(217))
    assert told["positions"][17]["action"] == list(record.turns[16].action)
    (one,) = json.loads(wyb("replay", file, "--json", "--at", "17").out)["positions"]
    assert one == told["positions"][17]


def test_a_side_sees_what_it_could_see(wyb, tmp_path):
    """In a game with hidden information, in text, JSON and the page; in others the option is refused."""
    file, record = recorded(tmp_path, game=Game.load("weaponized_chess", competitive=True), cap=12, output="my plan\n")
    truth, seen = (json.loads(wyb("replay", file, "--json", *extra).out) for extra in ((), ("--as", "white")))
    assert (truth["as"], seen["as"]) == (None, "white")
    assert any(one["board"] != other["board"] for one, other in zip(truth["positions"], seen["positions"], strict=True))
    assert "my plan" in wyb("replay", file).out
    assert "my plan" not in wyb("replay", file, "--as", "white").out
    assert ", as white saw it\n" in wyb("replay", file, "--as", "white").out
    page = Parsed(wyb("replay", file, "--as", "white", "--html", "-").out)
    assert unpacked(page.all("script", id="replay-1")[0][1])["outputs"] == []
    assert record.outputs


@pytest.mark.parametrize(
    ("side", "message"),
    [
        ("white", "nothing is hidden in Watch Your Back!: both sides see everything, so leave out --as"),
        ("red", "Watch Your Back! has no side 'red' (it has white and black)"),
    ],
)
def test_a_side_is_refused_where_there_is_none_or_nothing_is_hidden(wyb, match, side, message):
    """In one line."""
    assert wyb("replay", match[0], "--as", side) == (2, "", f"wyb replay: {message}\n")


def test_an_explained_match_has_its_turning_points(wyb, tmp_path):
    """In text, JSON and the page, as `wyb explain` finds them; not for a side that cannot know them."""
    file = tmp_path / "match.jsonl"
    wyb("play", "-q", "--seed", "1", "--game", "hexxagon", "-o", "size=3", "--record", file, "greedy", "random")
    record = Record.load(file)
    told = json.loads(wyb("replay", file, "--explain", "0.01", "--json").out)["positions"]
    assert told[0]["judgement"] is None
    assert all(-1 <= position["judgement"]["value"] <= 1 for position in told[1:])
    page = Parsed(wyb("replay", file, "--explain", "0.01", "--html", "-").out)
    assert len(unpacked(page.all("script", id="replay-1")[0][1])["judged"]) == len(record.turns)
    hidden, _ = recorded(tmp_path, "hidden.jsonl", game=Game.load("weaponized_chess", competitive=True), cap=2)
    assert wyb("replay", hidden, "--explain", "1", "--as", "white") == (
        2, "", "wyb replay: --explain tells what is hidden, so it cannot be had with --as\n"
    )  # fmt: skip


def test_a_page_is_written_and_only_a_page_is_overwritten(wyb, match, tmp_path):
    """The position that --at names is shown first."""
    page = tmp_path / "match.html"
    ended = wyb("replay", match[0], "--html", page, "--at", "17")
    assert ended == (0, f"{page} (0.1 MB)\n", "")
    parsed = Parsed(page.read_text(encoding="utf-8"))
    assert json.loads(parsed.all("script", id="data")[0][1])["start"] == 17
    assert wyb("replay", match[0], "--html", page).code == 0
    notes = tmp_path / "notes.html"
    notes.write_text("mine")
    ended = wyb("replay", match[0], "--html", notes)
    assert (ended.code, notes.read_text()) == (2, "mine")
    assert "is no page of this program and is not overwritten" in ended.err


def test_only_a_page_can_be_opened(wyb, match):
    """In the browser, that is."""
    assert wyb("replay", match[0], "--open").err == "wyb replay: --open shows the file that --html writes\n"
