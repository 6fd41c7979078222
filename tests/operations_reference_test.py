#!/usr/bin/env python3
"""What `xsp api` declares: schemas that are valid, and pages of docs/operations that say the same."""
import json
import os
import pathlib
import subprocess
import unittest

import oracle_python

oracle_python.require("jsonschema")

import jsonschema  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
XSP = pathlib.Path(os.environ.get("XSP_BUILD", ROOT / "build/release")) / "bin/xsp"


class OperationsReferenceTest(unittest.TestCase):
    def test_pages_are_up_to_date(self):
        done = subprocess.run([ROOT / "tools/generate_operations", "--check", XSP], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_schema_is_valid(self):
        out = subprocess.run([XSP, "api", "--format", "json"], check=True, capture_output=True, text=True).stdout
        operations = json.loads(out)["operations"]
        self.assertGreater(len(operations), 20)
        for operation in operations:
            for which in ("request", "result"):
                with self.subTest(operation=operation["name"], schema=which):
                    jsonschema.Draft202012Validator.check_schema(operation[which])

    def test_the_list_follows_its_own_schema(self):
        out = subprocess.run([XSP, "api", "--format", "json"], check=True, capture_output=True, text=True).stdout
        document = json.loads(out)
        own = next(operation for operation in document["operations"] if operation["name"] == "api")
        jsonschema.Draft202012Validator(own["result"]).validate(document)


if __name__ == "__main__":
    unittest.main()
