-- why: layers are ranked by device time where a device did the work
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'gpu', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples)
VALUES (1, 1, 'imported', 'done', 'a', 1000e3, 1);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 950000, 500000, 450000, 490000, 0, 10000, 0, 0, 10000, 5);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, device_ns, kernel_run_ns, source_run, matched)
VALUES (1, 0, 'a', 'aten::bmm', 20e3, 100e3, 20e3, 1, 'single'),
  (1, 1, 'b', 'aten::softmax', 5e3, 231.5e3, 5e3, 1, 'single'),
  (1, 2, 'c', 'aten::bmm', 20e3, 80e3, 20e3, 1, 'single'), (1, 3, 'd', 'aten::add', 5e3, 78.5e3, 5e3, 1, 'single'),
  (1, 4, 'e', 'aten::to', 800e3, 10e3, 800e3, 1, 'single');
