"""The example notebook, run from its first cell to its last in a kernel of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from parsed_html import Parsed

pytest.importorskip("nbclient", reason="nbclient is not installed: pip install .[test]")
pytest.importorskip("ipykernel", reason="ipykernel is not installed: pip install .[test]")
pytest.importorskip("cloudpickle", reason="cloudpickle is not installed: pip install .[notebook]")

ROOT = Path(__file__).parent.parent
NOTEBOOK = ROOT / "examples" / "notebook.ipynb"
RUN = """
import sys, nbclient, nbformat
notebook = nbformat.read(sys.argv[1], 4)
nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
nbformat.write(notebook, sys.argv[2])
"""


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """The code cells with what they put out."""
    folder = tmp_path_factory.mktemp("notebook")
    environment = {
        **os.environ,
        **{name: str(folder) for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")},
        "PYTHONPATH": str(ROOT),
    }
    words = [sys.executable, "-c", RUN, str(NOTEBOOK), str(folder / "run.ipynb")]
    ended = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=900)
    assert ended.returncode == 0, ended.stderr
    notebook = json.loads((folder / "run.ipynb").read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def shown(cells, beginning, kind="text/html"):
    """What the cell whose code begins or ends like this shows."""
    cell = next(cell for cell in cells if beginning in "".join(cell["source"]))
    data = next(output["data"] for output in cell["outputs"] if output["output_type"] == "execute_result")
    return "".join(data[kind])


def printed(cells, beginning):
    """What it prints."""
    cell = next(cell for cell in cells if beginning in "".join(cell["source"]))
    return "".join("".join(output["text"]) for output in cell["outputs"] if output.get("name") == "stdout")


def test_every_cell_runs_without_a_warning(cells):
    """No exception, and nothing on stderr."""
    assert len(cells) > 8
    for cell in cells:
        assert [output for output in cell["outputs"] if output.get("name") == "stderr"] == []


def test_states_show_their_board(cells):
    """With its pieces, and whose turn it is."""
    parsed = Parsed(shown(cells, "game.initial()\nfor"))
    assert sum("stone" in about.get("class", "") for about, _ in parsed.all("circle")) == 2
    assert parsed.all("figcaption")[0][1] == "Watch Your Back!: placing phase, turn 4, Black to act"


def test_results_show_a_replay(cells):
    """In a frame, after the sentence that plain text has too."""
    html = shown(cells, 'result = play("greedy"')
    assert "<iframe srcdoc=" in html
    assert html.startswith("<p>White (greedy) wins: Black was eliminated (82 turns).</p>")
    assert shown(cells, 'result = play("greedy"', "text/plain").startswith("<White (greedy) wins: ")


def test_a_class_of_a_cell_is_a_player(cells):
    """It plays a whole match, confined as players of files are on this system."""
    plain = shown(cells, "class Hungry(Follower)", "text/plain")
    assert plain.startswith("<White (Hungry) wins: ")
    assert plain.rpartition("tier ")[2] == printed(cells, "print(result)").splitlines()[0].rpartition("tier ")[2]


def test_a_traceback_names_the_cell(cells):
    """And shows the line that failed."""
    out = printed(cells, "class Forgetful")
    assert out.startswith("exception\n")
    assert 'File "In[' in out
    assert "return actions[self.state.ply + 40]" in out
    assert "IndexError: list index out of range" in out


def test_comparisons_show_tables(cells):
    """With the scores by side."""
    parsed = Parsed(shown(cells, "found = compare("))
    assert "Hungry" in [words for _, words in parsed.all("th")]
    assert "Hungry is better than Follower" in parsed.all("b")[0][1]


def test_it_is_kept_without_what_was_put_out():
    """So that a change to it can be read."""
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs")
        assert not cell.get("execution_count")
