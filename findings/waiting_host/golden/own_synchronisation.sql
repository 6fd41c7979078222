-- why: XSP itself waits for the device at the end of each layer of the models that it runs
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'kernel', 'done', 'a', 1000, 2);
UPDATE point SET latency_ns = 1000e3;
UPDATE run SET latency_ns = 1000e3, samples = 1;
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 950000, 500000, 450000, 490000, 0, 10000, 0, 0, 10000, 5);
INSERT INTO tree VALUES (1, NULL, 1, NULL, 0, 'application', 'range', 'r', 1, 1000000, 0, 500000, 0, 5),
  (1, NULL, 2, 1, 1, 'layer', 'aten::to', 'aten::to', 1, 800000, 5000, 10000, 0, 1),
  (1, NULL, 3, 2, 2, 'library', 'cuda_runtime', 'cudaDeviceSynchronize', 1, 600000, 600000, 0, 0, 1);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, device_ns, kernel_run_ns, source_run, matched)
VALUES (1, 0, 'a', 'aten::bmm', 20e3, 100e3, 20e3, 1, 'single');
INSERT INTO critical_path VALUES (1, NULL, NULL, 'compute', 'k', 9, 500000), (1, NULL, NULL, 'host', 'aten::to', 9, 480000),
  (1, NULL, NULL, 'synchronisation', 'cudaDeviceSynchronize', 1, 20000);
