#!/usr/bin/env python3
"""Python call stacks of an unchanged program, sampled from inside it (`xsp record --python-stacks`): shares, threads, children, names, and
that the program is as it was without."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"

# Two functions that take 70 and 30 % of the time, by the clock that a thread's own time is read from.
WORK = """
import time
def turn():
    x = 0
    for i in range(2000): x += i * i % 7
    return x
def busy(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end: turn()
def seventy_percent(seconds):
    busy(seconds * 0.7)
def thirty_percent(seconds):
    busy(seconds * 0.3)
def shares(seconds):
    # Returns the share of the first function in the time of the clock.
    first = 0
    begin = time.monotonic()
    for _ in range(10):
        at = time.monotonic()
        seventy_percent(seconds / 10)
        first += time.monotonic() - at
        thirty_percent(seconds / 10)
    return first / (time.monotonic() - begin)
"""


class PythonStacksTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.environment = {**os.environ, "XSP_STORE": str(self.folder / "store")}

    def xsp(self, *arguments):
        process = subprocess.run([str(XSP), *map(str, arguments)], env=self.environment, cwd=self.folder, stdin=subprocess.DEVNULL,
                                 capture_output=True, timeout=900)
        self.assertEqual(process.returncode, 0, f"{arguments}\nstdout: {process.stdout[-2000:]}\nstderr: {process.stderr[-2000:]}")
        return process.stdout.decode()

    def record(self, program, rate=500):
        script = self.folder / "program.py"
        script.write_text(WORK + program)
        return self.xsp("record", "--python-stacks", rate, "--depth", "model", "--no-roofs", "--", sys.executable, script)

    def query(self, sql):
        return json.loads(self.xsp("query", sql, "--format", "json"))

    def share(self, function):
        """Of the samples of Python stacks, those with `function` on them."""
        rows = self.query(f"SELECT sum(samples) FILTER (frame = '{function}') AS inside, "
                          "sum(samples) FILTER (parent IS NULL) AS whole FROM call_tree WHERE kind = 'python'")
        return (rows[0]["inside"] or 0) / rows[0]["whole"]

    def test_shares_are_those_of_the_time(self):
        self.record("open('share', 'w').write(str(shares(3)))")
        # Samples are of the clock; while the whole process waits for a processor none is taken.
        of_clock, of_cpu = float((self.folder / "share").read_text()), 0.7
        first, second = self.share("seventy_percent"), self.share("thirty_percent")
        self.assertGreater(first, min(of_clock, of_cpu) - 0.06)
        self.assertLess(first, max(of_clock, of_cpu) + 0.06)
        self.assertAlmostEqual(first + second, 1, delta=0.02)
        path = self.query("SELECT t.frame, t.module, p.frame AS caller FROM call_tree t JOIN call_tree p ON t.parent = p.node "
                          "WHERE t.frame = 'seventy_percent'")
        self.assertEqual(path, [{"frame": "seventy_percent", "module": "program.py", "caller": "shares"}])
        facts = json.loads((next((self.folder / "store").glob("*/*/run.json"))).read_text())["facts"]
        self.assertEqual(facts["sampling.python.rate_hz"], "500")

    def test_threads_are_told_apart(self):
        self.record("""
import threading
threads = [threading.Thread(target=seventy_percent, args=(2,)), threading.Thread(target=thirty_percent, args=(2,))]
for thread in threads: thread.start()
for thread in threads: thread.join()
""")
        rows = self.query("""
WITH RECURSIVE up AS (
  SELECT track_id, call_stack_id AS id FROM stack_sample WHERE kind = 'python'
  UNION SELECT u.track_id, c.parent_id FROM up u JOIN call_stack c ON c.id = u.id)
SELECT c.frame, count(DISTINCT t.thread_id) AS threads, any_value(t.thread_id = t.process_id) AS is_main
FROM up u JOIN call_stack c ON c.id = u.id JOIN track t ON t.id = u.track_id
WHERE c.frame IN ('seventy_percent', 'thirty_percent') GROUP BY c.frame""")
        self.assertEqual([(row["threads"], row["is_main"]) for row in rows], [(1, False), (1, False)])

    def test_forked_children_are_followed(self):
        self.record("""
import os
child = os.fork()
if child == 0:
    seventy_percent(2)
    os._exit(0)
thirty_percent(2)
os.waitpid(child, 0)
""")
        rows = self.query("""
WITH RECURSIVE up AS (
  SELECT track_id, call_stack_id AS id FROM stack_sample WHERE kind = 'python'
  UNION SELECT u.track_id, c.parent_id FROM up u JOIN call_stack c ON c.id = u.id)
SELECT count(DISTINCT t.process_id) AS processes FROM up u JOIN call_stack c ON c.id = u.id JOIN track t ON t.id = u.track_id
WHERE c.frame IN ('seventy_percent', 'thirty_percent')""")
        self.assertEqual(rows[0]["processes"], 2)

    def test_signals_are_for_the_programs_own_threads(self):
        out = self.record("""
import os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
os.kill(os.getpid(), signal.SIGTERM)
print(signal.sigwait({signal.SIGTERM}) == signal.SIGTERM)
""")
        self.assertEqual(out, "True\n")

    def test_the_program_sees_no_thread_of_ours(self):
        out = self.folder / "out"
        self.record(f"""
import threading
shares(0.2)
open({str(out)!r}, "w").write(f"{{threading.active_count()}} {{len(threading.enumerate())}}")
""")
        self.assertEqual(out.read_text(), "1 1")

    def test_a_program_that_only_waits_ends_at_once(self):
        self.record("time.sleep(0.3)")
        self.assertGreater(self.share("<module>"), 0.9)

    def test_without_it_nothing_is_sampled(self):
        script = self.folder / "program.py"
        script.write_text(WORK + "shares(0.2)")
        self.xsp("record", "--depth", "model", "--no-roofs", "--", sys.executable, script)
        self.assertEqual(self.query("SELECT count(*) AS n FROM stack_sample WHERE kind = 'python'"), [{"n": 0}])


if __name__ == "__main__":
    unittest.main()
