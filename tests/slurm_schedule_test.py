#!/usr/bin/env python3
"""`xsp suite schedule --submit` on a real Slurm (slurm_cluster.py): the order of a plan, its widths, plan against reality, jobs that
fail, jobs that Slurm refuses, and a plan that is interrupted."""
import json
import signal

from slurm_case import BAD_INPUT, ENVIRONMENT, INTERRUPTED, NOT_POSSIBLE, USAGE, SlurmCase, main

# Each job notes its name, width and node, and takes as long as its name says.
JOB = """#!/bin/sh
echo "$1 $2 $SLURM_JOB_NUM_NODES" >> {folder}/ran
case $1 in hold*) while [ ! -e {folder}/released ]; do sleep 0.05; done ;; fail*) exit 3 ;; *) sleep 1 ;; esac
"""


class SlurmScheduleTest(SlurmCase):
    def setUp(self):
        super().setUp()
        job = self.folder / "job.sh"
        job.write_text(JOB.format(folder=self.folder))
        job.chmod(0o755)

    def jobs(self, *rows):
        self.write("jobs.csv", "job,width,time_s\n" + "".join(f"{row}\n" for row in rows))
        return ("suite", "schedule", "jobs.csv", "--devices", "2", "--slurm", "nodes", "--submit")

    def submit(self, *rows, more=(), status=0):
        return json.loads(self.xsp(*self.jobs(*rows), *more, "--format", "json", "--", "./job.sh", status=status)[0])

    def table(self, answer, name):
        return next(table["rows"] for table in answer["tables"] if table["id"] == name)

    def ran(self):
        return (self.folder / "ran").read_text().split("\n")[:-1]

    def test_jobs_run_in_the_order_of_the_plan_and_as_wide(self):
        answer = self.submit("wide,2,1", "a,1,1", "b,1,1")
        reality = self.table(answer, "reality")
        planned = {row["job"]: row["planned_start"] for row in reality}
        self.assertEqual(planned, {row["job"]: row["start"] for row in self.table(answer, "plan")})
        self.assertEqual({row["state"] for row in reality}, {"COMPLETED"})
        self.assertEqual(sorted(self.ran()), ["a 1 1", "b 1 1", "wide 2 2"])
        start = {row["job"]: row["start"] for row in reality}
        end = {row["job"]: row["end"] for row in reality}
        # The wide one is before both or after both; they are beside each other.
        if planned["wide"] == 0:
            self.assertLessEqual(end["wide"], min(start["a"], start["b"]))
        else:
            self.assertGreaterEqual(start["wide"], max(end["a"], end["b"]))
        self.assertLess(max(start["a"], start["b"]), min(end["a"], end["b"]) + 1)
        self.assertTrue(any("On Slurm the last job ended after" in line for line in answer["sentences"]), answer["sentences"])

    def test_first_come_is_the_order_of_the_table(self):
        answer = self.submit("a,1,1", "wide,2,1", "b,1,1", more=("--policy", "first-come"))
        self.assertEqual(self.ran(), ["a 1 1", "wide 2 2", "b 1 1"])
        self.assertEqual([row["planned_start"] for row in self.table(answer, "reality")], [0, 1, 2])

    def test_jobs_that_share_a_node_run_beside_each_other(self):
        jobs = [{"name": name, "command": "sleep 1"} for name in ("meet-a", "meet-b")]
        self.write("jobs.yaml", json.dumps({"jobs": jobs, "copies": 1, "mixed": "pairs"}))
        self.xsp("suite", "jobs", "jobs.yaml", "--rounds", "1")
        # Each is a step of the job, and ends when the other has begun.
        self.write("meet.sh", "touch \"$0.$1\"\nfor i in $(seq 600); do [ -e \"$0.meet-a\" ] && [ -e \"$0.meet-b\" ] && exit 0\n"
                              "sleep 0.05; done; exit 9\n")
        answer = json.loads(self.xsp("suite", "schedule", "--stored-jobs", "all", "--devices", "1", "--slurm", "nodes", "--submit",
                                     "--format", "json", "--", "srun", "sh", str(self.folder / "meet.sh"))[0])
        self.assertEqual([(row["job"], row["state"]) for row in self.table(answer, "reality")], [("meet-a + meet-b", "COMPLETED")])
        self.assertEqual([row["shared"] for row in self.table(answer, "pairs")], ["yes"])

    def test_failed_job_is_named_and_the_others_go_on(self):
        answer = self.submit("fail,2,1", "a,1,1", status=ENVIRONMENT)
        self.assertEqual({row["job"]: row["state"] for row in self.table(answer, "reality")}, {"fail": "FAILED", "a": "COMPLETED"})
        self.assertTrue(any("1 job did not end well: fail" in line for line in answer["sentences"]), answer["sentences"])

    def test_interrupt_cancels_what_is_left(self):
        with self.popen(*self.jobs("hold,2,1", "a,1,1"), "--policy", "first-come", "--", "./job.sh") as process:
            self.wait_until(lambda: sorted(self.states()) == ["PENDING", "RUNNING"], process)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=900)
        self.assertEqual(process.returncode, INTERRUPTED, err)
        self.assertIn("are cancelled", err)
        self.wait_until(lambda: set(self.states()) == {"CANCELLED"})
        self.assertEqual(self.ran(), ["hold 2 2"])

    def test_what_slurm_refuses_leaves_no_jobs(self):
        err = self.xsp(*self.jobs("a,1,1", "b,1,1"), "--", "./job.sh", status=BAD_INPUT, SBATCH_OPTIONS="--partition=none")[1]
        self.assertIn("Invalid partition name", err)
        self.assertEqual(self.queue(), [])

    def test_what_is_needed_is_asked_for_before_the_search(self):
        arguments = self.jobs("a,1,1")
        self.assertIn("needs the program", self.xsp(*arguments, status=USAGE)[1])
        self.assertIn("Add --submit", self.xsp(*arguments[:-1], "--", "./job.sh", status=USAGE)[1])
        self.assertIn("no sbatch", self.xsp(*arguments, "--", "./job.sh", status=NOT_POSSIBLE, PATH=str(self.folder))[1])
        self.write("jobs.csv", "job,width,time\na,1,1\n")
        self.assertIn("--unit", self.xsp(*arguments, "--", "./job.sh", status=USAGE)[1])


if __name__ == "__main__":
    main()
