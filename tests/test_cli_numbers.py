"""Options whose value may be left out, and the numbers that they take."""

import click
import pytest

from watch_your_back.cli.ending import run
from watch_your_back.cli.numbers import BareCommand, BareOption, Number


@click.command(cls=BareCommand)
@click.argument("white")
@click.argument("black")
@click.option("-t", "--time-limit", "--time_limit", cls=BareOption, bare=120.0, type=Number("seconds", 0, 1000))
@click.option("-d", "--delay", cls=BareOption, bare=1.0, type=Number("seconds", 0, 10, closed=True))
@click.option("-q", is_flag=True)
def command(**values):
    """Print what was understood."""
    click.echo("{white} {black} t={time_limit} d={delay} q={q}".format(**values))


@pytest.mark.parametrize(
    ("words", "understood"),
    [
        ("white black", "white black t=None d=None q=False"),
        ("-t white black", "white black t=120.0 d=None q=False"),
        ("-t 5 white black", "white black t=5.0 d=None q=False"),
        ("-t5 white black", "white black t=5.0 d=None q=False"),
        ("-t 5e-1 white black", "white black t=0.5 d=None q=False"),
        ("white -t black", "white black t=120.0 d=None q=False"),
        ("white black -t", "white black t=120.0 d=None q=False"),
        ("white black -t 7", "white black t=7.0 d=None q=False"),
        ("--time-limit white black", "white black t=120.0 d=None q=False"),
        ("--time_limit white black", "white black t=120.0 d=None q=False"),
        ("--time_limit=8 white black", "white black t=8.0 d=None q=False"),
        ("--time-limit 8 white black", "white black t=8.0 d=None q=False"),
        ("-t -d white black", "white black t=120.0 d=1.0 q=False"),
        ("-d 0 -t -q white black", "white black t=120.0 d=0.0 q=True"),
        ("-qt white black", "white black t=120.0 d=None q=True"),
        ("-qt 3 white black", "white black t=3.0 d=None q=True"),
        ("-t -- white black", "white black t=120.0 d=None q=False"),
        ("-- white -t", "white -t t=None d=None q=False"),
    ],
)
def test_a_word_is_the_value_only_if_it_is_a_number(capsys, words, understood):
    """An agent's name after a flag is the agent, wherever the flag stands."""
    assert run(command, "referee.py", words.split()) == 0
    assert capsys.readouterr().out == understood + "\n"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("-t 0 a b", "'-t' / '--time-limit' / '--time_limit': '0' is not a number of seconds above 0 up to 1,000"),
        ("-t -5 a b", "'-t' / '--time-limit' / '--time_limit': '-5' is not a number of seconds above 0 up to 1,000"),
        ("-t nan a b", "'-t' / '--time-limit' / '--time_limit': 'nan' is not a number of seconds above 0 up to 1,000"),
        ("a b -t inf", "'-t' / '--time-limit' / '--time_limit': 'inf' is not a number of seconds above 0 up to 1,000"),
        (
            "-t 1001 a b",
            "'-t' / '--time-limit' / '--time_limit': '1001' is not a number of seconds above 0 up to 1,000",
        ),
        ("--delay=x a b", "'-d' / '--delay': 'x' is not a number of seconds from 0 up to 10"),
        ("-d 11 a b", "'-d' / '--delay': '11' is not a number of seconds from 0 up to 10"),
    ],
)
def test_a_number_out_of_range_is_one_line(capsys, words, line):
    """It says which option, which value, and what would be right."""
    assert run(command, "referee.py", words.split()) == 2
    assert capsys.readouterr() == ("", f"referee.py: Invalid value for {line} (try referee.py --help)\n")
