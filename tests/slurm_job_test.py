#!/usr/bin/env python3
"""`--executor slurm` of `xsp run` and `xsp suite` on a real Slurm (slurm_cluster.py): the answer of the node, its errors, jobs that are
interrupted, cancelled, or ended by their time limit, and jobs that sbatch refuses. With the toy framework of workers/example."""
import json
import signal

from slurm_case import BAD_INPUT, ENVIRONMENT, INTERRUPTED, NOT_POSSIBLE, USAGE, SlurmCase, main

RUN = ("run", "m.toy", "--backend", "example", "--depth", "model", "--no-roofs", "--monitor-rate", "0")
SHORT = ("--iterations", "5")
LONG = ("--precision-target", "0.0001%", "--time-limit", "60")
SLURM = ("--executor", "slurm")


class SlurmJobTest(SlurmCase):
    def start_run(self, *arguments):
        return self.popen(*RUN, *arguments, *SLURM, "--format", "json")

    def test_run_answers_what_the_node_measured(self):
        self.hold()
        with self.start_run(*SHORT, "--batch", "1,2", "--name", "mine", "--report") as process:
            self.wait_until(lambda: self.starts() == 1, process)
            (id, name, state, node), = self.queue()
            self.assertEqual((name.startswith("xsp run m.toy --backend example --batch 1,2"), state, node[:4]), (True, "RUNNING", "node"))
            self.release()
            document, err = self.end(process)
        self.assertEqual((document["experiment"], document["status"]), (str(self.store / "mine"), "done"))
        self.assertEqual([point["batch"] for point in document["points"]], [1, 2])
        self.assertTrue((self.store / "mine" / "report.html").exists(), document["report"])
        self.assertIn(f"job {id}; log: {self.store}/.slurm-jobs/1/log", err)
        self.assertEqual(self.experiments(), {"mine": "done"})
        # The command that is stored does the same on the machine that it is run on.
        command = json.loads((self.store / "mine" / "experiment.json").read_text())["command"]
        self.assertNotIn("slurm", command)
        self.assertIn("--batch 1,2", command)
        # For people: the table of a local run, and no progress in a pipe.
        out, err = self.xsp(*RUN, *SHORT, *SLURM)
        self.assertIn("experiment  " + str(self.store), out)
        self.assertNotIn("{", err)
        self.assertEqual((self.starts(), len(self.experiments())), (3, 2))

    def test_options_of_sbatch(self):
        self.xsp(*RUN, *SHORT, *SLURM, "--slurm-option", "nodelist=node2", "--share-nodes", "--partition", "all")
        self.assertEqual([node for _, _, _, node in self.queue()], ["node2"])

    def test_plan_submits_nothing(self):
        self.assertIn("processes", json.loads(self.xsp(*RUN, *SHORT, *SLURM, "--plan", "--format", "json")[0]))
        self.assertEqual((self.queue(), self.store.exists()), ([], False))

    def test_error_of_the_node_is_that_of_the_command(self):
        self.write("bad.toy", "input 4 4\nno_such_layer 3\n")
        here = self.xsp("run", "bad.toy", "--backend", "example", *SHORT, status=BAD_INPUT)[1]
        there = self.xsp("run", "bad.toy", "--backend", "example", *SHORT, *SLURM, status=BAD_INPUT)[1]
        self.assertIn("line 2 of ", here)
        for line in here.splitlines():
            self.assertIn(line, there)
        self.assertEqual(self.starts(), 2)
        there = self.xsp("run", "m.toy", "--backend", "nothing", *SLURM, status=NOT_POSSIBLE)[1]
        self.assertEqual(there.count("nothing"), 1, there)

    def test_interrupted_run_keeps_what_it_measured(self):
        with self.start_run(*LONG) as process:
            self.wait_until(lambda: self.starts() == 1 and any("model: call" in log for log in self.progress()), process)
            process.send_signal(signal.SIGINT)
            document, _ = self.end(process, INTERRUPTED)
        self.assertEqual(document["status"], "interrupted")
        self.assertEqual(list(self.experiments().values()), ["interrupted"])
        self.wait_until(lambda: set(self.states()) <= {"FAILED", "COMPLETED"})

    def progress(self):
        return [log.read_text() for log in self.store.glob(".slurm-jobs/*/log")]

    def test_interrupt_cancels_a_job_that_waits(self):
        self.hold()
        with self.popen(*RUN, *SHORT, *SLURM, "--slurm-option", "begin=now+1hour") as process:
            self.wait_until(lambda: self.states() == ["PENDING"], process)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=900)
        self.assertEqual(process.returncode, INTERRUPTED, err)
        self.assertIn("the job was cancelled before it measured", err)
        self.assertEqual((self.states(), self.starts()), (["CANCELLED"], 0))

    def test_second_interrupt_cancels_the_job(self):
        self.hold()
        with self.popen(*RUN, *SHORT, *SLURM) as process:
            self.wait_until(lambda: self.starts() == 1, process)
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGTERM)
            _, err = process.communicate(timeout=900)
        self.assertEqual(process.returncode, INTERRUPTED, err)
        # On a busy machine the job may have ended by the first signal when the second one is heard.
        self.wait_until(lambda: self.states() in (["CANCELLED"], ["FAILED"]))
        self.assertTrue("is cancelled" in err or self.states() == ["FAILED"], err)

    def test_job_that_is_asked_to_stop_says_so(self):
        with self.start_run(*LONG) as process:
            self.wait_until(lambda: self.starts() == 1 and any("model: call" in log for log in self.progress()), process)
            # As the time limit does: to the script alone.
            self.cluster.run("scancel", "--signal=TERM", "--batch", self.queue()[0][0])
            document, err = self.end(process, ENVIRONMENT)
        self.assertEqual((document["status"], list(self.experiments().values())), ("interrupted", ["interrupted"]))
        self.assertIn("asked to stop", err)
        self.assertIn("--slurm-option time=MINUTES", err)

    def test_cancelled_job_is_an_error_with_the_reason(self):
        self.hold()
        with self.popen(*RUN, *SHORT, *SLURM) as process:
            self.wait_until(lambda: self.starts() == 1, process)
            self.cluster.run("scancel", "--signal=KILL", "--full", self.queue()[0][0])
            self.cluster.run("scancel", self.queue()[0][0])
            _, err = process.communicate(timeout=900)
        self.assertEqual(process.returncode, ENVIRONMENT, err)
        self.assertRegex(err, "the job was cancelled|the job ended without a result")

    def test_suite_commands_measure_on_a_node(self):
        answer = json.loads(self.xsp("suite", "jobs", "--rounds", "1", *SLURM, "--format", "json", "--", "sleep", "1")[0])
        self.assertIn("single sleep", json.dumps(answer))
        self.assertEqual(len(self.queue()), 1)
        self.assertEqual(set(self.experiments().values()), {"done"})
        err = self.xsp("suite", "run", "nothing", *SLURM, status=USAGE)[1]
        self.assertIn("no such suite: nothing", err)

    def test_what_sbatch_refuses_leaves_nothing(self):
        err = self.xsp(*RUN, *SLURM, "--partition", "none", status=BAD_INPUT)[1]
        self.assertIn("Invalid partition name", err)
        self.assertEqual(list(self.store.glob(".slurm-jobs/*")), [])

    def test_wrong_options_and_a_machine_without_slurm(self):
        for arguments, status, words in (((*SLURM, "--slurm-option", "array=1"), USAGE, "array"), (("--partition", "x"), USAGE, "--executor slurm"),
                                         ((*SLURM, "--store", "s3://bucket/x"), NOT_POSSIBLE, "cannot share")):
            with self.subTest(words):
                self.assertIn(words, self.xsp(*RUN, *arguments, status=status)[1])
        self.assertIn("no sbatch", self.xsp(*RUN, *SLURM, status=NOT_POSSIBLE, PATH=str(self.folder))[1])


if __name__ == "__main__":
    main()
