#!/usr/bin/env python3
"""`xsp serve` as a program meets it: with the toy framework of workers/example it measures, imports, is killed and
started again. Its OpenAPI description is read by a published validator (openapi-spec-validator, where it is installed:
tools/setup --test)."""
import contextlib
import gzip
import http.client
import json
import os
import pathlib
import random
import re
import select
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest

import oracle_python
from served import Server, WORKERS, XSP

TOY = "input 64\ndense 128\nrelu\ndense 10\nsoftmax\n"
TRACE = {"traceEvents": [{"ph": "X", "name": "<img src=x onerror=alert(1)>", "pid": 1, "tid": 1, "ts": 0, "dur": 10},
                         {"ph": "X", "name": "work", "pid": 1, "tid": 1, "ts": 2, "dur": 5}]}
KILLS = int(os.environ.get("XSP_SERVE_KILLS", "6"))
USAGE, ENVIRONMENT, INTERRUPTED = 2, 5, 130


def xsp(*arguments):
    done = subprocess.run([str(XSP), *map(str, arguments)], capture_output=True, text=True,
                          env={**os.environ, "XSP_WORKER_PATH": WORKERS})
    return done.returncode, done.stdout, done.stderr


class ServeTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.store = self.folder / "store"
        self.models = self.folder / "models"
        self.models.mkdir()
        (self.models / "net.toy").write_text(TOY)
        self.servers = []
        self.addCleanup(lambda: [server.stop(signal.SIGKILL) for server in self.servers if server.process.poll() is None])

    def serve(self, *options, **more):
        server = Server(self.store, self.folder / "log", "--models", str(self.models), *options,
                        environment={"XSP_CACHE": str(self.folder / "cache"), **more})
        self.servers.append(server)
        return server

    def import_trace(self, server, name="mine"):
        upload = server.post("/api/v1/uploads?name=trace.json", json.dumps(TRACE).encode())
        job = server.post("/api/v1/import", {"file": [upload["upload"]], "name": name})["job"]
        return server.ended(job["id"])

    def request_of_run(self, name, iterations=20):
        return {"model": str(self.models / "net.toy"), "backend": ["example"], "iterations": iterations, "name": name,
                "depth": "layer", "no_roofs": True, "processes": 1}

    def need_toy(self):
        if not (pathlib.Path(WORKERS.split(":")[0]) / "xsp-worker-example").exists():
            self.skipTest("the toy worker is not built here")

    def test_the_description_is_openapi(self):
        python, why = oracle_python.find(["openapi_spec_validator"])
        if python is None:
            self.skipTest(f"no openapi-spec-validator: {why}")
        server = self.serve()
        description = self.folder / "openapi.json"
        description.write_text(json.dumps(server.get("/api/v1/openapi.json")))
        done = subprocess.run([python, "-m", "openapi_spec_validator", str(description)], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])

    def test_an_uploaded_trace_becomes_an_experiment_with_a_page(self):
        server = self.serve()
        job = self.import_trace(server)
        self.assertEqual((job["state"], job["experiment"]), ("done", "mine"), job)
        self.assertEqual(job["command"], "xsp import trace.json --name mine")
        self.assertEqual([entry["name"] for entry in server.get("/api/v1/list")], ["mine"])
        self.assertEqual(server.get(f"/api/v1/jobs/{job['id']}/result")["inputs"][0]["format"], "chrome")
        self.assertEqual(list((self.store / ".serve" / "uploads").iterdir()), [])
        status, headers, page = server.ask("GET", "/pages/report?run=mine")
        self.assertEqual(status, 200, page[:500])
        self.assertTrue(headers["Content-Security-Policy"].startswith("sandbox "))
        self.assertNotIn(b"<img src=x", page)
        rows = server.post("/api/v1/query", {"run": "mine", "sql": "SELECT count(*) AS n FROM span"})
        self.assertEqual(rows[0]["n"], 2)

    def test_the_application_is_served(self):
        server = self.serve()
        status, headers, page = server.ask("GET", "/experiments/any.name", token="")
        self.assertEqual(status, 200)
        self.assertNotIn("unsafe", headers["Content-Security-Policy"])
        script = re.search(rb'src="(/assets/[^"]+[.]js)"', page)
        self.assertTrue(script, f"web/dist/app is not built: {page[:300]!r}")
        status, headers, _ = server.ask("GET", script[1].decode(), token="")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/javascript; charset=utf-8"))
        self.assertIn("immutable", headers["Cache-Control"])

    def with_names(self, document):
        """The JSON of a command as the server gives it: with names instead of paths of its store."""
        return json.loads(document.replace(f'"{self.store}/', '"'))

    def test_a_measurement_is_the_same_as_on_the_command_line(self):
        self.need_toy()
        server = self.serve()
        job = server.ended(server.post("/api/v1/run", self.request_of_run("served"))["job"]["id"])
        self.assertEqual(job["state"], "done", server.ask("GET", f"/api/v1/jobs/{job['id']}/log"))
        self.assertEqual(job["experiment"], "served")
        shown = server.get("/api/v1/show?run=served")
        status, out, err = xsp("--store", self.store, "show", "served", "--format", "json")
        self.assertEqual((status, self.with_names(out)), (0, shown), err)
        self.assertIn("--iterations 20", job["command"])

    def test_an_uploaded_model_is_measured_twice(self):
        self.need_toy()
        server = self.serve("--model-uploads")
        self.assertIs(server.get("/api/v1/session")["model_uploads"], True)
        upload = server.post("/api/v1/uploads?name=mine.toy", TOY.encode())["upload"]
        for name in ("first", "second"):
            request = self.request_of_run(name) | {"model": upload}
            job = server.ended(server.post("/api/v1/run", request)["job"]["id"])
            self.assertEqual(job["state"], "done", server.ask("GET", f"/api/v1/jobs/{job['id']}/log"))
            self.assertTrue(job["command"].startswith("xsp run mine.toy "), job["command"])
            self.assertEqual(server.get(f"/api/v1/list?text={name}")[0]["model"], "mine")

    def test_the_levels_of_a_running_measurement_fill(self):
        self.need_toy()
        server = self.serve()
        job = server.post("/api/v1/run", self.request_of_run("long", iterations=1000000))["job"]
        address = f"/api/v1/jobs/{job['id']}/levels"

        def layers():
            levels = [level for run in server.get(address)["runs"] for level in run["levels"] if level["level"] == "layer"]
            return levels[0] if levels else {"spans": 0, "names": []}
        first = self.wait_until(lambda: layers()["spans"] and layers())
        self.assertIn("dense", " ".join(name["name"] for name in first["names"]))
        self.assertGreater(first["names"][0]["time_ns"], 0)
        self.wait_until(lambda: layers()["spans"] > first["spans"])
        server.ask("DELETE", f"/api/v1/jobs/{job['id']}")
        self.assertEqual(server.ended(job["id"])["state"], "cancelled")
        self.assertEqual(server.get(address), {"runs": []})

    def wait_until(self, happens):
        end = time.monotonic() + 900
        while not (value := happens()):
            self.assertLess(time.monotonic(), end, "it never happened")
            time.sleep(0.05)
        return value

    def test_a_cancelled_measurement_keeps_what_it_has(self):
        self.need_toy()
        server = self.serve()
        request = self.request_of_run("long", iterations=1000000)
        job = server.post("/api/v1/run", request)["job"]
        waiting = server.post("/api/v1/run", self.request_of_run("next"))["job"]
        # Somebody follows: progress is read.
        next(event for event in self.events(server) if event["id"] == job["id"] and event["progress"] is not None)
        self.assertEqual(server.get(f"/api/v1/jobs/{waiting['id']}")["position"], 1)
        server.ask("DELETE", f"/api/v1/jobs/{job['id']}")
        self.assertEqual(server.ended(job["id"])["state"], "cancelled")
        self.assertEqual(server.ended(waiting["id"])["state"], "done")
        names = [entry["name"] for entry in server.get("/api/v1/list")]
        self.assertIn("next", names)

    @staticmethod
    def events(server):
        connection = server.connection()
        connection.request("GET", "/api/v1/jobs/events", headers={"Authorization": f"Bearer {server.token}"})
        reply = connection.getresponse()
        try:
            while line := reply.readline():
                if line.startswith(b"data: "):
                    yield json.loads(line[6:])
        finally:
            connection.close()

    def test_a_stopped_server_keeps_its_queue(self):
        self.need_toy()
        server = self.serve()
        first = server.post("/api/v1/run", self.request_of_run("long", iterations=1000000))["job"]
        second = server.post("/api/v1/run", self.request_of_run("next"))["job"]
        while server.get(f"/api/v1/jobs/{first['id']}")["state"] != "running":
            pass
        self.assertEqual(server.stop(), 0)
        server = self.serve()
        self.assertIn(server.ended(first["id"])["state"], ("cancelled", "interrupted"))
        self.assertEqual(server.ended(second["id"])["state"], "done")

    def test_killed_at_any_moment_it_loses_nothing(self):
        """The server is killed at random moments under load. Afterwards each job has ended or is performed, and each
        experiment of the store can be read. XSP_SERVE_KILLS: how often."""
        chance = random.Random(2026)
        asked = 0
        for kill in range(KILLS):
            server = self.serve()
            stop = threading.Event()
            readers = [threading.Thread(target=self.load, args=(server, stop)) for _ in range(2)]
            for reader in readers:
                reader.start()
            try:
                end = time.monotonic() + chance.uniform(0.05, 1.5)
                while time.monotonic() < end:
                    if sum(job["state"] == "queued" for job in server.get("/api/v1/jobs")["jobs"]) > 5:
                        continue
                    upload = server.post("/api/v1/uploads?name=t.json", json.dumps(TRACE).encode())
                    server.post("/api/v1/import", {"file": [upload["upload"]], "name": f"kill{kill}-{asked}"})
                    asked += 1
            finally:
                server.stop(signal.SIGKILL)
                stop.set()
                for reader in readers:
                    reader.join()
        server = self.serve()
        jobs = server.get("/api/v1/jobs")["jobs"]
        ended = [server.ended(job["id"]) for job in jobs]
        self.assertEqual(len(ended), min(asked, 200))
        # Jobs go on without their server: none was interrupted.
        self.assertEqual({job["state"] for job in ended}, {"done"}, [job for job in ended if job["state"] != "done"][:3])
        entries = server.get("/api/v1/list")
        self.assertEqual([entry for entry in entries if entry["status"] != "done"], [])
        self.assertEqual({job["experiment"] for job in ended} - {entry["name"] for entry in entries}, set())

    @staticmethod
    def load(server, stop):
        while not stop.is_set():
            try:
                server.ask("GET", "/api/v1/list")
            except (OSError, http.client.HTTPException):
                time.sleep(0.01)  # It was killed.

    def test_one_server_for_a_store_and_a_port(self):
        server = self.serve()
        status, _, err = xsp("--store", self.store, "serve", "--listen", "127.0.0.1:0")
        self.assertEqual(status, ENVIRONMENT, err)
        self.assertIn("another server", err)
        status, _, err = xsp("--store", self.folder / "other", "serve", "--listen", f"127.0.0.1:{server.port}")
        self.assertEqual(status, ENVIRONMENT, err)
        self.assertIn("in use", err)

    def test_others_are_only_served_with_encryption(self):
        status, _, err = xsp("--store", self.store, "serve", "--listen", "0.0.0.0:0")
        self.assertEqual(status, USAGE, err)
        self.assertIn("--certificate", err)

    def test_https_with_a_certificate_of_ones_own(self):
        certificate, key = self.folder / "cert.pem", self.folder / "key.pem"
        made = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
                               "/CN=localhost", "-keyout", str(key), "-out", str(certificate)], capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        server = self.serve("--certificate", str(certificate), "--key", str(key))
        context = ssl.create_default_context(cafile=str(certificate))
        context.check_hostname = False
        connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=context, timeout=900)
        status, _, content = server.ask("GET", "/api/v1/session", connection=connection)
        self.addCleanup(connection.close)
        self.assertEqual((status, json.loads(content)["role"]), (200, "measure"))
        status, headers, _ = server.ask("GET", f"/?token={server.token}", connection=connection, token="")
        self.assertEqual(status, 303)
        self.assertIn("; Secure", headers["Set-Cookie"])

    def test_users_log_in_with_passwords_and_have_their_roles(self):
        done = subprocess.run([str(XSP), "serve", "--hash-password"], input="correct horse\n", capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        users = self.folder / "users"
        users.write_text(f"# team\nada:view:{done.stdout}")
        users.chmod(0o600)
        server = self.serve("--users", str(users))
        status, headers, content = server.ask("GET", "/api/v1/session", token="")
        self.assertEqual((status, headers["WWW-Authenticate"]), (401, 'Bearer, Password realm="/api/v1/session"'))
        self.assertIn("/api/v1/session", json.loads(content)["error"]["hint"])
        for name, password, expected in (("ada", "correct horse", 200), ("ada", "wrong", 401), ("eve", "correct horse", 401)):
            status, headers, _ = server.ask("POST", "/api/v1/session", {"user": name, "password": password}, token="")
            self.assertEqual(status, expected, (name, password))
            if status == 200:
                cookie = headers["Set-Cookie"].split(";")[0]
        status, _, _ = server.ask("GET", "/api/v1/list", headers={"Cookie": cookie}, token="")
        self.assertEqual(status, 200)
        status, _, _ = server.ask("POST", "/api/v1/run", {"model": "tiny"}, headers={"Cookie": cookie}, token="")
        self.assertEqual(status, 403)

    def test_sql_has_its_limits(self):
        server = self.serve("--sql-time", "0.5")
        self.import_trace(server)
        begun = time.monotonic()
        status, _, content = server.ask("POST", "/api/v1/query", {
            "run": "mine", "sql": "SELECT count(*) FROM range(1000000) a, range(1000000) b WHERE (a.range * b.range) % 7 = 3"})
        self.assertEqual(status, 422, content)
        self.assertLess(time.monotonic() - begun, 30)
        self.assertIn("limit", json.loads(content)["error"]["what"])
        status, _, content = server.ask("POST", "/api/v1/query", {"run": "mine", "sql": "SELECT * FROM range(1000000)"})
        self.assertEqual(status, 422, content)

    def test_a_bomb_of_gzip_and_a_truncated_upload_leave_nothing(self):
        server = self.serve()
        bomb = gzip.compress(b" " * (64 << 20))
        status, _, _ = server.ask("POST", "/api/v1/query", bomb,
                                  {"Content-Encoding": "gzip", "Content-Type": "application/json"})
        self.assertEqual(status, 413)
        connection = server.connection()
        connection.putrequest("POST", "/api/v1/uploads?name=half.json")
        connection.putheader("Authorization", f"Bearer {server.token}")
        connection.putheader("Content-Length", "1000000")
        connection.endheaders()
        connection.send(b"x" * 1000)
        deadline = time.monotonic() + 900
        uploads = self.store / ".serve" / "uploads"
        while time.monotonic() < deadline and not list(uploads.glob("*")):
            time.sleep(0.05)
        connection.close()
        while time.monotonic() < deadline and list(uploads.glob("*")):
            time.sleep(0.05)
        self.assertEqual(list(uploads.glob("*")), [])

    def test_a_body_of_a_gigabyte_is_refused_before_it_has_arrived(self):
        server = self.serve()

        def peak_mib():
            status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
            return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024
        before = peak_mib()
        piece = b" " * (1 << 20)
        for header, value, framed in (("Content-Length", str(1 << 30), piece),
                                      ("Transfer-Encoding", "chunked", b"%x\r\n%s\r\n" % (len(piece), piece))):
            with self.subTest(header=header):
                connection = self.server_socket(server)
                connection.sendall((f"POST /api/v1/query HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {server.token}\r\n"
                                    f"Content-Type: application/json\r\n{header}: {value}\r\n\r\n").encode())
                sent = 0
                with contextlib.suppress(OSError):  # It closes the connection.
                    while sent < 1024 and not select.select([connection], [], [], 0)[0]:
                        connection.sendall(framed)
                        sent += 1
                self.assertLess(sent, 512, "MiB were taken")
                with contextlib.suppress(ConnectionResetError):
                    self.assertIn(b" 413 ", connection.recv(4096).split(b"\r\n")[0])
                connection.close()
        self.assertLess(peak_mib() - before, 64)
        self.assertEqual(server.get("/api/v1/list"), [])

    @staticmethod
    def server_socket(server):
        return socket.create_connection(("127.0.0.1", server.port), timeout=900)

    def test_perform_reads_its_request_as_json(self):
        server = self.serve()
        self.import_trace(server)
        done = subprocess.run([str(XSP), "--store", str(self.store), "perform", "show"], input='{"run": "mine"}',
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, self.with_names(done.stdout)), (0, server.get("/api/v1/show?run=mine")), done.stderr)
        for text, status in (("[", 3), ("[]", USAGE), ('{"no_such": 1}', USAGE)):
            done = subprocess.run([str(XSP), "--store", str(self.store), "perform", "show"], input=text,
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, status, done.stderr)


if __name__ == "__main__":
    unittest.main()
