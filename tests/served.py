"""A server of `xsp serve` for a test or a benchmark: started on a free port, asked over HTTP, stopped or killed."""
import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build" / "release"))
XSP = BUILD / "bin" / "xsp"
WORKERS = os.environ.get("XSP_WORKER_PATH") or str(ROOT / "build" / "release" / "bin")


class Server:
    """A running server. `log`: where its standard error goes; a new file."""

    def __init__(self, store, log, *options, environment=None):
        self.log = open(log, "ab")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [str(XSP), "--store", str(store), "serve", "--listen", "127.0.0.1:0", *options], stdout=subprocess.PIPE,
            stderr=self.log, text=True, env={**os.environ, "XSP_WORKER_PATH": WORKERS, **(environment or {})})
        self.address = self.process.stdout.readline().strip()
        found = re.fullmatch(r"(https?)://127\.0\.0\.1:(\d+)/(?:\?token=(\w+))?", self.address)
        if not found:
            self.process.kill()
            self.process.wait()
            raise RuntimeError(f"no address: {self.address!r}\n{pathlib.Path(log).read_text()}")
        self.port = int(found[2])
        self.token = found[3]

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=900)

    def ask(self, method, path, body=None, headers=None, connection=None, token=None):
        """(status, headers, bytes) of one request; a body that is no bytes is sent as JSON."""
        own = connection or self.connection()
        all_headers = {"Authorization": f"Bearer {token or self.token}"} if token != "" else {}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            all_headers["Content-Type"] = "application/json"
        own.request(method, path, body, {**all_headers, **(headers or {})})
        reply = own.getresponse()
        content = reply.read()
        if connection is None:
            own.close()
        return reply.status, reply.headers, content

    def get(self, path):
        status, _, content = self.ask("GET", path)
        if status != 200:
            raise RuntimeError(f"{path}: {status} {content[:500]!r}")
        return json.loads(content)

    def post(self, path, body):
        status, _, content = self.ask("POST", path, body)
        if status not in (200, 201, 202):
            raise RuntimeError(f"{path}: {status} {content[:500]!r}")
        return json.loads(content)

    def ended(self, job_id, seconds=120):
        """The job, once it has ended: its events tell."""
        connection = self.connection()
        connection.request("GET", f"/api/v1/jobs/{job_id}/events", headers={"Authorization": f"Bearer {self.token}"})
        reply = connection.getresponse()
        job, end = {}, time.monotonic() + seconds
        while time.monotonic() < end:
            line = reply.readline()
            if not line:
                break
            if line.startswith(b"data: "):
                job = json.loads(line[6:])
        connection.close()
        if job.get("state") in (None, "queued", "running"):
            raise RuntimeError(f"job {job_id} has not ended: {job}")
        return job

    def stop(self, by=signal.SIGINT):
        """Ends it and returns its status."""
        if self.process.poll() is None:
            self.process.send_signal(by)
        status = self.process.wait(timeout=900)
        self.process.stdout.close()
        self.log.close()
        return status
