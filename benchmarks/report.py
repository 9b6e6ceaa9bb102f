"""What the report of a tournament costs: its file with 2,000 replays, and the command on a store of 50,000 matches.

Run by hand: `python benchmarks/report.py [matches in the store]`. The aims: under 15 MB and open in under 2 s with
2,000 matches; under 5 s for the command on 50,000 matches, of which some can be replayed. On a machine that is busy
with other things, look at the CPU times.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from browser import Browser, Page, executable  # noqa: E402
from report_data import Tournament, stored, tournament  # noqa: E402

from watch_your_back.report.page import page  # noqa: E402

NAMES = [f"team_{number}/player" for number in range(1, 24)]
ROUNDS = 4
OUTPUT = "".join(f"depth {depth} value {depth * 37 % 100} nodes {17**depth % 99991}\n" for depth in range(1, 6))


def main() -> None:
    """Print the figures."""
    made = tournament(NAMES, rounds=ROUNDS, output=OUTPUT)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        start = time.process_time()
        file.write_text(page(made.report, made.record, replays=10_000), encoding="utf-8")
        took = time.process_time() - start
        number, size = len(made.report.matches), file.stat().st_size / 1_048_576
        print(f"{number:,} matches, all replayed: {size:.1f} MB, made in {took:.1f} s of CPU time")
        program = executable()
        if program is None:
            print("no Chromium on the path, so it is not opened")
        else:
            with Browser(program) as browser:
                show(browser, file)
        measure_command(made, Path(folder), int(sys.argv[1]) if len(sys.argv) > 1 else 50_000)


def show(browser: Browser, file: Path) -> None:
    """Open it as a reader does, go to a replay, and search."""
    for attempt in ("first time", "again"):
        shown = Page(browser)
        shown.call("Performance.enable", timeDomain="threadTicks")
        start = time.perf_counter()
        shown.open(file)
        shown.wait_for("document.querySelector('#list tbody tr')")
        passed_s = time.perf_counter() - start
        metrics = {each["name"]: each["value"] for each in shown.call("Performance.getMetrics")["metrics"]}
        cpu_s = metrics["TaskDuration"]
        print(f"opened ({attempt}), the list of matches included: {passed_s:.2f} s, {cpu_s:.2f} s of CPU time")
    start = time.perf_counter()
    shown.run("location.hash = '#match-1500-10'")
    shown.wait_for("document.getElementById('replay-title').textContent.startsWith('Match 1500: ')")
    print(f"a replay: {1000 * (time.perf_counter() - start):.0f} ms")
    start = time.perf_counter()
    shown.run("location.hash = '#matches-7-9'")
    shown.wait_for("document.getElementById('found').textContent.startsWith('8 of')")
    print(f"a search: {1000 * (time.perf_counter() - start):.0f} ms")
    assert shown.errors == []


def measure_command(made: Tournament, folder: Path, matches: int) -> None:
    """Time the command on a store of at least so many matches: the tournament over and over again."""
    store = folder / "large.db"
    rounds = -(-matches // len(made.report.matches)) * ROUNDS
    stored(store, made, rounds, again=rounds // ROUNDS)
    size = store.stat().st_size / 1_048_576
    print(f"a store of {rounds // ROUNDS * len(made.report.matches):,} matches, {size:.0f} MB")
    for words in (["--replays", "0"], []):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        command = [sys.executable, "-m", "watch_your_back", "tournament", "report", str(store), *words]
        subprocess.run(command, check=True, cwd=ROOT)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{' '.join(words) or 'as it is'}: {time.perf_counter() - start:.1f} s, {cpu_s:.1f} s of CPU time")


if __name__ == "__main__":
    main()
