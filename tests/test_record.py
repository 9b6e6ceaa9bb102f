"""The record of a match: what is written, and what is believed when it is read back."""

import gzip
import io
import json
import os
from pathlib import Path
from random import Random

import pytest
from jsonschema import Draft202012Validator

from watch_your_back.agents import Agent
from watch_your_back.confine.limits import Limits
from watch_your_back.game import Game, Outcome
from watch_your_back.match.events import (
    ActionTaken,
    MatchEnded,
    MatchStarted,
    PlayerFailed,
    PlayerOutput,
    PlayerStarted,
    Reason,
    TurnStarted,
    Usage,
)
from watch_your_back.match.record import Record, RecordError, RecordWriter
from watch_your_back.match.record_form import FIELDS

DATA = Path(__file__).parent / "data"
SCHEMA = json.loads(Path(__file__).parents[1].joinpath("watch_your_back/match/record.schema.json").read_text())
HOSTILE = 'NUL \0, bell \a, escape \x1b[31m, half a pair \ud800, line separator \u2028, "quotes", </script>, \U0001f422'


def agent(name, spec=None):
    path = Path("/somewhere/private") / f"{name}.py"
    return Agent(spec or f"{name}.py", name, "player", path, path.parent, name, "Player", name * 4)


def started(game=None, state=None, **changes):
    game = game or Game.load("watch_your_back")
    usual = MatchStarted(
        game, (agent("anna"), agent("bert")), Limits(60, 100), 7, (2**63 + 1, 12), (1, 0), state or game.initial()
    )
    return usual._replace(**changes)


def played(turns, winner=None, reason=Reason.INTERRUPTED, before_end=(), game=None):
    """The events of a match whose first actions are drawn at random (all of it, if `turns` is None)."""
    first = started(game)
    yield first
    for side, tier in enumerate(("full", "rlimits")):
        yield PlayerStarted(side, tier, Usage(0.25, 0.5, 2.5, 0))
    state, used = first.state, [Usage(0.25, 0.5, 2.5, 0)] * 2
    rng = Random(5)
    while state.outcome is None and state.ply != turns:
        side, ply = state.to_move, state.ply
        yield TurnStarted(side, state)
        action = state.sample(rng)
        state = state.play(action)
        before = used[side]
        used[side] = Usage(round(before.cpu_s + 0.002, 6), round(before.wall_s + 0.003, 6), 2.75, before.turns + 1)
        yield ActionTaken(ply, side, action, state, 0.002, 0.003, used[side])
    if state.outcome is not None:
        winner, reason = state.outcome
    yield from before_end
    yield MatchEnded(winner, reason, "a detail", state.ply, tuple(used), ("full", "rlimits"), state)


def written(events):
    stream = io.StringIO()
    writer = RecordWriter(stream)
    for event in events:
        writer(event)
    return stream.getvalue()


def loaded(text):
    return Record.load(io.StringIO(text))


def changed(text, number, **fields):
    """The record with fields of one line (counted from 1) replaced."""
    lines = text.splitlines(keepends=True)
    lines[number - 1] = json.dumps(json.loads(lines[number - 1]) | fields) + "\n"
    return "".join(lines)


def failure(side, ply, reason, **fields):
    return PlayerFailed(ply, side, "action", reason, "what happened")._replace(**fields)


class TestRoundTrip:
    def test_whole_match(self):
        """A match that is played to its end comes back with the same states, actions, costs and outcome."""
        events = list(played(None))
        record = loaded(written(events))
        taken = [event for event in events if isinstance(event, ActionTaken)]
        assert record.actions == tuple(event.action for event in taken)
        assert record.states[1:] == tuple(event.state for event in taken)
        assert record.states[0] == record.start == events[0].state
        assert {(turn.cpu_s, turn.wall_s, turn.memory_mb) for turn in record.turns} == {(0.002, 0.003, 2.75)}
        assert record.outcome == events[-1].state.outcome
        assert record.end.usage == events[-1].usage
        assert record.end.tiers == ("full", "rlimits")
        assert record.complete
        assert not record.void

    def test_header(self):
        """The header tells of the game, the players and the conditions."""
        game = Game.load("watch_your_back", turn_cap=300)
        record = loaded(written(played(3, game=game)))
        assert record.game == game
        assert [each.name for each in record.agents] == ["anna", "bert"]
        assert record.agents[0].fingerprint == "annaannaannaanna"
        assert record.limits == Limits(60, 100)
        assert (record.seed, record.seeds, record.slots) == (7, (2**63 + 1, 12), (1, 0))
        assert record.started.utcoffset() is not None
        assert record.versions["python"]
        assert record.starts[1].tier == "rlimits"

    def test_hostile_text(self):
        """Control characters and lone surrogates in what a player wrote stay what they are in a file of plain ASCII."""
        output = PlayerOutput(2, 0, "stderr", HOSTILE, 5)
        failed = failure(0, 2, Reason.EXCEPTION, detail=HOSTILE, traceback=HOSTILE)
        text = written(played(2, 1, Reason.EXCEPTION, [output, failed]))
        record = loaded(text)
        assert text.isascii()
        assert record.outputs == (output,)
        assert record.failures == (failed,)
        assert record.outcome == Outcome(1, "exception")

    @pytest.mark.parametrize(
        ("spec", "expected"),
        [
            ("players.minimax", "players.minimax"),
            ("bots/my_bot.py:Bot", "bots/my_bot.py:Bot"),
            ("/somewhere/private/anna.py:Bot", "anna.py:Bot"),
            ("{here}/bots/anna.py", "bots/anna.py"),
            ("gtp:/opt/secret/gnugo --mode gtp", "gtp:gnugo --mode gtp"),
            ("C:\\Users\\anna\\bot.py", "bot.py" if os.name == "nt" else "C:\\Users\\anna\\bot.py"),
        ],
    )
    def test_no_absolute_path(self, spec, expected, tmp_path, monkeypatch):
        """A record does not tell where on the machine the players were."""
        monkeypatch.chdir(tmp_path)
        spec = spec.format(here=Path.cwd())
        first = started(agents=(agent("anna", spec), agent("bert")))
        text = written([first, *list(played(0))[1:]])
        assert loaded(text).agents[0].spec == expected
        assert "/somewhere" not in text

    def test_no_absolute_path_in_tracebacks(self):
        """The files of a traceback are named as seen from the agent's own folder."""
        trace = 'File "/somewhere/private/anna.py", line 3, in action'
        record = loaded(written(played(0, 1, Reason.EXCEPTION, [failure(0, 0, Reason.EXCEPTION, traceback=trace)])))
        assert record.failures[0].traceback == 'File "anna.py", line 3, in action'

    def test_resigned(self):
        """A resignation ends a match without another state."""
        *events, end = played(4)
        resigned = ActionTaken(4, 0, "resign", end.state, 0.0, 0.0, Usage())
        record = loaded(written([*events, resigned, end._replace(winner=1, reason=Reason.RESIGNED, ply=5)]))
        assert record.outcome == Outcome(1, "resigned")
        assert record.actions[-1] == "resign"
        assert record.states[-1] == record.states[-2]

    def test_start_elsewhere(self):
        """A match that began in another state than the usual one is replayed from there."""
        opening = list(played(4))[-1].state
        action = opening.sample(Random(1))
        after = opening.play(action)
        text = written(
            [
                started(state=opening),
                PlayerStarted(0, "full", Usage()),
                PlayerStarted(1, "full", Usage()),
                ActionTaken(4, 0, action, after, 0.0, 0.0, Usage()),
                MatchEnded(None, Reason.INTERRUPTED, "", 1, (Usage(), Usage()), ("full", "full"), after),
            ]
        )
        assert loaded(text).states == (opening, after)

    def test_repr(self):
        """A record says in one line who played whom and how it went."""
        record = loaded(written(played(2, 0, Reason.TIME_LIMIT, [failure(1, 2, Reason.TIME_LIMIT)])))
        assert repr(record) == (
            "<Record of watch_your_back: anna (white) v bert (black), white won after 2 turns: time limit>"
        )


class TestCutOff:
    def test_between_lines(self):
        """A record without an end is the match up to there."""
        lines = written(played(10)).splitlines(keepends=True)
        record = loaded("".join(lines[:-3]))
        assert not record.complete
        assert record.outcome is None
        assert len(record.actions) == 8
        assert "cut off after 8 turns" in repr(record)

    def test_anywhere_in_a_line(self):
        """A last line that was cut off at any point is left out."""
        lines = written(played(3)).splitlines(keepends=True)
        for length in range(len(lines[-2])):
            cut = "".join(lines[:-2]) + lines[-2][:length]
            assert len(loaded(cut).actions) == (3 if length == len(lines[-2]) - 1 else 2)

    def test_within_the_header(self):
        """Without a whole header there is no record."""
        header = written(played(0)).splitlines()[0]
        for text in ("", header[:40], header[:-1]):
            with pytest.raises(RecordError, match="line 1: there is no header"):
                loaded(text)

    def test_compressed(self):
        """A compressed record that was cut off is read up to there."""
        data = gzip.compress(written(played(None)).encode())
        record = Record.load(io.BytesIO(data[: len(data) // 2]))
        assert record.actions
        assert not record.complete


class TestRefused:
    """What is no record of a match is refused with the line and the reason."""

    @pytest.mark.parametrize(
        ("number", "fields", "message"),
        [
            (1, {"format": "cake"}, "line 1: this is no record of a match: its first line is not a header"),
            (1, {"version": 2}, "line 1: the record has version 2 of the format, and this program reads version 1"),
            (
                1,
                {"game": "watch_your_bag"},
                r"line 1: there is no game 'watch_your_bag' \(did you mean watch_your_back",
            ),
            (1, {"rules_version": 999}, "line 1: .* version 999 of the rules of watch_your_back.* upgrade it"),
            (1, {"options": {"turn_cup": 3}}, r"line 1: the game has no option 'turn_cup' \(did you mean turn_cap"),
            (1, {"options": {"turn_cap": -3}}, "line 1: option turn_cap is at least 0, not -3"),
            (1, {"options": 3}, "line 1: options is to be an object"),
            (1, {"sides": ["red", "blue"]}, "line 1: the sides of watch_your_back are white, black"),
            (1, {"sides": ["white", "white"]}, "line 1: sides is to be a list of two different strings"),
            (1, {"seeds": {"white": 1, "green": 2}}, "line 1: watch_your_back has no side 'green'"),
            (1, {"seeds": {"white": 1}}, "line 1: seeds is to be an object that gives for each of the two sides"),
            (1, {"slots": {"white": 1, "black": 1}}, "line 1: slots are to be 0 and 1"),
            (1, {"agents": {"white": {}, "black": {}}}, r"line 1: agents is to be .* name \(a string\)"),
            (
                1,
                {"limits": {"profile": "fair", "cpu_s": 0, "memory_mb": None}},
                "line 1: the time limit is a number ab",
            ),
            (1, {"started": "noon"}, "line 1: Invalid isoformat"),
            (1, {"started": "2026-03-01T12:00:00"}, "line 1: started is to be a time with its offset from UTC"),
            (1, {"start": "no diagram"}, "line 1: "),
            (2, {"side": "black"}, "line 3: black was started before"),
            (3, {"event": "greeting"}, "line 3: there is no event 'greeting'"),
            (3, {"event": "header"}, "line 3: a second header"),
            (3, {"cpu_s": "much"}, "line 3: cpu_s is to be a number not below 0"),
            (3, {"cpu_s": -1}, "line 3: cpu_s is to be a number not below 0"),
            (3, {"side": None}, "line 3: side is to be a string"),
            (4, {"ply": 1}, "line 4: an action at ply 1, but 0 turns were taken before it"),
            (4, {"ply": True}, "line 4: ply is to be an integer not below 0"),
            (5, {"side": "white"}, "line 5: an action of white, but it is black's turn"),
            (4, {"action": [0, 0]}, "line 4: white's action at ply 0 is illegal: "),
            (4, {"action": [0.5, 0]}, "line 4: white's action at ply 0 is illegal: "),
            (4, {"action": {}}, "line 4: white's action at ply 0 is illegal: "),
            (4, {"action": "resign"}, "line 5: an action after the end of the match"),
            (
                -1,
                {"winner": "white"},
                r"line 24: the end says that white won \(interrupted\), but what came before means that nobody won",
            ),
            (-1, {"winner": "red"}, "line 24: watch_your_back has no side 'red'"),
            (
                -1,
                {"reason": "boredom"},
                "line 24: the end is by 'boredom', but nothing before ends the match like that",
            ),
            (-1, {"reason": "exception", "winner": "white"}, "line 24: the end is by 'exception', but nothing before"),
            (
                -1,
                {"reason": "both could not start"},
                "line 24: the end is by 'both could not start', but nothing before",
            ),
            (-1, {"ply": 7}, "line 24: the end tells of 7 turns, but there are 20"),
            (
                -1,
                {"state": "0123456789abcdef"},
                "line 24: the last state is not the recorded one: .*, not 0123456789abc",
            ),
            (-1, {"usage": {"white": {}, "black": {}}}, "line 24: usage is to be an object that gives for each"),
        ],
    )
    def test_changed_field(self, number, fields, message):
        """Changing one field of one line is noticed."""
        text = written(played(20))
        count = len(text.splitlines())
        assert count == 24
        with pytest.raises(RecordError, match=message):
            loaded(changed(text, number % (count + 1), **fields))

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("{", "this is not a line of a record: Expecting property name"),
            ("[]", "this is not a line of a record: it is no JSON object"),
            ('{"event":"output","dropped":NaN}', "this is not a line of a record: NaN is no number of JSON"),
            ('{"event":"output","dropped":' + "[" * 100_000, "this is not a line of a record: it is nested too deeply"),
            ('{"event":"output","dropped":' + "9" * 5_000 + "}", "this is not a line of a record: "),
            ('{"event":"output"}', "the output has no ply"),
            ('{"event":"output","ply":9,"side":"white","stream":"stdout","text":"","dropped":0}', "something of ply 9"),
            (
                '{"event":"failure","ply":0,"side":"white","call":"","reason":"fun","detail":"","traceback":""}',
                "cannot fail",
            ),
        ],
    )
    def test_added_line(self, line, message):
        """A line that does not belong there is named by its number."""
        lines = written(played(1)).splitlines()
        lines.insert(3, line)
        with pytest.raises(RecordError, match=f"line 4: .*{message}") as caught:
            loaded("\n".join(lines) + "\n")
        assert caught.value.line == 4

    def test_after_the_end(self):
        """Nothing may follow the end, not even a line that is no JSON."""
        lines = written(played(2)).splitlines(keepends=True)
        for more in (lines[3], lines[-1], '{"eve'):
            with pytest.raises(RecordError, match="line 7: "):
                loaded("".join(lines) + more)

    def test_end_that_the_game_does_not_give(self):
        """A match that the rules ended has the winner and the reason that the rules give."""
        text = written(played(None))
        count = len(text.splitlines())
        outcome = loaded(text).outcome
        other = ["white", "black"][1 - (outcome.winner or 0)]
        for fields in ({"winner": other}, {"reason": "fun"}):
            with pytest.raises(RecordError, match=f"line {count}: the end says that .* won"):
                loaded(changed(text, count, **fields))

    def test_winner_who_failed(self):
        """The player that failed is the one that loses."""
        with pytest.raises(RecordError, match=r"white won \(exception\), but .* black won"):
            loaded(written(played(2, 0, Reason.EXCEPTION, [failure(0, 2, Reason.EXCEPTION)])))

    def test_older_rules(self):
        """What does not replay although it may once have says which rules the match was played by."""
        text = changed(written(played(5)), 1, rules_version=0)
        assert loaded(text).complete
        with pytest.raises(
            RecordError, match=r"line 5: .*played by version 0 of the rules, and these are version \d+\)"
        ):
            loaded(changed(text, 5, side="white"))

    def test_actions_before_the_start(self):
        """Nobody acts before both players were started."""
        lines = written(played(2)).splitlines(keepends=True)
        with pytest.raises(RecordError, match="line 3: an action before both players were started"):
            loaded("".join(lines[:2] + lines[3:]))

    def test_encoding(self):
        """Bytes that are no UTF-8 are named by their line."""
        data = written(played(1)).encode().replace(b'"full"', b'"f\xffll"', 1)
        with pytest.raises(RecordError, match="line 2: this is not a line of a record: its byte 44 is not UTF-8"):
            Record.load(io.BytesIO(data))

    def test_damaged_gzip(self):
        """A damaged compressed file is said to be damaged."""
        data = bytearray(gzip.compress(written(played(9)).encode()))
        data[20:60] = bytes(40)
        with pytest.raises(RecordError, match="damaged"):
            Record.load(io.BytesIO(bytes(data)))

    def test_source_is_named(self, tmp_path):
        """The message begins with the file and the line."""
        path = tmp_path / "cake.txt"
        path.write_text("flour, sugar, eggs\n")
        with pytest.raises(RecordError, match=r"cake\.txt, line 1: this is not a line of a record"):
            Record.load(path)


def test_both_could_not_start():
    """A match in which neither player could be started is a record as well."""
    failures = [failure(side, -1, Reason.COULD_NOT_START, call="import", traceback="Traceback ...") for side in (0, 1)]
    first = started()
    end = MatchEnded(None, Reason.BOTH_COULD_NOT_START, "", 0, (Usage(), Usage()), ("full", "full"), first.state)
    record = loaded(written([first, *failures, end]))
    assert record.outcome == Outcome(None, "both could not start")
    assert record.failures == tuple(failures)


def test_fields_to_come():
    """Fields that a later program may add are skipped."""
    text = written(played(3))
    for number in range(1, 8):
        text = changed(text, number, colour="blue")
    assert loaded(text).complete


def test_other_writers():
    """A byte order mark, other line ends and spaces, as other programs write them, make no difference."""
    text = "\ufeff" + "\r\n".join(json.dumps(json.loads(line)) for line in written(played(5)).splitlines())
    assert loaded(text + "\r\n\r\n").complete


class TestFile:
    def test_grows_line_by_line(self, tmp_path):
        """After each event the file is a readable record of what has happened so far."""
        path = tmp_path / "match.jsonl"
        writer = RecordWriter(path)
        assert not path.exists()
        for event in played(4):
            writer(event)
            record = Record.load(path)
            if isinstance(event, ActionTaken):
                assert record.turns[-1].ply == event.ply
        assert record.complete
        assert os.listdir(tmp_path) == ["match.jsonl"]

    def test_compressed(self, tmp_path):
        """A name that ends in .gz gives a compressed record, readable while it grows."""
        path = tmp_path / "match.jsonl.gz"
        writer = RecordWriter(path)
        for event in played(4):
            writer(event)
            Record.load(path)
        with gzip.open(path, "rt") as file:
            assert Record.load(file).complete

    def test_older_record_is_replaced_when_the_match_starts(self, tmp_path):
        """An older record stays until the new one has its header, and goes for good then."""
        path = tmp_path / "match.jsonl"
        for events in (list(played(6)), list(played(2))):
            writer = RecordWriter(path)
            if path.exists():
                assert len(Record.load(path).turns) == 6
            for event in events:
                writer(event)
        assert len(Record.load(path).turns) == 2

    def test_match_that_never_starts(self, tmp_path):
        """Without a match the older record stays and nothing is left behind."""
        path = tmp_path / "match.jsonl"
        path.write_text(written(played(2)))
        RecordWriter(path)
        assert Record.load(path).complete
        assert os.listdir(tmp_path) == ["match.jsonl"]

    def test_other_file_is_kept(self, tmp_path):
        """A file that is no record is not overwritten."""
        path = tmp_path / "my_player.py"
        path.write_text("class Player: ...\n")
        with pytest.raises(
            FileExistsError, match=r"this file is no record of a match and is not overwritten.*my_player"
        ):
            RecordWriter(path)
        assert path.read_text() == "class Player: ...\n"

    def test_no_such_directory(self, tmp_path):
        """A path at which no file can be made is refused before the match, by name."""
        with pytest.raises(FileNotFoundError, match=r"No such file or directory: .*nowhere/match\.jsonl"):
            RecordWriter(tmp_path / "nowhere" / "match.jsonl")

    def test_directory(self, tmp_path):
        """A directory is refused before the match."""
        with pytest.raises(IsADirectoryError, match="this is a directory"):
            RecordWriter(tmp_path)

    def test_symbolic_link(self, tmp_path):
        """A record is written through a symbolic link, which stays one."""
        link = tmp_path / "latest.jsonl"
        link.symlink_to(tmp_path / "match.jsonl")
        writer = RecordWriter(link)
        for event in played(2):
            writer(event)
        assert link.is_symlink()
        assert Record.load(tmp_path / "match.jsonl").complete

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
    def test_full_disk(self):
        """A full disk is an OSError that says what could not be written."""
        writer = RecordWriter("/dev/full")
        with pytest.raises(OSError, match="the record cannot be written: No space left on device: '/dev/full'"):
            writer(started())


class TestSchema:
    VALIDATOR = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)

    def test_is_a_schema(self):
        """The schema is one of its draft."""
        Draft202012Validator.check_schema(SCHEMA)

    def test_every_event(self):
        """A line of every event is valid by the schema."""
        output = PlayerOutput(3, 1, "stdout", HOSTILE, 12)
        failed = failure(1, 3, Reason.MEMORY_LIMIT, traceback="Traceback ...")
        first = started(limits=Limits())
        text = written([first, *list(played(3, 0, Reason.MEMORY_LIMIT, [output, failed]))[1:]])
        lines = [json.loads(line) for line in text.splitlines()]
        assert {line["event"] for line in lines} == set(FIELDS)
        for line in lines:
            self.VALIDATOR.validate(line)

    @pytest.mark.parametrize(
        "fields",
        [{"event": "fun"}, {"ply": -1}, {"ply": 1.5}, {"side": 0}, {"action": {}}, {"action": [1.5]}, {"cpu_s": None}],
        ids=str,
    )
    def test_invalid(self, fields):
        """The schema refuses an action line that is none."""
        line = json.loads(written(played(1)).splitlines()[3])
        assert self.VALIDATOR.is_valid(line)
        assert not self.VALIDATOR.is_valid(line | fields)

    def test_same_fields_as_the_reader(self):
        """The schema asks for the same fields as the reader does."""
        for event, fields in FIELDS.items():
            extra = {"event", "format", "version"} if event == "header" else {"event"}
            assert set(SCHEMA["$defs"][event]["required"]) == {*fields, *extra}
            assert {f"#/$defs/{event}" for event in FIELDS} == {each["$ref"] for each in SCHEMA["oneOf"]}


@pytest.mark.parametrize("path", sorted(DATA.glob("*.record.jsonl")), ids=lambda path: path.name)
def test_records_of_earlier_versions(path):
    """A record that an earlier version wrote can still be read, and is valid by the schema."""
    assert Record.load(path).complete
    for line in path.read_text().splitlines():
        TestSchema.VALIDATOR.validate(json.loads(line))


def test_a_small_file_that_unpacks_to_gigabytes_is_refused(tmp_path, monkeypatch):
    """It is not unpacked to its end."""
    monkeypatch.setattr("watch_your_back.match.record_form.LARGEST", 1 << 20)
    bomb = tmp_path / "bomb.jsonl.gz"
    bomb.write_bytes(gzip.compress(bytes(2 << 20)) * 3)
    with pytest.raises(RecordError, match="larger than 1 MB"):
        Record.load(bomb)
