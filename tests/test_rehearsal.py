"""What a waiting process does before it becomes a player's."""

import random
import sys

import pytest

from watch_your_back.confine import importing
from watch_your_back.confine.rehearsal import rehearse


@pytest.mark.parametrize("rules", ["watch_your_back.games.watch_your_back", "no.such.rules", None])
def test_a_rehearsal_leaves_nothing_behind(rules):
    """No module, no folder on the path and no random number is other than before, whatever is rehearsed."""
    __import__("watch_your_back.games.watch_your_back")
    importing.forget()  # an agent of another test
    before = (list(sys.path), list(sys.meta_path), set(sys.modules), random.getstate())
    rehearse(rules)
    assert (list(sys.path), list(sys.meta_path), set(sys.modules), random.getstate()) == before
