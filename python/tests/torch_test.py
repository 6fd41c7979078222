"""In a Python with PyTorch: models that are objects, profiles of the running process, callbacks of training loops."""
import asyncio
import gc
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import types
import unittest
import warnings
import weakref

import torch
import xsp

warnings.simplefilter("ignore")
QUICK = {"time_limit": 0.2, "warmup_limit": 0.2, "no_roofs": True, "monitor_rate": 0, "depth": "layer"}
HAS_WORKER = bool(subprocess.run([sys.executable, "-m", "xsp._command", "doctor", "torch"], capture_output=True, text=True).returncode == 0)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Conv2d(3, 4, 3), torch.nn.ReLU())
        self.head = torch.nn.Linear(4 * 6 * 6, 2)

    def forward(self, image, labels=None):
        logits = self.head(self.body(image).flatten(1))
        if labels is None:
            return logits
        return {"loss": torch.nn.functional.cross_entropy(logits, labels), "logits": logits}


class Storing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.store = self.folder / "store"
        self.net = Net()
        self.image = torch.randn(2, 3, 8, 8)
        self.optimiser = torch.optim.SGD(self.net.parameters(), 0.1)

    def train(self):
        self.optimiser.zero_grad()
        self.net(self.image, torch.zeros(2, dtype=torch.int64))["loss"].backward()
        self.optimiser.step()

    def names(self, experiment, where):
        return experiment.query(f"SELECT DISTINCT name FROM span WHERE {where}").column("name")


class ProfileTest(Storing):
    def test_a_block_is_one_step(self):
        with xsp.profile("block", store=self.store) as p:
            self.net(self.image)
        self.assertEqual([row["type"] for row in p.experiment.layers],
                         ["aten::conv2d", "aten::relu", "aten::flatten", "aten::linear"])
        self.assertEqual(p.experiment.name, "block")
        self.assertEqual(len(p.experiment.analyze("steps")), 1)
        self.assertIn("block", p._repr_html_())

    def test_layers_know_their_place_in_the_model(self):
        with xsp.profile("places", store=self.store) as p:
            self.net(self.image)
        self.assertEqual([row["path"] for row in p.experiment.layers], ["body.0", "body.1", None, "head"])
        self.assertEqual(set(self.names(p.experiment, "type = 'module'")), {"body", "body.0", "body.1", "head"})

    def test_shapes_become_flops(self):
        with xsp.profile("shapes", store=self.store) as p:
            self.net(self.image)
        flops = {row["type"]: row["flops"] for row in p.experiment.layers}
        # 2 x (3 x 3 x 3) multiply-adds for each of 2 x 4 x 6 x 6 results, and the bias.
        self.assertEqual(flops["aten::conv2d"], 2 * 4 * 6 * 6 * (2 * 27))
        with xsp.profile("none", shapes=False, store=self.store) as p:
            self.net(self.image)
        self.assertEqual(set(p.experiment.layers.column("flops")), {None})

    def test_step_divides_a_block(self):
        with xsp.profile("steps", store=self.store) as p:
            for _ in range(3):
                self.train()
                p.step()
        self.assertEqual(p.experiment.analyze("steps").column("step"), [0, 1, 2])
        self.assertIn("Optimizer.step#SGD.step", self.names(p.experiment, "type = 'range'"))

    def test_a_schedule_records_its_steps(self):
        with xsp.profile("plan", schedule=xsp.schedule(skip_first=1, wait=1, warmup=1, active=2, repeat=2), store=self.store) as p:
            for _ in range(12):
                self.train()
                p.step()
        self.assertEqual([one.name for one in p.experiments], ["plan", "plan-2"])
        self.assertEqual([one.analyze("steps").column("step") for one in p.experiments], [[3, 4], [7, 8]])

    def test_a_schedule_that_is_not_reached_records_nothing(self):
        with xsp.profile("plan", schedule=xsp.schedule(wait=5, active=1), store=self.store) as p:
            self.train()
            p.step()
        with self.assertRaises(xsp.UsageError) as caught:
            p.experiment
        self.assertIn("nothing was recorded", caught.exception.message)

    def test_an_exception_keeps_what_was_recorded_before(self):
        with self.assertRaises(ZeroDivisionError):
            with xsp.profile("cut", store=self.store) as p:
                self.net(self.image)
                1 / 0
        self.assertIn("aten::addmm", self.names(p.experiment, "level = 'layer'"))

    def test_a_cycle_that_ends_early_has_no_step_more(self):
        with xsp.profile("short", schedule=xsp.schedule(active=3), store=self.store) as p:
            for _ in range(2):
                self.train()
                p.step()
        self.assertEqual(p.experiment.analyze("steps").column("step"), [0, 1])

    def test_a_decorated_function_is_a_step(self):
        @xsp.profile("calls", schedule=xsp.schedule(warmup=1, active=2), store=self.store)
        def step(factor):
            self.train()
            return factor * 2

        self.assertEqual([step(at) for at in range(5)], [0, 2, 4, 6, 8])
        self.assertEqual(len(step.profile.experiment.analyze("steps")), 2)

        @xsp.profile("once", store=self.store)
        def call():
            return self.net(self.image).shape

        self.assertEqual([tuple(call()), tuple(call())], [(2, 2), (2, 2)])
        self.assertEqual(call.profile.experiment.name, "once-2")  # Of the last call; the first is stored, too.

    def test_a_decorated_coroutine_is_a_step(self):
        @xsp.profile("awaited", schedule=xsp.schedule(active=2), store=self.store)
        async def step():
            await asyncio.sleep(0)
            self.train()

        async def steps():
            for _ in range(3):
                await step()

        asyncio.run(steps())
        self.assertEqual(len(step.profile.experiment.analyze("steps")), 2)
        with self.assertRaises(xsp.UsageError):
            @xsp.profile("yielded", store=self.store)
            def batches():
                yield self.image

    def test_a_decorated_function_without_an_end_stores_its_cycles(self):
        @xsp.profile("for ever", schedule=xsp.schedule(active=1, repeat=0), store=self.store)
        def step():
            self.train()

        for done in (1, 2):
            step()
            self.assertEqual(len(step.profile.experiments), done)
        step.profile.__exit__(None, None, None)

    def test_a_program_that_ends_before_its_schedule_keeps_what_it_recorded(self):
        script = ("import sys, torch, xsp\n"
                  "@xsp.profile('short', schedule=xsp.schedule(active=5), store=sys.argv[1])\n"
                  "def step():\n    torch.ones(3).sum()\n"
                  "step()\nstep()\n")
        done = subprocess.run([sys.executable, "-c", script, self.store], capture_output=True, text=True, timeout=900)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(xsp.load("short", store=self.store).analyze("steps")), 2)

    def test_names_that_are_taken_get_a_number(self):
        for _ in range(2):
            with xsp.profile("same", store=self.store):
                self.net(self.image)
        self.assertEqual(sorted(xsp.list(store=self.store).column("name")), ["same", "same-2"])

    def test_the_process_is_left_as_it_was(self):
        before = torch.nn.Module.__call__
        with self.assertRaises(KeyError):
            with xsp.profile("fails", store=self.store):
                self.assertIsNot(torch.nn.Module.__call__, before)
                raise KeyError("the program's own")
        self.assertIs(torch.nn.Module.__call__, before)
        self.assertEqual(xsp.list(store=self.store).column("name"), ["fails"])
        with self.assertRaises(xsp.UsageError), xsp.profile("outer", store=self.store), xsp.profile("inner", store=self.store):
            pass
        with xsp.profile("after", store=self.store) as p:
            self.net(self.image)
        self.assertEqual(len(p.experiment.layers), 4)
        with self.assertRaises(xsp.UsageError):
            p.step()
        gone = weakref.ref(self.net)
        self.net = self.optimiser = None
        gc.collect()
        self.assertIsNone(gone())

    def test_a_module_that_fails_does_not_confuse_those_after_it(self):
        class Fails(torch.nn.Module):
            def forward(self, image):
                raise ValueError("in the middle")

        fails = torch.nn.Sequential(torch.nn.ReLU(), Fails())
        with xsp.profile("fails", store=self.store) as p:
            with self.assertRaises(ValueError):
                fails(self.image)
            self.net(self.image)
        self.assertEqual([row["path"] for row in p.experiment.layers][-4:], ["body.0", "body.1", None, "head"])

    def test_what_is_compiled_is_not_compiled_again(self):
        compiled = []

        def backend(graph, example):
            compiled.append(graph)
            return graph.forward

        torch._dynamo.reset()
        net = torch.compile(self.net, backend=backend)
        net(self.image)
        graphs = len(compiled)
        with xsp.profile("compiled", store=self.store) as p:
            net(self.image)
        net(self.image)
        self.assertEqual(len(compiled), graphs)
        self.assertIn("OptimizedModule", self.names(p.experiment, "type = 'range'"))
        self.assertIn("aten::conv2d", self.names(p.experiment, "level = 'layer'"))
        with xsp.profile("compiling", store=self.store):
            torch.compile(torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Tanh()), backend=backend, fullgraph=True)(self.image)
        self.assertEqual(len(compiled), graphs + 1)

    def test_the_trace_of_the_profiler_can_be_kept(self):
        kept = self.folder / "trace.json"
        with xsp.profile("kept", trace=kept, store=self.store):
            self.net(self.image)
        self.assertIn("traceEvents", json.loads(kept.read_text()))

    def test_a_trace_that_cannot_be_kept_costs_nothing_else(self):
        with self.assertRaisesRegex(xsp.UsageError, "no such folder for the trace"):
            with xsp.profile("kept", trace=self.folder / "none" / "trace.json", store=self.store):
                self.fail("the block ran")
        (self.folder / "folder").mkdir()
        with self.assertRaisesRegex(xsp.EnvironmentFailedError, "cannot be written") as caught:
            with xsp.profile("stored", trace=self.folder / "folder" / ("x" * 300), store=self.store) as p:
                self.net(self.image)
        shutil.rmtree(re.search(r"xsp import (\S+)/\*\.json", caught.exception.hint)[1])
        self.assertEqual(p.experiment.name, "stored")
        with self.assertWarnsRegex(RuntimeWarning, "cannot be written") as caught, self.assertRaises(ZeroDivisionError):
            with xsp.profile("failed", trace=self.folder / "folder" / ("x" * 300), store=self.store):
                1 / 0
        shutil.rmtree(re.search(r"xsp import (\S+)/\*\.json", str(caught.warning))[1])

    def test_another_thread_does_not_end_the_recording(self):
        refused = []

        def other():
            try:
                with xsp.profile("other", store=self.store):
                    pass
            except xsp.UsageError as error:
                refused.append(error)

        with xsp.profile("first", store=self.store) as p:
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
            self.net(self.image)
        self.assertEqual(len(refused), 1)
        self.assertIn("aten::conv2d", self.names(p.experiment, "level = 'layer'"))

    def test_a_profile_is_left_once(self):
        p = xsp.profile("none", store=self.store)
        with self.assertRaisesRegex(xsp.UsageError, "has not begun"):
            p.__exit__(None, None, None)

    def test_a_store_that_cannot_be_written_is_an_error_after_the_block(self):
        (self.folder / "file").write_text("")
        with self.assertRaises(xsp.XspError) as caught:
            with xsp.profile("lost", store=self.folder / "file"):
                self.net(self.image)
        kept = pathlib.Path(re.search(r"xsp import (\S+)/\*\.json", caught.exception.hint)[1])
        self.addCleanup(shutil.rmtree, kept)
        self.assertEqual(xsp.import_trace(sorted(kept.glob("*.json")), name="kept", store=self.store).status, "done")
        self.assertEqual(torch.nn.Module.__call__.__module__, "torch.nn.modules.module")


class CallbackTest(Storing):
    def run_loop(self, steps, begin, end, finish):
        begin()
        for _ in range(steps):
            self.train()
            end()
        finish()

    def module(self, name, **members):
        made = types.ModuleType(name)
        vars(made).update(members)
        before = sys.modules.get(name)
        sys.modules[name] = made
        self.addCleanup(lambda: sys.modules.__setitem__(name, before) if before else sys.modules.pop(name))

    def test_the_order_of_calls_of_hugging_face(self):
        # As Trainer calls them; where transformers is installed test_hugging_face trains with it.
        self.module("transformers", TrainerCallback=type("TrainerCallback", (), {}))
        callback = xsp.callbacks.hugging_face("order", schedule=xsp.schedule(wait=1, active=2), store=self.store)
        state = types.SimpleNamespace(is_world_process_zero=True)
        self.run_loop(6, lambda: callback.on_train_begin(None, state, None), lambda: callback.on_step_end(None, state, None),
                      lambda: callback.on_train_end(None, state, None))
        self.assertEqual(callback.profile.experiment.analyze("steps").column("step"), [1, 2])

    def test_the_order_of_calls_of_lightning(self):
        self.module("lightning", __path__=[])
        self.module("lightning.pytorch", Callback=type("Callback", (), {}))
        callback = xsp.callbacks.lightning("order", schedule=xsp.schedule(wait=1, active=2), store=self.store)
        trainer = types.SimpleNamespace(is_global_zero=True)
        self.run_loop(6, lambda: callback.on_train_start(trainer, None),
                      lambda: callback.on_train_batch_end(trainer, None, None, None, 0), lambda: callback.on_train_end(trainer, None))
        self.assertEqual(callback.profile.experiment.analyze("steps").column("step"), [1, 2])

    def test_a_profile_that_fails_does_not_end_the_training(self):
        (self.folder / "file").write_text("")
        self.module("transformers", TrainerCallback=type("TrainerCallback", (), {}))
        callback = xsp.callbacks.hugging_face(store=self.folder / "file")
        state = types.SimpleNamespace(is_world_process_zero=True)
        with self.assertWarnsRegex(RuntimeWarning, "the training is not profiled") as caught:
            self.run_loop(8, lambda: callback.on_train_begin(None, state, None), lambda: callback.on_step_end(None, state, None),
                          lambda: callback.on_train_end(None, state, None))
        self.assertEqual(callback.profile.experiments, [])
        shutil.rmtree(re.search(r"xsp import (\S+)/\*\.json", str(caught.warning))[1])

    def test_only_the_first_process_is_recorded(self):
        self.module("transformers", TrainerCallback=type("TrainerCallback", (), {}))
        callback = xsp.callbacks.hugging_face("other", schedule=xsp.schedule(active=1), store=self.store)
        state = types.SimpleNamespace(is_world_process_zero=False)
        self.run_loop(2, lambda: callback.on_train_begin(None, state, None), lambda: callback.on_step_end(None, state, None),
                      lambda: callback.on_train_end(None, state, None))
        self.assertEqual(callback.profile.experiments, [])

    def data(self):
        return [{"image": self.image[0], "labels": torch.tensor(at % 2)} for at in range(32)]

    @unittest.skipUnless(importlib.util.find_spec("transformers") and importlib.util.find_spec("accelerate"),
                         "transformers and accelerate are not installed")
    def test_hugging_face(self):
        import transformers

        callback = xsp.callbacks.hugging_face(store=self.store)
        arguments = transformers.TrainingArguments(str(self.folder / "out"), per_device_train_batch_size=4, num_train_epochs=1,
                                                   report_to=[], save_strategy="no", use_cpu=True, disable_tqdm=True)
        transformers.Trainer(self.net, arguments, train_dataset=self.data(), callbacks=[callback]).train()
        self.assertEqual(callback.profile.experiment.analyze("steps").column("step"), [3, 4, 5])

    @unittest.skipUnless(importlib.util.find_spec("pytorch_lightning") or importlib.util.find_spec("lightning"),
                         "Lightning is not installed")
    def test_lightning(self):
        try:
            import lightning.pytorch as lightning
        except ImportError:
            import pytorch_lightning as lightning
        net = self.net

        class Module(lightning.LightningModule):
            def __init__(self):
                super().__init__()
                self.net = net

            def training_step(self, batch, index):
                return self.net(batch["image"], batch["labels"])["loss"]

            def configure_optimizers(self):
                return torch.optim.SGD(self.parameters(), 0.1)

        callback = xsp.callbacks.lightning(store=self.store)
        trainer = lightning.Trainer(max_epochs=1, logger=False, enable_checkpointing=False, enable_progress_bar=False,
                                    callbacks=[callback], accelerator="cpu", default_root_dir=self.folder)
        trainer.fit(Module(), torch.utils.data.DataLoader(self.data(), batch_size=4))
        self.assertEqual(callback.profile.experiment.analyze("steps").column("step"), [3, 4, 5])


@unittest.skipUnless(HAS_WORKER, "there is no worker for this version of PyTorch")
class ModelObjectTest(Storing):
    def test_a_module_is_measured(self):
        self.net.train()
        self.net.body.eval()  # Frozen, as a part of a model that is fine-tuned.
        made = xsp.run(self.net, self.image, name="module", store=self.store, **QUICK)
        self.assertEqual(made.points.column("batch"), [2])
        self.assertEqual(made.points.column("model"), ["Net"])
        self.assertEqual([row["path"] for row in made.layers if row["path"]], ["body.0", "body.1", "head"])
        self.assertEqual([module.training for module in (self.net, self.net.body, self.net.head)], [True, False, True])

    def test_two_modules_are_measured_alternately_and_compared(self):
        slower = torch.nn.Sequential(self.net, *(torch.nn.Linear(2, 2) for _ in range(200)))
        made = xsp.run(slower, self.image, against=self.net, processes=2, name="slower", store=self.store, **{**QUICK, "depth": "model"})
        self.assertEqual((made.against.name, made.against.points.column("model")), ("slower-against", ["Net"]))
        self.assertEqual((made.comparison.a, made.comparison.b), ("slower-against", "slower"))
        self.assertGreater(made.comparison.ratio, 1.5)
        self.assertEqual(made.comparison.results.column("shape"), ["[2,2]"])
        self.assertIsNone(xsp.load("slower", store=self.store).comparison)

    @unittest.skipUnless(importlib.util.find_spec("onnx"), "the Python package onnx is not installed")
    def test_a_module_is_compared_with_itself_in_another_backend(self):
        if not any(row.get("part") == "worker onnxruntime" and row.get("found") for row in xsp.operations.doctor()):
            self.skipTest("the worker onnxruntime finds no ONNX Runtime")
        made = xsp.run(self.net, self.image, against_setting="backend=onnxruntime", processes=1, name="here", store=self.store,
                       **{**QUICK, "depth": "model"})
        self.assertEqual([one.points.column("backend")[0].split()[0] for one in (made, made.against)], ["PyTorch", "ONNX"])
        self.assertGreater(made.comparison.results.column("cosine")[0], 0.999)

    def test_the_other_side_is_a_model_too(self):
        with self.assertRaisesRegex(xsp.UsageError, "not a model: int"):
            xsp.run(self.net, self.image, against=3, store=self.store, **QUICK)
        with self.assertRaisesRegex(xsp.UsageError, "inputs are for a model that is an object"):
            xsp.run("a.onnx", self.image, against="b.onnx", store=self.store, **QUICK)

    def test_integers_come_from_the_range_of_the_example(self):
        table = torch.nn.Embedding(5, 3)  # Any other index fails.
        made = xsp.run(table, torch.randint(0, 5, (4, 6)), batch=[1, 4], name="table", store=self.store, **QUICK)
        self.assertEqual(made.points.column("batch"), [1, 4])

    def test_what_cannot_be_scripted_is_traced(self):
        class Odd(torch.nn.Module):
            def forward(self, image):
                return image * len(os.environ.get("NOT_SET", "two"))

        made = xsp.run(Odd(), self.image, name="traced", store=self.store, **QUICK)
        self.assertEqual(made.layers.column("type"), ["aten::mul"])

    def test_sizes_that_a_trace_fixes_are_said(self):
        class Fixed(torch.nn.Module):
            def forward(self, image):
                return image.reshape(int(image.shape[0]), -1) * len(os.environ.get("NOT_SET", "two"))

        with self.assertWarnsRegex(RuntimeWarning, r"values of the example are fixed in it \(torch_test.py:\d+\)"):
            xsp.run(Fixed(), self.image, name="fixed", store=self.store, **QUICK)

    def test_bad_examples_are_refused_before_anything_is_measured(self):
        for inputs in (None, "text", {"imag": self.image}, torch.zeros(2, dtype=torch.complex64)):
            with self.subTest(repr(inputs)[:30]), self.assertRaises(xsp.XspError) as caught:
                xsp.run(self.net, inputs, store=self.store, **QUICK)
            self.assertIn(caught.exception.kind, ("usage", "bad_input"))
        self.assertFalse(self.store.exists())

    @unittest.skipUnless(importlib.util.find_spec("onnx"), "the Python package onnx is not installed")
    def test_backends_that_read_onnx_get_it(self):
        import onnx

        path = self.folder / "net.onnx"
        torch.onnx.export(self.net, (self.image,), str(path), dynamo=False, input_names=["image"])
        doctor = xsp.operations.doctor()
        if not any(row.get("part") == "worker onnxruntime" and row.get("found") for row in doctor):
            self.skipTest("the worker onnxruntime finds no ONNX Runtime")
        both = xsp.run(self.net, self.image, backend=["torch", "onnxruntime"], name="both", store=self.store, **QUICK)
        self.assertEqual([name.split()[0] for name in both.points.column("backend")], ["PyTorch", "ONNX"])
        proto = xsp.run(onnx.load(path), name="proto", batch=2, store=self.store, **QUICK)
        self.assertEqual(len(proto.points), 1)


if __name__ == "__main__":
    unittest.main()
