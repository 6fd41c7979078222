#!/usr/bin/env python3
"""`xsp sweep --executor slurm` on a real Slurm (slurm_cluster.py): job arrays, a node that dies, preemption, time limits, cancelled
sweeps, a full store, constraints, and jobs that sbatch refuses. With the toy framework of workers/example."""
import json
import os
import pathlib
import signal
import subprocess
import unittest

import slurm_cluster
from slurm_case import BAD_INPUT, ENVIRONMENT, INTERRUPTED, NOT_POSSIBLE, USAGE, SlurmCase, main

WHOLE = os.environ.get("XSP_SLURM") == "all"  # Also what waits long for Slurm.

QUICK = "settings: {iterations: 5, depth: model, no_roofs: true, monitor_rate: 0}\n"
FOUR = "models: [m.toy]\nbackends: [example]\nbatches: [1, 2, 3, 4]\n" + QUICK
PARTITIONS = "\n".join(f"PartitionName={name} Nodes=node1 PriorityTier={tier} PreemptMode={mode} State=UP"
                       for name, tier, mode in (("low", 1, "REQUEUE"), ("high", 10, "OFF")))


def own_feature():
    """An instruction set of this machine's processor, as `xsp system` and a cluster's nodes call it."""
    flags = next((line for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("flags")), "")
    return next((name for name in ("avx512f", "avx2", "avx") if f" {name}" in flags), None)


class SlurmSweepTest(SlurmCase):
    nodes = [["a"], ["a", *([own_feature()] if own_feature() else [])], ["b"], ["b"]]
    partitions = PARTITIONS
    settings = "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE"

    def sweep(self, *arguments, status=0, **environment):
        return json.loads(self.xsp("sweep", "s.yaml", "--executor", "slurm", *arguments, "--format", "json", status=status, **environment)[0])

    def start(self, *arguments):
        return self.popen("sweep", "s.yaml", "--executor", "slurm", *arguments, "--format", "json")

    def statuses(self, document):
        return [point["status"] for point in document["points"]]

    def assert_four_are_measured_once(self, document):
        """Stored is what a task measured before the command that follows it looked."""
        self.assertEqual(len(document["points"]), 4)
        self.assertLessEqual(set(self.statuses(document)), {"measured", "stored"})
        self.assertEqual((self.starts(), len(self.experiments())), (4, 4))

    def test_array_with_a_limit_measures_every_point_once(self):
        self.write("s.yaml", FOUR.replace("3, 4", "3, 4, 5, 6"))
        self.hold()
        plan = self.sweep("--plan")
        self.assertEqual((self.statuses(plan), self.store.exists()), (["missing"] * 6, False))
        with self.start("--limit", "3") as process:
            self.wait_until(lambda: self.starts() == 3, process)
            # Tasks are called after their points, in squeue, while they run.
            self.assertEqual(sorted(name for _, name, state, _ in self.queue() if state == "RUNNING"),
                             [f"xsp s: m-example-b{batch}" for batch in (1, 2, 3)])
            self.assertEqual(self.states().count("PENDING"), 3)
            self.release()
            document, _ = self.end(process)
        self.assertEqual((document["status"], self.statuses(document)), ("done", ["measured"] * 6))
        self.assertEqual([(job["machine"], job["points"]) for job in document["jobs"]], [(None, 6)])
        self.assertEqual(self.experiments(), {f"s-m-example-b{batch}": "done" for batch in range(1, 7)})
        for point in document["points"]:
            rows = json.loads(self.xsp("query", point["experiment"], "SELECT * FROM point", "--format", "json")[0])
            self.assertEqual((rows[0]["batch"], rows[0]["latency_ns"]), (point["batch"], point["latency_ns"]))
        self.assertEqual((self.starts(), len(list(self.store.glob(".sweep-jobs/s/1/*.log")))), (6, 6))
        again = self.sweep()
        self.assertEqual((self.statuses(again), again["jobs"], self.starts()), (["stored"] * 6, [], 6))
        # On this machine, which is that of the nodes, too.
        here = json.loads(self.xsp("sweep", "s.yaml", "--plan", "--format", "json")[0])
        self.assertEqual(self.statuses(here), ["stored"] * 6)
        # What is added to the sweep is all that is submitted.
        self.write("s.yaml", FOUR.replace("3, 4", "3, 4, 5, 6, 7"))
        more = self.sweep()
        self.assertEqual((self.statuses(more), self.starts()), (["stored"] * 6 + ["measured"], 7))
        self.assertEqual(self.statuses(self.sweep("--again")), ["measured"] * 7)
        self.assertEqual(len(self.experiments()), 14)

    def test_detached_sweep_is_followed_later(self):
        self.write("s.yaml", FOUR)
        self.hold()
        document = self.sweep("--detach", "--limit", "2")
        self.assertEqual((document["status"], self.statuses(document)), ("submitted", ["queued"] * 4))
        out, _ = self.xsp("sweep", "s.yaml", "--executor", "slurm", "--detach")
        self.assertIn(f"scancel {document['jobs'][0]['job']}", out)
        self.wait_until(lambda: self.starts() == 2)
        plan = self.sweep("--plan")
        self.assertEqual(sorted(self.statuses(plan)), ["queued"] * 2 + ["running"] * 2)
        with self.start() as process:
            self.release()
            followed, _ = self.end(process)
        self.assert_four_are_measured_once(followed)
        self.assertLessEqual({job["job"] for job in followed["jobs"]}, {job["job"] for job in document["jobs"]})

    def test_point_that_a_task_stores_while_it_is_planned_is_not_submitted_again(self):
        self.write("s.yaml", FOUR)
        self.hold()
        jobs = self.sweep("--detach")["jobs"]
        self.wait_until(lambda: self.starts() == 4)
        # The tasks end between the moment at which the store is read and the one at which the queue is.
        (self.folder / "slow").mkdir()
        squeue, real = self.folder / "slow/squeue", slurm_cluster.path_of("squeue")
        squeue.write_text(f'#!/bin/sh\ntouch {self.folder}/released\nwhile [ -n "$({real} -h -o %i)" ]; do sleep 0.05; done\nexec {real} "$@"\n')
        squeue.chmod(0o755)
        followed = self.sweep(PATH=f"{squeue.parent}:{os.environ['PATH']}")
        self.assertEqual((self.statuses(followed), followed["jobs"], len(jobs)), (["stored"] * 4, [], 1))
        self.assert_four_are_measured_once(followed)

    @unittest.skipUnless(WHOLE, "only with XSP_SLURM=all")
    def test_node_that_dies_costs_a_new_attempt(self):
        self.write("s.yaml", FOUR)
        self.hold()
        with self.start() as process:
            self.wait_until(lambda: self.starts() == 4, process)
            self.cluster.kill_node("node3")
            self.release()
            self.wait_until(lambda: len(self.experiments()) == 3, process)
            self.wait_until(lambda: "PENDING" in self.states(), process)
            self.assertTrue(self.cluster.node_states()["node3"].startswith("down"))
            self.cluster.start_at_once()
            document, _ = self.end(process)
        self.assertEqual((self.statuses(document), self.starts()), (["measured"] * 4, 5))
        self.assertEqual(self.experiments(), {f"s-m-example-b{batch}": "done" for batch in (1, 2, 3, 4)})
        self.cluster.start_node("node3")
        self.wait_until(lambda: self.cluster.node_states()["node3"] == "idle")

    @unittest.skipUnless(WHOLE, "only with XSP_SLURM=all")
    def test_preempted_task_keeps_what_it_measured_and_comes_again(self):
        self.write("s.yaml", FOUR.replace("1, 2, 3, 4", "1").replace("iterations: 5", "precision_target: 0.0001%, time_limit: 6"))
        with self.start("--partition", "low") as process:
            self.wait_until(lambda: self.starts() == 1, process)
            task = next(id for id, _, state, _ in self.queue() if state == "RUNNING")
            self.cluster.run("sbatch", "--partition=high", "--exclusive", "--output=/dev/null", "--wrap=exit 0")
            self.wait_until(lambda: self.experiments(), process)
            self.assertEqual(list(self.experiments().values()), ["interrupted"], [file.read_text() for file in self.store.glob("*/experiment.json")])
            name = next(iter(self.experiments()))
            calls = json.loads(self.xsp("query", name, "SELECT count(*) AS n FROM point WHERE latency_ns > 0", "--format", "json")[0])
            self.assertEqual(calls[0]["n"], 1)
            self.wait_until(lambda: self.starts() == 2 or [task, "PENDING"] in [[id, state] for id, _, state, _ in self.queue()], process)
            self.cluster.start_at_once()
            document, _ = self.end(process)
        self.assertEqual((self.statuses(document), self.starts()), (["measured"], 2), task)
        self.assertEqual(self.experiments(), {"s-m-example-b1": "done"})

    def test_task_that_is_asked_to_stop_is_interrupted(self):
        self.write("s.yaml", FOUR.replace("1, 2, 3, 4", "1").replace("iterations: 5", "precision_target: 0.0001%, time_limit: 60"))
        with self.start() as process:
            self.wait_until(lambda: self.starts() == 1, process)
            job = next(id for id, _, state, _ in self.queue() if state == "RUNNING")
            # As the time limit does: to the script alone.
            self.cluster.run("scancel", "--signal=TERM", "--batch", job)
            document, err = self.end(process, ENVIRONMENT)
        # What was measured is stored; before the first sample there is nothing.
        kept = list(self.experiments().values())
        self.assertEqual((document["status"], self.statuses(document)), ("partial", kept or ["missing"]))
        self.assertLessEqual(set(kept), {"interrupted"})
        self.assertIn("asked to stop", err)

    def test_cancelled_job_leaves_points_missing_with_the_reason(self):
        self.write("s.yaml", FOUR)
        self.hold()
        with self.start("--limit", "2") as process:
            self.wait_until(lambda: self.starts() == 2, process)
            self.cluster.run("scancel", self.queue()[0][0].split("_")[0])
            document, err = self.end(process, ENVIRONMENT)
        self.assertEqual(document["status"], "partial")
        self.assertEqual(self.statuses(document)[2:], ["missing"] * 2)
        for point in document["points"]:
            self.assertIn("the job was cancelled", point["why"])
        self.assertIn("the job was cancelled", err)
        self.release()
        self.assertEqual(self.statuses(self.sweep()), ["measured"] * 4)

    def test_interrupted_sweep_cancels_its_jobs_and_goes_on_later(self):
        self.write("s.yaml", FOUR)
        self.hold()
        with self.start("--limit", "2") as process:
            self.wait_until(lambda: self.starts() == 2, process)
            process.send_signal(signal.SIGINT)
            document, _ = self.end(process, INTERRUPTED)
        self.assertEqual((document["status"], self.statuses(document)[2:]), ("interrupted", ["missing"] * 2))
        self.wait_until(lambda: set(self.states()) <= {"CANCELLED"})
        self.release()
        self.assertEqual(self.statuses(self.sweep()), ["measured"] * 4)
        self.assertEqual(self.experiments(), {f"s-m-example-b{batch}": "done" for batch in (1, 2, 3, 4)})

    def test_killed_sweep_finds_its_jobs_again(self):
        self.write("s.yaml", FOUR)
        self.hold()
        with self.start() as process:
            self.wait_until(lambda: self.starts() == 4, process)
            process.kill()
        self.assertEqual(self.statuses(self.sweep("--plan")), ["running"] * 4)
        # Another request under the same name is another point.
        self.write("s.yaml", FOUR.replace("iterations: 5", "iterations: 6"))
        self.assertEqual(self.statuses(self.sweep("--plan")), ["missing"] * 4)
        self.write("s.yaml", FOUR)
        self.release()
        self.assert_four_are_measured_once(self.sweep())

    def test_two_calls_at_once_measure_each_point_once(self):
        self.write("s.yaml", FOUR)
        self.hold()
        with self.start() as one, self.start() as two:
            self.wait_until(lambda: self.starts() == 4)
            self.release()
            answers = [self.end(process)[0] for process in (one, two)]
        for document in answers:
            self.assert_four_are_measured_once(document)

    def test_failed_point_costs_itself_only_and_says_why(self):
        self.write("bad.toy", "input 4 4\nno_such_layer 3\n")
        self.write("s.yaml", FOUR.replace("[m.toy]", "[bad.toy, m.toy]").replace("1, 2, 3, 4", "1"))
        out, err = self.xsp("sweep", "s.yaml", "--executor", "slurm", "--format", "json", status=BAD_INPUT)
        document = json.loads(out)
        self.assertEqual((document["status"], self.statuses(document)), ("partial", ["failed", "measured"]))
        self.assertIn("line 2 of ", document["points"][0]["why"])
        self.assertIn("line 2 of ", err)

    @unittest.skipUnless(WHOLE, "only with XSP_SLURM=all")
    def test_full_store_fails_the_point_and_loses_nothing(self):
        self.store = self.folder / "full"
        self.store.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(self.store)], capture_output=True).returncode != 0:
            self.skipTest("no tmpfs can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(self.store)], check=True)
        self.environment["XSP_STORE"] = str(self.store)
        self.write("s.yaml", FOUR.replace("1, 2, 3, 4", "1"))
        self.assertEqual(self.statuses(self.sweep()), ["measured"])
        self.write("s.yaml", FOUR.replace("1, 2, 3, 4", "1, 2"))
        self.hold()
        with self.start() as process:
            self.wait_until(lambda: self.starts() == 2, process)
            filler = self.store / "filler"
            with self.assertRaises(OSError), open(filler, "wb", buffering=0) as file:
                while True:
                    file.write(bytes(1 << 16))
            self.release()
            document, err = self.end(process, ENVIRONMENT)
        self.assertEqual(self.statuses(document), ["stored", "failed"])
        self.assertRegex(document["points"][1]["why"], "(?i)no space left|disk .*full")
        filler.unlink()
        self.assertEqual(self.experiments(), {"s-m-example-b1": "done"})
        self.assertEqual(self.statuses(self.sweep()), ["stored", "measured"])

    def test_points_are_measured_on_the_machines_they_are_for(self):
        feature = own_feature()
        machines = "machines:\n  - {name: one, slurm: {constraint: b}}\n"
        if feature:
            machines += f"  - {{name: two, features: [{feature}]}}\n"
        self.write("s.yaml", FOUR.replace("1, 2, 3, 4", "1, 2, 3") + machines)
        document = self.sweep()
        # Where both are for one machine, the second finds what the first has stored.
        self.assertLessEqual(set(self.statuses(document)), {"measured", "stored"})
        jobs = {job["machine"]: job["job"] for job in document["jobs"]}
        nodes = {}
        for id, _, _, node in self.queue():
            nodes.setdefault(id.split("_")[0], set()).add(node)
        self.assertLessEqual(nodes[jobs["one"]], {"node3", "node4"})
        if feature:
            self.assertEqual(nodes[jobs["two"]], {"node2"})

    def test_node_that_is_no_such_machine_fails_the_point(self):
        other = "aarch64" if os.uname().machine != "aarch64" else "x86_64"
        self.write("s.yaml", FOUR.replace("1, 2, 3, 4", "1") + f"machines:\n  - {{name: other, architecture: {other}}}\n")
        out, err = self.xsp("sweep", "s.yaml", "--executor", "slurm", "--format", "json", status=NOT_POSSIBLE)
        self.assertEqual(self.statuses(json.loads(out)), ["failed"])
        self.assertIn(f"Slurm has no name for architecture {other}", err)
        self.assertIn(f"not {other}", err)
        self.assertEqual(self.starts(), 0)

    def test_submitting_machine_needs_no_worker(self):
        self.write("s.yaml", FOUR.replace("1, 2, 3, 4", "1"))
        nodes = f"export=ALL,XSP_WORKER_PATH={self.folder}/workers"
        empty = self.folder / "empty"
        empty.mkdir()
        document = self.sweep("--slurm-option", nodes, XSP_WORKER_PATH=str(empty))
        self.assertEqual(self.statuses(document), ["measured"])
        again = self.sweep("--slurm-option", nodes, XSP_WORKER_PATH=str(empty))
        self.assertEqual((self.statuses(again), self.starts()), (["stored"], 1))

    def test_what_sbatch_refuses_is_shown_and_leaves_nothing(self):
        self.write("s.yaml", FOUR)
        for arguments, words in ((["--partition", "none"], "Invalid partition name"), (["--slurm-option", "mem=9000000M"], "Memory"),
                                 (["--slurm-option", "no-such-option=1"], "no-such-option")):
            with self.subTest(words):
                err = self.xsp("sweep", "s.yaml", "--executor", "slurm", *arguments, status=BAD_INPUT)[1]
                self.assertIn("sbatch refuses the jobs", err)
                self.assertIn(words, err)
                self.assertEqual(list(self.store.glob(".sweep-jobs/s/[0-9]*")), [])
        self.write("s.yaml", FOUR.replace("1, 2, 3, 4", "1") + "machines: [{name: x, slurm: {constraint: zzz}}, {name: y}]\n")
        out, err = self.xsp("sweep", "s.yaml", "--executor", "slurm", "--format", "json", status=BAD_INPUT)
        self.assertEqual(self.statuses(json.loads(out)), ["failed", "measured"])
        self.assertIn("Invalid feature specification", err)

    def test_wrong_options_and_a_machine_without_slurm(self):
        self.write("s.yaml", FOUR)
        for arguments, status, words in ((["--executor", "slurm", "--slurm-option", "array=1"], USAGE, "array"),
                                         (["--executor", "slurm", "--slurm-option", "--x"], USAGE, "without dashes"),
                                         (["--executor", "pbs"], USAGE, "pbs"), (["--detach"], USAGE, "--executor slurm"),
                                         (["--partition", "x"], USAGE, "--executor slurm"), (["--task", "s.yaml"], BAD_INPUT, "s.yaml")):
            with self.subTest(words):
                self.assertIn(words, self.xsp("sweep", "s.yaml", *arguments, status=status)[1])
        err = self.xsp("sweep", "s.yaml", "--executor", "slurm", status=NOT_POSSIBLE, PATH=str(self.folder))[1]
        self.assertIn("no sbatch", err)
        self.assertIn("apt-get install slurm-client", err)


if __name__ == "__main__":
    main()
