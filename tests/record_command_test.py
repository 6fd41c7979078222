#!/usr/bin/env python3
"""`xsp record` as a user meets it: unchanged programs, in C, C++ threads, PyTorch, TensorFlow and ONNX Runtime, are what they were without
it (output, exit status, signals), and what they did is in the experiment."""
import functools
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

import python_modules

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
DEPS = ROOT / ".deps"
BAD_INPUT, USAGE = 3, 2

# A line as oneDNN prints one: 2 x 64 x 64 x 64 FLOPs.
LINE = (r"onednn_verbose,v1,primitive,exec,cpu,matmul,jit,undef,src:f32::blocked:ab::f0 wei:f32::blocked:ab::f0 dst:f32::blocked:ab::f0"
        r",,,64x64:64x64,0.25\n")


def python_with(module):
    """A Python that has the module, or None."""
    return python_modules.first_with((os.environ.get("XSP_PYTHON"), DEPS / "tensorflow/bin/python", DEPS / "oracles/bin/python", sys.executable),
                                     module)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


class RecordTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.environment = {**os.environ, "XSP_STORE": str(self.folder / "store")}
        for name in ("ONEDNN_VERBOSE", "DNNL_VERBOSE", "MKL_VERBOSE", "LD_PRELOAD"):
            self.environment.pop(name, None)

    def start(self, *arguments, **options):
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": self.environment,
                   "cwd": self.folder, **options}
        return subprocess.Popen([str(XSP), *map(str, arguments)], **options)

    def finish(self, process, status=0, text=b""):
        out, err = process.communicate(text, timeout=900)
        self.assertEqual(process.returncode, status, f"stdout: {out[-2000:]}\nstderr: {err[-3000:]}")
        return out.decode(), err.decode()

    def record(self, *arguments, status=0, text=b""):
        """Standard output of the program, and the summary."""
        out, _ = self.finish(self.start("record", "--no-roofs", "--format", "json", "--summary", "summary.json", *arguments), status, text)
        return out, json.loads((self.folder / "summary.json").read_text())

    def query(self, sql):
        return json.loads(self.finish(self.start("query", sql, "--format", "json"))[0])

    def counts(self, level, key="name"):
        rows = self.query(f"SELECT {key} AS k, count(*) AS n FROM span WHERE level = '{level}' GROUP BY ALL")
        return {row["k"]: row["n"] for row in rows}

    def program(self, code, compiler="cc", *flags):
        source = self.folder / "program.c"
        source.write_text(textwrap.dedent(code))
        subprocess.run([compiler, str(source), "-o", str(self.folder / "program"), *flags], check=True)
        return self.folder / "program"

    def script(self, code):
        path = self.folder / "script.py"
        path.write_text(textwrap.dedent(code))
        return path


class PlainProgramTest(RecordTest):
    """A C program that announces primitives as oneDNN does."""

    def setUp(self):
        super().setUp()
        self.announcer = self.program(f"""
            #include <signal.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/wait.h>
            #include <unistd.h>
            int main(int argc, char** argv) {{
              char line[100];
              printf("verbose is %s\\n", getenv("ONEDNN_VERBOSE") ? getenv("ONEDNN_VERBOSE") : "unset");
              if (argc > 1 && !strcmp(argv[1], "cat")) while (fgets(line, sizeof line, stdin)) fputs(line, stdout);
              printf("{LINE}");
              fflush(stdout);
              if (argc > 1 && !strcmp(argv[1], "abort")) abort();
              if (fork() == 0) {{ printf("{LINE}"); puts("child"); exit(0); }}
              wait(NULL);
              if (argc > 1 && !strcmp(argv[1], "exec")) execl(argv[0], argv[0], NULL);
              return 7;
            }}""")

    def test_what_it_announces_becomes_kernels_and_its_output_stays(self):
        out, summary = self.record("--", self.announcer, status=7)
        self.assertEqual(out, "verbose is 1\nchild\n")
        self.assertEqual(summary["program"], {"exit_code": 7, "signal": 0})
        self.assertEqual(summary["processes"], 2)
        self.assertEqual(summary["spans"]["kernel"], 2)
        kernels = self.query("SELECT name, flops, duration_ns FROM kernel")
        self.assertEqual([(row["flops"], row["duration_ns"]) for row in kernels], [(2 * 64 ** 3, 250000)] * 2)

    def test_input_reaches_it(self):
        out, _ = self.record("--", self.announcer, "cat", status=7, text=b"to be read\n")
        self.assertIn("to be read\n", out)

    def test_a_signal_that_ends_it_ends_us(self):
        _, summary = self.record("--", self.announcer, "abort", status=-signal.SIGABRT)
        self.assertEqual(summary["program"]["signal"], signal.SIGABRT)
        self.assertEqual(summary["spans"]["kernel"], 1, "what was recorded before the end")

    def test_a_program_that_becomes_another_is_recorded_on(self):
        _, summary = self.record("--", self.announcer, "exec", status=7)
        self.assertEqual(summary["spans"]["kernel"], 4)

    def test_announcements_that_the_user_asked_for_reach_him(self):
        self.environment["ONEDNN_VERBOSE"] = "1"
        out, summary = self.record("--", self.announcer, status=7)
        self.assertEqual(out.count("onednn_verbose"), 2)
        self.assertIn("ONEDNN_VERBOSE is set", summary["notes"][0])
        self.assertEqual(summary["spans"]["kernel"], 0)

    def test_a_static_program_runs_and_its_output_is_its_own(self):
        source = self.folder / "static.c"
        source.write_text('#include <stdio.h>\nint main(void) { puts("static"); return 4; }\n')
        subprocess.run(["cc", "-static", str(source), "-o", str(self.folder / "static")], check=True)
        out, summary = self.record("--", self.folder / "static", status=4)
        self.assertEqual(out, "static\n")
        self.assertEqual(summary["processes"], 0)
        self.assertIn("statically linked", summary["notes"][0])

    def test_files_that_it_puts_on_our_descriptor_are_its_own(self):
        kept = self.folder / "kept"
        kept.write_bytes(b"x" * 1_000_000)
        shell = "exec 3<>kept; for fd in /proc/self/fd/*; do fd=${fd##*/}; [ $fd -lt 4 ] || eval \"exec $fd<>kept\" 2>/dev/null; done; true"
        self.record("--", "bash", "-c", shell)
        self.assertEqual(kept.stat().st_size, 1_000_000)
        script = self.script("""
            import os
            os.closerange(3, 65536)
            files = [os.open("kept", os.O_RDWR) for _ in range(1000)]
            print(files[0])
            """)
        out, _ = self.record("--", sys.executable, script)
        self.assertEqual((out, kept.stat().st_size), ("3\n", 1_000_000))

    def test_a_program_whose_repetition_fails_has_no_overhead(self):
        _, summary = self.record("--overhead", "2", "--", "bash", "-c", "[ ! -e once ] && touch once")
        self.assertIsNone(summary["overhead"])
        self.assertTrue(any("failed with exit status 1" in note for note in summary["notes"]), summary["notes"])

    def test_wrong_use_and_programs_that_are_not_there(self):
        self.finish(self.start("record"), USAGE)
        self.finish(self.start("record", self.announcer), USAGE)
        self.finish(self.start("record", "--depth", "deep", "--", self.announcer), USAGE)
        self.finish(self.start("record", "--start-off", "--", self.announcer), USAGE)
        self.finish(self.start("record", "--toggle-signal", "KILL", "--", self.announcer), USAGE)
        self.finish(self.start("record", "--", self.folder / "nobody"), BAD_INPUT)
        self.assertEqual(list((self.folder / "store").glob("*/experiment.json")), [])

    def test_a_store_on_a_full_disk_keeps_the_recordings_and_says_where(self):
        self.environment["XSP_STORE"] = "/dev/full/store"
        self.finish(self.start("record", "--", self.announcer), 5)

    def full_disk_program(self):
        """Prints and announces 60,000 primitives: with their lines more than 12 MB."""
        return self.program(f"""
            #include <stdio.h>
            int main(void) {{
              for (int i = 0; i < 60000; ++i) printf("{LINE}");
              puts("all of it");
              return 7;
            }}
            """)

    def check_a_full_disk(self, process):
        out, err = self.finish(process, 7)
        self.assertEqual(out, "all of it\n")
        summary = json.loads((self.folder / "summary.json").read_text())
        kept = summary["spans"]["kernel"]
        self.assertGreater(kept, 1000, "what was recorded before it was full")
        self.assertLess(kept, 60000)
        lost = [row for row in self.query("SELECT name, count FROM diagnostic") if row["name"] == "xsp_recording_dropped"]
        self.assertEqual(len(lost), 1, "the loss is in the run")
        self.assertGreater(lost[0]["count"], 0)
        self.assertTrue(any(f"{lost[0]['count']} records are missing" in note for note in summary["notes"]), summary["notes"])
        # All that was kept is whole.
        rows = self.query("SELECT count(*) AS n, count(duration_ns) AS ended FROM span WHERE level = 'kernel'")[0]
        self.assertEqual(rows["n"], kept)
        self.assertGreaterEqual(rows["ended"], kept - 1)

    def test_a_disk_that_fills_while_recording_costs_the_rest_of_the_recording_only(self):
        program = self.full_disk_program()
        small = self.folder / "small"
        small.mkdir()
        mounts = ["unshare", "--user", "--map-root-user", "--mount"]
        mounted = f"mount -t tmpfs -o size=9m none {small}"
        if subprocess.run([*mounts, "sh", "-c", mounted], capture_output=True, check=False).returncode != 0:
            self.skipTest("no file system can be mounted here, not even in a name space of its own")
        inside = 'exec "$@"'
        process = subprocess.Popen(
            [*mounts, "sh", "-c", f"{mounted} && export TMPDIR={small} && {inside}", "sh", str(XSP), "record", "--no-roofs",
             "--format", "json", "--summary", "summary.json", "--", str(program)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment, cwd=self.folder)
        self.check_a_full_disk(process)

    def test_a_limit_of_file_sizes_that_is_hit_while_recording_does_the_same(self):
        program = self.full_disk_program()
        process = self.start("record", "--no-roofs", "--format", "json", "--summary", "summary.json", "--", "bash", "-c",
                             f"ulimit -f 9216; exec {program}")
        self.check_a_full_disk(process)

    def interrupt_overhead(self, after):
        """Ctrl-C in the run of that number: 0 is the recorded one whose tables are kept."""
        # Each run takes a line away once it is under way; SIGINT ends it as it ends any program.
        program = f"echo run >> {self.folder}/runs; [ $(wc -l < {self.folder}/runs) -gt {after} ] && sleep 60; sleep 1; exit 0"
        process = self.start("record", "--no-roofs", "--format", "json", "--summary", "summary.json", "--overhead", "50", "--", "bash", "-c",
                             program, start_new_session=True)
        runs = self.folder / "runs"
        for _ in range(1200):
            if runs.exists() and len(runs.read_text().splitlines()) > after:
                break
            time.sleep(0.05)
        # As a terminal does: to the whole group.
        os.killpg(process.pid, signal.SIGINT)
        self.finish(process, 130)
        return json.loads((self.folder / "summary.json").read_text())

    def test_an_interrupted_overhead_keeps_what_was_measured(self):
        summary = self.interrupt_overhead(after=3)
        overhead = summary["overhead"]
        self.assertGreaterEqual(len(overhead["bare_s"]), 1)
        self.assertLess(len(overhead["bare_s"]), 50)
        self.assertEqual(overhead["pairs_asked"], 50)
        self.assertGreater(min(overhead["bare_s"] + overhead["recorded_s"]), 0.9, "the run that was cut short does not count")
        self.assertTrue(any("of 50 requested: interrupted" in note for note in summary["notes"]), summary["notes"])
        self.assertEqual(self.query("SELECT rung FROM run"), [{"rung": "recorded"}])

    def test_an_overhead_interrupted_before_any_bare_run_is_not_known(self):
        summary = self.interrupt_overhead(after=1)
        self.assertIsNone(summary["overhead"])
        self.assertTrue(any("interrupted before a run without recording had ended" in note for note in summary["notes"]), summary["notes"])
        self.assertEqual(self.query("SELECT rung FROM run"), [{"rung": "recorded"}])

    def test_overhead_is_measured_in_turns(self):
        _, summary = self.record("--overhead", "3", "--", "true")
        self.assertEqual(len(summary["overhead"]["bare_s"]), 3)
        self.assertEqual(len(summary["overhead"]["recorded_s"]), 3)
        self.assertGreater(summary["overhead"]["ratio"], 0)
        self.assertLessEqual(summary["overhead"]["ratio_low"], summary["overhead"]["ratio_high"])
        run = self.query("SELECT overhead_ratio, overhead_ratio_low, baseline_ns FROM run")[0]
        self.assertAlmostEqual(run["overhead_ratio"], summary["overhead"]["ratio"] - 1, places=6)
        self.assertAlmostEqual(run["overhead_ratio_low"], summary["overhead"]["ratio_low"] - 1, places=6)
        self.assertIn("3 pairs of runs, alternating", summary["notes"][-2] + summary["notes"][-1])


class StacksTest(RecordTest):
    def test_native_stacks_show_the_hot_function_and_its_caller(self):
        program = self.program("""
            #include <time.h>
            static volatile unsigned long sum;
            __attribute__((noinline)) static void hot_loop(void) { for (int i = 0; i < 1000000; ++i) sum += i; }
            __attribute__((noinline)) static void caller(void) { hot_loop(); sum += 1; }
            int main(void) { for (clock_t end = clock() + CLOCKS_PER_SEC; clock() < end;) caller(); return 0; }
            """, "cc", "-O2")
        process = self.start("record", "--no-roofs", "--stacks", "199", "--", program)
        _, err = process.communicate(timeout=900)
        if process.returncode == 4:
            self.skipTest("the kernel forbids sampling here: " + err.decode().splitlines()[0])
        self.assertEqual(process.returncode, 0, err)
        rows = self.query("SELECT c.frame AS frame, p.frame AS caller, count(*) AS n FROM stack_sample s JOIN call_stack c ON c.id = s.call_stack_id "
                          "JOIN call_stack p ON p.id = c.parent_id WHERE s.kind = 'native' GROUP BY ALL ORDER BY n DESC")
        total = sum(row["n"] for row in rows)
        self.assertEqual((rows[0]["frame"], rows[0]["caller"]), ("hot_loop", "caller"))
        self.assertGreater(rows[0]["n"], 0.7 * total)
        # 199 a second of CPU time; a busy machine takes longer, not less.
        self.assertGreater(total, 100)


class WhenTest(RecordTest):
    """A program that announces a primitive every 20 ms, until it is told to stop."""

    def setUp(self):
        super().setUp()
        self.ticker = self.program(f"""
            #include <fcntl.h>
            #include <stdio.h>
            #include <stdlib.h>
            #include <unistd.h>
            int main(int argc, char** argv) {{
              int ticks = argc > 2 ? open(argv[2], O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;  // A byte a line.
              for (int i = 0; i < atoi(argv[1]); ++i) {{
                usleep(20000);
                printf("{LINE}");
                fflush(stdout);
                if (ticks >= 0 && write(ticks, ".", 1) != 1) return 1;
              }}
              return 0;
            }}""")

    def test_delay_and_duration(self):
        self.record("--delay", "0.5", "--duration", "0.5", "--", self.ticker, "100")
        rows = self.query("SELECT count(*) AS n, (max(start_ns) - min(start_ns)) / 1e9 AS s FROM span WHERE type = 'primitive'")[0]
        # 25 in half a second where the machine keeps up; of 100 in two seconds.
        self.assertGreater(rows["n"], 3)
        self.assertLess(rows["n"], 75)
        self.assertLess(rows["s"], 1.5)
        self.assertEqual([row["name"] for row in self.query("SELECT name FROM mark ORDER BY time_ns")], ["recording.on", "recording.off"])

    def test_a_signal_starts_and_stops(self):
        process = self.start("record", "--no-roofs", "--start-off", "--toggle-signal", "USR1", "--", self.ticker, "300", "ticks")
        ticks = self.folder / "ticks"

        def wait_for(count):
            while not ticks.exists() or ticks.stat().st_size < count:
                self.assertIsNone(process.poll())
                time.sleep(0.01)

        # Once it ticks, signals are taken; 50 of its lines lie between the two signals.
        for at in (10, 60):
            wait_for(at)
            process.send_signal(signal.SIGUSR1)
        self.finish(process)
        count = self.query("SELECT count(*) AS n FROM span WHERE type = 'primitive'")[0]["n"]
        # A signal works a little after it was sent: of 300 lines, 240 come after the second.
        self.assertGreater(count, 5)
        self.assertLess(count, 200)


@unittest.skipUnless(python_with("torch"), "no PyTorch here")
class TorchProgramTest(RecordTest):
    TRAINING = """
        import sys, torch
        torch.manual_seed(0)
        net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(8 * 30 * 30, 10))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        x, y = torch.randn(4, 3, 32, 32), torch.randint(0, 10, (4,))
        for i in range(7):
            optimizer.zero_grad()
            with torch.profiler.record_function("my part"):
                loss = torch.nn.functional.cross_entropy(net(x), y)
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            net(x)
            net(x)
        print(f"{float(loss.detach()):.4f}")
        sys.exit(3)
        """

    def test_layers_of_a_torchscript_module_have_their_path_alone_and_inside_of_a_model(self):
        if not list((BUILD / "lib").glob("libxsp-torch-*.so")):
            self.skipTest("the PyTorch worker was not built")
        script = self.script("""
            import torch
            from collections import OrderedDict
            def block():
                return torch.nn.Sequential(OrderedDict(conv=torch.nn.Conv2d(3, 3, 1), relu=torch.nn.ReLU()))
            class Outer(torch.nn.Module):
                def __init__(self, inner):
                    super().__init__()
                    self.stem, self.scripted = torch.nn.Conv2d(3, 3, 1), inner
                def forward(self, x):
                    return self.scripted(self.stem(x))
            scripted = torch.jit.script(torch.nn.Sequential(block(), block()))
            net, x = WHICH, torch.ones(1, 3, 8, 8)
            with torch.no_grad():
                for _ in range(12):
                    net(x)
            """.replace("WHICH", "scripted"))
        self.record("--", python_with("torch"), script)
        paths = [row["path"] for row in self.query("SELECT path FROM layer WHERE type = 'aten::conv2d' ORDER BY layer_index")]
        self.assertEqual(paths, ["0.conv", "1.conv"])
        script.write_text(script.read_text().replace("net, x = scripted,", "net, x = Outer(scripted),"))
        self.record("--", python_with("torch"), script)
        paths = [row["path"] for row in self.query("SELECT path FROM layer WHERE type = 'aten::conv2d' ORDER BY layer_index")]
        self.assertEqual(paths, ["stem", "scripted.0.conv", "scripted.1.conv"])

    def test_compilation_is_a_span_of_its_own_and_not_of_the_compiled_function(self):
        script = self.script("""
            import torch
            @torch.compile(backend="eager", dynamic=False)
            def double(x):
                return x + x
            for size in (2, 2, 3):
                print(double(torch.ones(size)).sum().item())
            """)
        out, _ = self.record("--", python_with("torch"), script)
        self.assertEqual(out, "4.0\n4.0\n6.0\n")
        self.assertEqual(self.counts("library", "type || ' ' || name").get("compile torch.compile"), 2, "one a shape")

    @classmethod
    @functools.cache
    def trained_without_us(cls):
        return subprocess.run([python_with("torch"), "-c", textwrap.dedent(cls.TRAINING)], capture_output=True, text=True, check=False)

    def train(self, *options):
        plain = self.trained_without_us()
        self.assertEqual(plain.returncode, 3, plain.stderr)
        out, summary = self.record(*options, "--", python_with("torch"), self.script(self.TRAINING), status=3)
        self.assertEqual(out, plain.stdout, "the same loss, and nothing else")
        return summary

    def test_steps_phases_operators_and_primitives_of_training(self):
        if not list((BUILD / "lib").glob("libxsp-torch-*.so")):
            self.skipTest("the PyTorch worker was not built")
        self.train()
        self.assertEqual(self.counts("model", "type || ' ' || name"), {"train step": 7, "predict Sequential": 2})
        ranges = self.counts("application")
        for name in ("forward", "backward", "optimizer", "my part"):
            self.assertEqual(ranges[name], 7, name)
        layers = self.counts("layer")
        self.assertEqual(layers["aten::conv2d"], 9)
        self.assertEqual(layers["ConvolutionBackward0"], 7)
        self.assertFalse([name for name in layers if name.startswith("autograd::engine")])
        # Backward is on one thread on a CPU: every operator of a step lies in it.
        inside = self.query("""
            WITH RECURSIVE up AS (
              SELECT id, parent_id, id AS leaf FROM span WHERE name = 'ConvolutionBackward0'
              UNION ALL SELECT s.id, s.parent_id, up.leaf FROM span s JOIN up ON s.id = up.parent_id)
            SELECT count(DISTINCT leaf) AS n FROM up JOIN span s ON s.id = up.id WHERE s.type = 'train'""")[0]["n"]
        self.assertEqual(inside, 7)
        convolutions = self.query("SELECT count(*) AS n FROM span WHERE level = 'kernel' AND name LIKE 'convolution%'")[0]["n"]
        self.assertEqual(convolutions, 9 + 7, "forward, and backward by weights: the input needs no gradient")
        self.assertEqual(self.query("SELECT count(*) AS n FROM sample")[0]["n"], 7)
        types = {row["type"] for row in self.query("SELECT DISTINCT type FROM layer")}
        self.assertIn("ConvolutionBackward0", types)

    def test_layers_have_the_paths_of_their_modules(self):
        if not list((BUILD / "lib").glob("libxsp-torch-*.so")):
            self.skipTest("the PyTorch worker was not built")
        script = self.script("""
            import io, pickle, torch
            class Block(torch.nn.Module):
                def __init__(self):
                    super().__init__()
                    self.conv, self.relu = torch.nn.Conv2d(3, 3, 1), torch.nn.ReLU()
                def forward(self, x):
                    return self.relu(self.conv(x)) + x
            class Net(torch.nn.Module):
                def __init__(self):
                    super().__init__()
                    self.blocks, self.fc = torch.nn.Sequential(Block(), Block()), None
                def forward(self, x):
                    x = self.blocks(x).flatten(1)
                    if self.fc is None:  # A module that comes with the first call.
                        self.fc = torch.nn.Linear(x.shape[1], 2)
                    return self.fc(x)
            net = Net()
            net(torch.ones(1, 3, 4, 4))
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for i in range(300):  # The layers are those of what takes most time, and a first call can be slow.
                net(torch.ones(1, 3, 4, 4)).sum().backward()
                optimizer.step()
            torch.save(net.state_dict(), io.BytesIO())
            pickle.dumps(net.blocks[0].conv)
            """)
        self.record("--", python_with("torch"), script)
        paths = {row["type"]: row["paths"] for row in self.query(
            "SELECT type, string_agg(coalesce(path, '-'), ' ' ORDER BY layer_index) AS paths FROM layer GROUP BY type")}
        self.assertEqual(paths["aten::conv2d"], "blocks.0.conv blocks.1.conv")
        self.assertEqual(paths["aten::relu"], "blocks.0.relu blocks.1.relu")
        self.assertEqual(paths["aten::add"], "blocks.0 blocks.1 -", "the last one adds gradients up")
        self.assertEqual((paths["aten::linear"], paths["aten::flatten"]), ("fc", "-"))
        # The gradient of an operator is of the same place, and comes in reverse.
        self.assertEqual(paths["ConvolutionBackward0"], "blocks.1.conv blocks.0.conv")
        self.assertEqual(paths["AddmmBackward0"], "fc")
        names = {row["name"] for row in self.query("SELECT name FROM layer")}
        self.assertIn("fc AddmmBackward0", names)
        self.assertEqual(self.counts("layer", "type || ' ' || name")["module blocks.0.conv"], 301)

    def test_a_range_alone_is_recorded(self):
        if not list((BUILD / "lib").glob("libxsp-torch-*.so")):
            self.skipTest("the PyTorch worker was not built")
        self.train("--range", "my part")
        ranges = self.counts("application")
        self.assertEqual((ranges["my part"], ranges["forward"]), (7, 7))
        self.assertNotIn("backward", ranges)
        layers = self.counts("layer")
        self.assertEqual(layers["aten::conv2d"], 7, "not the two calls after the training")
        self.assertFalse([name for name in layers if "Backward" in name])

    def test_the_depth_model_has_no_operators(self):
        summary = self.train("--depth", "model")
        self.assertEqual((summary["spans"]["layer"], summary["spans"]["kernel"]), (0, 0))
        self.assertEqual(summary["spans"]["model"], 9)

    def test_calls_of_all_threads_and_of_compiled_models_are_seen_and_compilers_see_no_trace_of_us(self):
        script = self.script("""
            import threading, torch
            graphs = []
            def backend(graph, inputs):
                graphs.append(graph)
                return graph.forward
            net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.ReLU())
            net[1].register_forward_hook(lambda module, args, out: out + 1)  # So that PyTorch follows __call__ itself.
            x, both = torch.ones(2, 4), threading.Barrier(2)
            class Waits(torch.nn.Module):
                def forward(self, x):
                    both.wait(60)  # Both calls are open at once.
                    return net(x)
            waits = Waits()
            with torch.no_grad():
                threads = [threading.Thread(target=waits, args=(x,)) for _ in range(2)]
                [thread.start() for thread in threads]
                [thread.join() for thread in threads]
                compiled = torch.compile(lambda x: net(x) * 2, backend=backend, fullgraph=True)  # Fails where it cannot follow.
                same = torch.allclose(compiled(x), 2 * net(x))
            print(len(graphs), same)
            """)
        out, _ = self.record("--depth", "model", "--", python_with("torch"), script)
        self.assertEqual(out, "1 True\n")
        self.assertEqual(self.counts("model"), {"Waits": 2, "Sequential": 1})

    def test_what_the_program_finds_of_us_is_nothing(self):
        (self.folder / "mine").mkdir()
        (self.folder / "mine" / "sitecustomize.py").write_text("import builtins\nbuiltins.was_mine = True\n")
        self.environment["PYTHONPATH"] = str(self.folder / "mine")
        script = self.script("""
            import builtins, sys
            print(builtins.was_mine, [entry for entry in sys.path if "python_hook" in entry], sys.modules["sitecustomize"].__file__)
            """)
        out, _ = self.record("--", python_with("torch"), script)
        self.assertEqual(out, f"True [] {self.folder}/mine/sitecustomize.py\n")

    def test_several_processes_of_a_job(self):
        self.environment.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=free_port(), GLOO_SOCKET_IFNAME="lo")
        script = self.script("""
            import os, torch, torch.distributed as d, torch.multiprocessing as m
            def work(rank):
                d.init_process_group("gloo", rank=rank, world_size=2)
                t = torch.ones(8) * rank
                d.all_reduce(t)
                torch.mm(torch.ones(64, 64), torch.ones(64, 64))
                os.write(1, b"%.1f\\n" % t[0])  # Whole: an unbuffered print() writes the end of the line by itself.
                d.destroy_process_group()
                os._exit(0)  # Without recording, too, gloo's threads abort one exit in ten.
            if __name__ == "__main__":
                m.spawn(work, nprocs=2)
            """)
        out, summary = self.record("--", python_with("torch"), script)
        self.assertEqual(out.split(), ["1.0", "1.0"])
        self.assertGreaterEqual(summary["processes"], 3)
        rows = self.query("SELECT count(DISTINCT t.process_id) AS n FROM span s JOIN track t ON t.id = s.track_id WHERE s.name = 'aten::mm'")
        self.assertEqual(rows[0]["n"], 2)

    def test_ranks_of_torchrun(self):
        self.environment["GLOO_SOCKET_IFNAME"] = "lo"
        script = self.script("""
            import os, torch, torch.distributed as d
            d.init_process_group("gloo")
            net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(16, 4))
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for _ in range(3):
                net(torch.randn(8, 16)).sum().backward()
                optimizer.step()
            d.destroy_process_group()
            os._exit(0)  # Without recording, too, gloo's threads abort one exit in ten.
            """)
        _, summary = self.record("--", python_with("torch"), "-m", "torch.distributed.run", "--nproc-per-node", "2", "--master-port", free_port(),
                                 script)
        self.assertGreaterEqual(summary["processes"], 3)
        steps = self.query("SELECT rank, count(*) AS n FROM step GROUP BY rank ORDER BY rank")
        self.assertEqual(steps, [{"rank": 0, "n": 3}, {"rank": 1, "n": 3}])


@unittest.skipUnless(python_with("tensorflow"), "no TensorFlow here")
class TensorFlowProgramTest(RecordTest):
    def test_calls_of_compiled_functions_and_primitives(self):
        script = self.script("""
            import os
            os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1"  # By itself only on CPUs with AVX512-VNNI or better.
            import tensorflow as tf
            model = tf.keras.Sequential([tf.keras.layers.Input((16, 16, 3)), tf.keras.layers.Conv2D(8, 3), tf.keras.layers.Flatten(),
                                         tf.keras.layers.Dense(4)])
            model.compile(optimizer="sgd", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
            x, y = tf.random.normal((32, 16, 16, 3)), tf.zeros((32,), tf.int32)
            model.fit(x, y, epochs=3, batch_size=8, verbose=0)
            print(model.predict(x, batch_size=8, verbose=0).shape)
            """)
        out, _ = self.record("--", python_with("tensorflow"), script)
        self.assertEqual(out, "(32, 4)\n")
        self.assertEqual(self.counts("model", "type"), {"train": 12, "predict": 4})
        self.assertEqual(self.counts("application"), {"fit": 1, "predict": 1})
        kinds = self.query("SELECT name FROM span WHERE level = 'kernel'")
        self.assertGreaterEqual(sum(row["name"].startswith("convolution") for row in kinds), 16)


@unittest.skipUnless(python_with("jax"), "no JAX here")
class JaxTest(RecordTest):
    PROGRAM = """
        import copy
        import functools
        import jax
        import jax.numpy as jnp

        @jax.jit
        def train_step(w, x):
            return w - 0.1 * jax.grad(lambda w: ((x @ w) ** 2).mean())(w)

        class Model:
            @functools.partial(jax.jit, static_argnums=0)
            def apply(self, x):
                return inner(x) * 2

        @jax.jit
        def inner(x):
            return x + 1

        w, x = jnp.ones((256, 256)) / 256, jnp.ones((256, 256))
        for _ in range(5):
            w = train_step(w, x)
        print(Model().apply(jnp.ones(3)), jax.vmap(inner)(jnp.ones((2, 2))), jax.grad(lambda v: inner(v).sum())(jnp.ones(3)))
        print(jax.make_jaxpr(inner)(1.0), train_step.lower(w, x).compile() is not None, train_step.__name__)
        print(inner.__wrapped__(1), type(copy.copy(inner)).__name__, isinstance(inner, jax.stages.Wrapped))
        print(float(jax.block_until_ready(w).sum()))
        """

    def test_calls_compilation_and_primitives(self):
        python, script = python_with("jax"), self.script(self.PROGRAM)
        out, _ = self.record("--", python, script)
        bare = subprocess.run([python, script], capture_output=True, text=True, check=True, env=self.environment)
        self.assertEqual(out, bare.stdout)
        self.assertEqual(self.query("SELECT type FROM span WHERE name = 'train_step' AND level = 'model'"), [{"type": "train"}] * 5)
        # Of functions that call each other the outermost counts.
        self.assertEqual(self.counts("model")["apply"], 1)
        self.assertGreaterEqual(self.counts("library", "type")["compile"], 3)
        self.assertGreaterEqual(self.counts("kernel", "type").get("primitive", 0), 5)


@unittest.skipUnless(python_with("onnxruntime") and python_with("torch"), "no ONNX Runtime or no PyTorch to export with here")
class OnnxRuntimeProgramTest(RecordTest):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.model = pathlib.Path(temporary.name) / "net.onnx"
        export = """
            import sys, torch
            net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(8 * 14 * 14, 10))
            torch.onnx.export(net.eval(), torch.zeros(1, 3, 16, 16), sys.argv[1], dynamo=False)
            """
        subprocess.run([python_with("torch"), "-c", textwrap.dedent(export), cls.model], check=True, capture_output=True)

    def setUp(self):
        super().setUp()
        shutil.copy(self.model, self.folder)

    def run_session(self, extra="", calls=5):
        script = self.script(f"""
            import numpy, onnxruntime
            options = onnxruntime.SessionOptions()
            {extra}
            session = onnxruntime.InferenceSession("net.onnx", options, providers=["CPUExecutionProvider"])
            for _ in range({calls}):
                y = session.run(None, {{session.get_inputs()[0].name: numpy.zeros((1, 3, 16, 16), numpy.float32)}})
            print(y[0].shape, options.enable_profiling)
            """)
        return self.record("--", python_with("onnxruntime"), script)

    def test_calls_and_their_nodes(self):
        out, summary = self.run_session()
        self.assertEqual(out, "(1, 10) False\n")
        self.assertEqual(self.counts("model", "type || ' ' || name"), {"predict net.onnx": 5})
        types = self.counts("layer", "type")
        self.assertEqual(sum(count for name, count in types.items() if "Conv" in name), 5)
        self.assertEqual(sum(count for name, count in types.items() if "Gemm" in name), 5)
        outside = self.query("SELECT count(*) AS n FROM span s JOIN span p ON p.id = s.parent_id WHERE s.level = 'layer' AND "
                             "(s.start_ns < p.start_ns OR s.start_ns + s.duration_ns > p.start_ns + p.duration_ns)")
        self.assertEqual(outside[0]["n"], 0)
        self.assertEqual(list(self.folder.glob("onnxruntime*.json")), [])

    def test_later_calls_run_without_the_profiler_and_give_the_latency(self):
        # The hook's limits are 100 calls and a second; here it is the calls that count.
        hook = "import sys; sys.modules['xsp_hook.after_onnxruntime']._PROFILED_NS = 0"
        out, summary = self.run_session(hook, calls=250)
        self.assertEqual(self.counts("model"), {"net.onnx": 250})
        profiled = self.query("SELECT count(DISTINCT s.parent_id) AS n FROM span s WHERE s.level = 'layer'")
        self.assertEqual(profiled[0]["n"], 100)
        run, = self.query("SELECT samples, overhead_basis, baseline_ns, r.latency_ns, p.latency_ns AS point_ns FROM run r JOIN point p USING (point_id)")
        self.assertEqual((run["samples"], run["overhead_basis"]), (100, "first and later calls"))
        self.assertAlmostEqual(run["point_ns"], run["baseline_ns"], delta=0.05 * run["baseline_ns"])
        self.assertGreater(run["latency_ns"], run["baseline_ns"])

    def test_a_profile_that_cannot_be_ended_does_not_fail_the_program(self):
        hook = ("import sys; sys.modules['xsp_hook.after_onnxruntime']._PROFILED_NS = 0\n"
                "            def refuse(self): raise RuntimeError('not now')\n"
                "            onnxruntime.InferenceSession.end_profiling = refuse")
        out, summary = self.run_session(hook, calls=120)
        self.assertEqual(out, "(1, 10) False\n")
        self.assertEqual(self.counts("model"), {"net.onnx": 120})
        problems = self.query("SELECT count(*) AS n FROM diagnostic WHERE name LIKE '%onnxruntime_profile_not_ended%'")
        self.assertEqual(problems[0]["n"], 1)

    def test_a_session_that_the_program_profiles_is_left_alone(self):
        out, summary = self.run_session("options.enable_profiling = True")
        self.assertEqual(out, "(1, 10) True\n")
        self.assertEqual(summary["spans"]["layer"], 0)
        self.assertEqual(summary["spans"]["model"], 5)
        self.assertEqual(len(list(self.folder.glob("onnxruntime*.json"))), 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
