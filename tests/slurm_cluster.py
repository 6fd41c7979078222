"""A real Slurm on loopback for tests: munged, slurmctld and several slurmd with free ports, all in one scratch folder. Needs root (munged's
socket and slurmd's jobs belong to one user) and Debian's packages slurm-wlm and munge; `why_not()` says what is missing."""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel")


def path_of(program):
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def why_not():
    """Why no cluster can be started here; empty: it can."""
    missing = [program for program in PROGRAMS if path_of(program) is None]
    if missing:
        return f"not installed: {', '.join(missing)} (apt-get install slurm-wlm munge)"
    return "" if os.geteuid() == 0 else "slurmctld and slurmd are started as root only"


def free_ports(count):
    """Different ports that were free a moment ago. Slurm takes no port 0."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


class Cluster:
    """`nodes`: for each node the features it has; `partitions`: lines of slurm.conf beside the partition `all`; `pinned`: each node is one
    processor of its own, as where times matter."""

    def __init__(self, nodes, memory_mb=2000, partitions="", settings="", pinned=False):
        self.pinned = pinned
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="xsp-slurm-"))
        self.nodes = [f"node{number}" for number in range(1, len(nodes) + 1)]
        self.processes = {}
        self.logs = []
        self.environment = {"SLURM_CONF": str(self.folder / "slurm.conf")}
        self.folder.chmod(0o755)
        ports = free_ports(len(nodes) + 1)
        lines = [f"NodeName={name} NodeHostname=localhost NodeAddr=127.0.0.1 Port={port} CPUs={1 if pinned else 2} RealMemory={memory_mb} State=UNKNOWN"
                 + (f" Feature={','.join(features)}" if features else "")
                 for name, port, features in zip(self.nodes, ports[1:], nodes)]
        (self.folder / "slurm.conf").write_text("\n".join([
            "ClusterName=xsp", "SlurmctldHost=localhost(127.0.0.1)", f"SlurmctldPort={ports[0]}", "SlurmUser=root", "SlurmdUser=root",
            "AuthType=auth/munge", f"AuthInfo=socket={self.folder}/munge.socket", "CredType=cred/munge",
            f"StateSaveLocation={self.folder}/state", f"SlurmdSpoolDir={self.folder}/spool-%n", f"SlurmctldPidFile={self.folder}/ctld.pid",
            f"SlurmdPidFile={self.folder}/slurmd-%n.pid", "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none",
            "SwitchType=switch/none", "MpiDefault=none", "ReturnToService=2", "SchedulerType=sched/backfill",
            "SchedulerParameters=bf_interval=1,batch_sched_delay=0",
            "SelectType=select/cons_tres", "SelectTypeParameters=CR_CPU_Memory", "SlurmdTimeout=3", "SlurmctldTimeout=5", "KillWait=5",
            "InactiveLimit=0", "MinJobAge=300", "JobAcctGatherType=jobacct_gather/none", "AccountingStorageType=accounting_storage/none",
            "MaxArraySize=2000", "JobRequeue=1", "SlurmctldDebug=info", "SlurmdDebug=info", settings, *lines,
            f"PartitionName=all Nodes={','.join(self.nodes)} Default=YES MaxTime=INFINITE State=UP", partitions, ""]))
        for name in ("state", *(f"spool-{node}" for node in self.nodes)):
            (self.folder / name).mkdir()

    def start(self):
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o400)
        self._start("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket", f"--key-file={self.folder}/munge.key",
                    f"--pid-file={self.folder}/munge.pid", f"--seed-file={self.folder}/munge.seed", f"--log-file={self.folder}/munge.log")
        self._wait(lambda: (self.folder / "munge.socket").exists(), "munged")
        self._start("slurmctld", "-D", "-i")
        for node in self.nodes:
            self.start_node(node)
        self._wait(lambda: set(self.node_states().values()) == {"idle"}, "nodes are idle")
        return self

    def start_node(self, node):
        processors = {self.nodes.index(node)} if self.pinned else None
        self._start("slurmd", "-D", "-N", node, name=node, processors=processors)

    def kill_node(self, node):
        """slurmd and all that runs below it die at once, as with a machine that loses its power."""
        daemon = self.processes.pop(node)
        daemon.kill()
        daemon.wait()
        steps = {pid for pid in self._pids() if self._is_of_node(pid, node)}
        # A step's daemon writes its title over its environment: it is the parent of what it runs.
        steps |= {parent for parent in map(self._parent_of, steps) if parent and self._name_of(parent) == "slurmstepd"}
        for sent in (signal.SIGSTOP, signal.SIGKILL):  # None reports the end of another.
            for pid in steps:
                try:
                    os.kill(pid, sent)
                except ProcessLookupError:
                    pass

    def node_states(self):
        rows = self.run("sinfo", "-h", "-N", "-o", "%N %t").split("\n")
        return dict(row.split() for row in rows if row)

    def queue(self):
        """A row a job or a task, also of those that ended: id, name, state, node."""
        rows = self.run("squeue", "-h", "-r", "-t", "all", "-o", "%i|%j|%T|%N").split("\n")
        return [row.split("|") for row in rows if row]

    def start_at_once(self):
        """Jobs that were put into the queue again start now, not after the delay that Slurm gives them."""
        for id, _, state, _ in self.queue():
            if state == "PENDING":
                self.run("scontrol", "update", f"JobId={id}", "StartTime=now")

    def empty(self):
        """Cancels all jobs and waits until they have left their nodes."""
        self.run("scancel", "--state=PENDING", "--user=root")
        self.run("scancel", "--signal=KILL", "--full", "--user=root")
        self.run("scancel", "--user=root")
        self._wait(lambda: not self.run("squeue", "-h", "-o", "%i").split(), "no job is left")

    def run(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, env={**os.environ, **self.environment})
        return done.stdout if done.returncode == 0 else ""

    def stop(self):
        for process in reversed(list(self.processes.values())):
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for pid in self._pids():
            if self._environment_of(pid).get("SLURM_CONF") == self.environment["SLURM_CONF"] and pid != os.getpid():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        for log in self.logs:
            log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self, program, *arguments, name=None, processors=None):
        log = open(self.folder / f"{name or program}.out", "ab")
        self.logs.append(log)
        self.processes[name or program] = subprocess.Popen([path_of(program), *arguments], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                           env={**os.environ, **self.environment}, cwd=self.folder)
        if processors:
            os.sched_setaffinity(self.processes[name or program].pid, processors)

    def _wait(self, holds, what):
        until = time.monotonic() + 900
        while not holds():
            for name, process in self.processes.items():
                if process.poll() is not None:
                    raise RuntimeError(f"{name} ended:\n{(self.folder / f'{name}.out').read_text()[-3000:]}")
            if time.monotonic() > until:
                raise RuntimeError(f"waited in vain: {what}: {self.node_states()}\n{(self.folder / 'slurmctld.out').read_text()[-3000:]}")
            time.sleep(0.05)

    def _is_of_node(self, pid, node):
        environment = self._environment_of(pid)
        return environment.get("SLURM_CONF") == self.environment["SLURM_CONF"] and environment.get("SLURMD_NODENAME") == node

    @staticmethod
    def _pids():
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]

    @staticmethod
    def _parent_of(pid):
        try:
            return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return 0

    @staticmethod
    def _name_of(pid):
        try:
            return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
        except OSError:
            return ""

    @staticmethod
    def _environment_of(pid):
        try:
            text = pathlib.Path(f"/proc/{pid}/environ").read_bytes().decode(errors="replace")
        except OSError:
            return {}
        return dict(entry.split("=", 1) for entry in text.split("\0") if "=" in entry)
