#!/usr/bin/env python3
"""`xsp monitor` as a user meets it: what it samples against the kernel's own counters read here, and that a program which it watches
is started, fed, signalled and ended as if it had been started alone."""
import csv
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
BAD_INPUT, USAGE, INTERRUPTED = 3, 2, 130


def cpu_ticks():
    """Busy and all ticks of the machine: user, nice, system, idle, iowait, irq, softirq, steal."""
    ticks = [int(word) for word in pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
    return sum(ticks) - ticks[3] - ticks[4] - ticks[7], sum(ticks)


def memory_used():
    lines = dict(line.split(":") for line in pathlib.Path("/proc/meminfo").read_text().splitlines())
    return 1024 * (int(lines["MemTotal"].split()[0]) - int(lines["MemAvailable"].split()[0]))


def catches(process, number):
    """Whether the process has a handler for the signal by now."""
    lines = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines())
    return int(lines["SigCgt"], 16) >> (number - 1) & 1


def waits_of_monitor(process):
    """How often the thread that samples has waited for its next deadline; 0 until there is one."""
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        if (task / "comm").read_text().strip() == "xsp-monitor":
            return int(dict(line.split(":", 1) for line in (task / "status").read_text().splitlines())["voluntary_ctxt_switches"])
    return 0


class MonitorCommandTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.environment = {**os.environ, "XSP_STORE": str(self.folder / "store")}

    def start(self, *arguments, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": self.environment,
                   "cwd": self.folder, **options}
        return subprocess.Popen([str(XSP), *map(str, arguments)], **options)

    def xsp(self, *arguments, status=0, text=None):
        process = self.start(*arguments, stdin=subprocess.PIPE)
        out, err = process.communicate((text or "").encode(), timeout=900)
        self.assertEqual(process.returncode, status, f"{arguments}\nstdout: {out[-2000:]}\nstderr: {err[-2000:]}")
        return out.decode(), err.decode()

    def query(self, sql):
        return json.loads(self.xsp("query", sql, "--format", "json")[0])

    def summary(self, *arguments):
        """The summary as JSON, and its rows by name and part."""
        document = json.loads(self.xsp("monitor", "--format", "json", *arguments)[0])
        return document, {(row["name"], row["part"]): row for row in document["summary"]}

    # What it samples -----------------------------------------------------------------------------

    def test_cpu_and_memory_are_what_the_kernel_counts(self):
        busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        self.addCleanup(busy.wait)
        self.addCleanup(busy.kill)
        used, ended = [memory_used()], threading.Event()

        def read_memory():
            while not ended.wait(0.05):
                used.append(memory_used())

        reader = threading.Thread(target=read_memory)
        before = cpu_ticks()
        reader.start()
        document, rows = self.summary("--seconds", "3")
        after = cpu_ticks()
        ended.set()
        reader.join()
        # Read around it: a process that starts and stores is in one and not in the other.
        expected = 100 * (after[0] - before[0]) / (after[1] - before[1])
        self.assertAlmostEqual(rows["cpu_pct", ""]["mean"], expected, delta=20)
        self.assertGreater(rows["cpu_pct", ""]["mean"], 50 / os.cpu_count())
        self.assertGreater(rows["memory.used_bytes", ""]["mean"], 0.9 * min(used))
        self.assertLess(rows["memory.used_bytes", ""]["mean"], 1.1 * max(used))
        self.assertAlmostEqual(rows["system_memory_mb", ""]["mean"], rows["memory.used_bytes", ""]["mean"] / 1e6, delta=1e-3)
        self.assertGreaterEqual(document["samples"] + document["late"], 30)
        cores = [row for (name, part), row in rows.items() if name == "cpu.busy_share" and part]
        self.assertEqual(len(cores), len([line for line in pathlib.Path("/proc/stat").read_text().splitlines()
                                          if line.startswith("cpu") and not line.startswith("cpu ")]))

    def test_written_bytes_reach_a_disk_counter(self):
        # The sum over what is written through to whatever lies below this folder; on a memory file system nothing is to be seen.
        before = pathlib.Path("/proc/diskstats").read_text()
        script = ("import os\nfile = open('data', 'wb')\nfor _ in range(64):\n file.write(os.urandom(1 << 20))\n"
                  "file.flush()\nos.fsync(file.fileno())\n")
        self.xsp("monitor", "-o", "summary.json", "--format", "json", "--", sys.executable, "-c", script)
        after = pathlib.Path("/proc/diskstats").read_text()
        wrote = {}
        for sign, text in ((-1, before), (1, after)):
            for words in map(str.split, text.splitlines()):
                if pathlib.Path("/sys/block", words[2], "device").exists():
                    wrote[words[2]] = wrote.get(words[2], 0) + sign * 512 * int(words[9])
        if max(wrote.values(), default=0) < 32e6:
            self.skipTest("no disk that can be seen lies below the temporary folder")
        document = json.loads((self.folder / "summary.json").read_text())
        rows = {(row["name"], row["part"]): row["mean"] for row in document["summary"]}
        name = max(wrote, key=wrote.get)
        seen = rows["disk.write_bytes_per_s", f"disk {name}"] * document["seconds"]
        self.assertGreater(seen, 0.5 * 64e6)
        self.assertLessEqual(seen, wrote[name] * 1.05)

    def test_the_experiment_holds_the_series_on_the_wall_clock(self):
        before_ns = time.time_ns()
        self.xsp("monitor", "--rate", "50", "--name", "mine", "--", "sleep", "1")
        after_ns = time.time_ns()
        rows = self.query("""SELECT min(time_ns) AS first, max(time_ns) AS last, count(*) AS rows FROM counter c
            JOIN track t ON t.id = c.track_id AND t.run_id = c.run_id WHERE c.name = 'memory.used_bytes' AND t.name = 'machine'""")[0]
        self.assertGreater(rows["first"], before_ns)
        self.assertLess(rows["last"], after_ns)
        # Deadlines that a busy machine let pass are left out and said.
        late = sum(row["count"] for row in self.query("SELECT count FROM diagnostic WHERE name = 'monitor_late'"))
        self.assertGreaterEqual(rows["rows"] + late, 50)
        run = self.query("SELECT r.rung, r.status, p.model, p.backend FROM run r JOIN point p USING (point_id)")
        self.assertEqual(run, [{"rung": "monitor", "status": "done", "model": "sleep", "backend": "monitor"}])
        usage = self.query("SELECT * FROM system_usage")
        self.assertEqual(len(usage), 1)
        self.assertGreaterEqual(usage[0]["seconds"], 0.9)
        self.assertGreater(usage[0]["system_memory_mb"], 0)
        self.assertGreater(usage[0]["monitor_share"], 0)

    def test_what_the_machine_hides_has_a_reason_and_no_value(self):
        document, rows = self.summary("--seconds", "0.3")
        for hidden in document["hidden"]:
            self.assertTrue(hidden["why"])
            self.assertFalse([key for key in rows if key[0] == hidden["name"] and not key[1].startswith(("gpu", "package"))], hidden)
        named = {row["name"] for row in self.query("SELECT name FROM diagnostic")}
        for hidden in document["hidden"]:
            self.assertIn("monitor_hidden_" + hidden["name"].replace(".", "_"), named)
        if not any(part.startswith("gpu") for _, part in rows):
            self.assertIsNone(rows["gpu_pct_sum", ""]["mean"])
            self.assertIn("nvml", [hidden["name"] for hidden in document["hidden"]])

    def test_analyses_and_report_take_it(self):
        self.xsp("monitor", "--", "sleep", "0.5")
        usage = json.loads(self.xsp("analyze", "system_usage", "--format", "json")[0])
        usage = usage[0] if isinstance(usage, list) else usage
        self.assertEqual([row["model"] for row in usage["rows"]], ["sleep"])
        series = json.loads(self.xsp("analyze", "system_timeline", "--format", "json")[0])
        series = series[0] if isinstance(series, list) else series
        self.assertIn("cpu.busy_share", {row["name"] for row in series["rows"]})
        self.assertIn("sleep", self.xsp("list")[0])
        self.xsp("show")
        self.xsp("report", "-o", "report.html")
        page = (self.folder / "report.html").read_text()
        self.assertIn("memory.used_bytes", page)
        # A program is no model: nobody is told to run it as one.
        self.assertNotIn("xsp run sleep", page)
        self.assertIn("The machine was sampled here", self.xsp("analyze", "A2")[0])

    # What it leaves alone ------------------------------------------------------------------------

    def test_input_output_and_exit_status_are_the_programs(self):
        program = "import sys; data = sys.stdin.read(); print(data.upper(), end=''); print('heard', file=sys.stderr); sys.exit(37)"
        out, err = self.xsp("monitor", "--", sys.executable, "-c", program, text="some words\n", status=37)
        self.assertEqual(out, "SOME WORDS\n")
        self.assertTrue(err.startswith("heard\n"), err)
        self.assertIn("cpu_pct", err)
        # Arguments reach it as they stand, whatever they look like.
        words = ["[1,2]", "", "{}", "--", "list", "--rate"]
        echoed, _ = self.xsp("monitor", "--", sys.executable, "-c", "import sys; print(sys.argv[1:])", *words)
        self.assertEqual(echoed, f"{words}\n")
        out, err = self.xsp("monitor", "-o", "summary.csv", "--format", "csv", "--", sys.executable, "-c", program, text="x", status=37)
        self.assertEqual((out, err), ("X", "heard\n"))
        rows = list(csv.DictReader(io.StringIO((self.folder / "summary.csv").read_text())))
        self.assertEqual([row["name"] for row in rows[:6]],
                         ["cpu_pct", "gpu_pct_sum", "system_memory_mb", "gpu_memory_mb_sum", "pcie_mbps", "nvlink_mbps"])

    def test_a_program_that_a_signal_ends_is_seen_to_end_so(self):
        for number in (signal.SIGKILL, signal.SIGABRT, signal.SIGTERM):
            process = self.start("monitor", "--", "sh", "-c", f"kill -{int(number)} $$")
            process.communicate(timeout=900)
            self.assertEqual(process.returncode, -number)
        runs = self.query("SELECT count(*) AS runs FROM run")
        self.assertEqual(runs, [{"runs": 1}])

    def watched(self, program, **options):
        """A Python program that has said that it is ready, under the monitor."""
        process = self.start("monitor", "--", sys.executable, "-uc", program, **options)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        return process

    def test_signals_that_are_sent_to_it_reach_the_program_once(self):
        program = ("import signal, sys, time\nseen = []\n"
                   "for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1): signal.signal(s, lambda n, _: seen.append(n))\n"
                   "print('ready')\ntold = 0\nwhile signal.SIGTERM not in seen:\n time.sleep(0.01)\n"
                   " while told < len(seen): print(int(seen[told])); told += 1\nprint(seen)\nsys.exit(9)\n")
        process = self.watched(program)
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGTERM):
            process.send_signal(number)
            if number != signal.SIGTERM:  # Two that wait at once come in the order of their numbers.
                self.assertEqual(process.stdout.readline(), b"%d\n" % number)
        out, err = process.communicate(timeout=900)
        self.assertEqual((process.returncode, out.splitlines()[-1]), (9, b"[2, 1, 10, 15]"), err)

    def test_ctrl_c_of_a_terminal_reaches_the_program_once(self):
        # A terminal sends it to the whole group in the foreground: here a pseudo terminal does.
        import pty
        main, terminal = pty.openpty()
        program = ("import signal, sys, time\nseen = []\nsignal.signal(signal.SIGINT, lambda n, _: seen.append(n))\nprint('ready')\n"
                   "end = time.time() + 30\nwhile not seen and time.time() < end: time.sleep(0.01)\n"
                   "time.sleep(0.3)  # A second one would come now.\nprint(len(seen))\nsys.exit(4)\n")

        def own_terminal():
            os.setsid()
            import fcntl
            import termios
            fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

        process = self.watched(program, stdin=terminal, preexec_fn=own_terminal)
        os.write(main, b"\x03")
        out, err = process.communicate(timeout=900)
        os.close(main)
        os.close(terminal)
        self.assertEqual((process.returncode, out), (4, b"1\n"), err)
        self.assertIn(b"cpu_pct", err)

    def test_a_program_that_is_not_there_leaves_nothing(self):
        _, err = self.xsp("monitor", "--", "no-such-program-anywhere", status=BAD_INPUT)
        self.assertIn("no-such-program-anywhere", err)
        store = self.folder / "store"
        self.assertEqual([path for path in store.iterdir()] if store.exists() else [], [])

    # By itself -----------------------------------------------------------------------------------

    def test_without_a_program_it_samples_until_it_is_interrupted(self):
        for arguments, status in (((), 0), (("--seconds", "60"), INTERRUPTED)):
            process = self.start("monitor", "--format", "json", *arguments)
            while not catches(process, signal.SIGINT):
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            while waits_of_monitor(process) < 5:
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=900)
            self.assertEqual(process.returncode, status, err)
            self.assertGreater(json.loads(out)["samples"], 2)

    def test_wrong_requests_are_refused(self):
        for arguments in (("--rate", "0"), ("--rate", "5000"), ("--seconds", "-1"), ("--seconds", "1", "--", "true"), ("sleep", "1")):
            self.xsp("monitor", *arguments, status=USAGE)
        self.xsp("list", "--", "true", status=USAGE)
        self.assertIn("Example: xsp monitor", self.xsp("monitor", "--help")[0])


if __name__ == "__main__":
    if not XSP.exists():
        print("skipped: xsp is not built")
        sys.exit(77)
    unittest.main()
