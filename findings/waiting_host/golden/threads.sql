-- why: threads that wait at once add up to more than the call: the rule abstains
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'gpu', 'float32', '{}', 1000e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples)
VALUES (1, 1, 'imported', 'done', 'a', 1000e3, 1);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 950000, 500000, 450000, 490000, 0, 10000, 0, 0, 10000, 5);
INSERT INTO tree
VALUES (1, NULL, 1, NULL, 0, 'application', 'range', 'r', 1, 1000000, 0, 500000, 0, 5),
  (1, NULL, 2, 1, 1, 'layer', 'aten::to', 'aten::to', 1, 800000, 5000, 10000, 0, 1),
  (1, NULL, 3, 2, 2, 'library', 'cuda_runtime', 'cudaMemcpyAsync', 1, 600000, 600000, 0, 0, 1),
  (1, NULL, 4, 2, 2, 'library', 'cuda_runtime', 'cudaStreamSynchronize', 1, 100000, 90000, 0, 0, 0),
  (1, NULL, 5, 4, 3, 'library', 'cuda_driver', 'cuStreamSynchronize', 1, 90000, 90000, 0, 0, 0),
  (1, NULL, 6, 1, 1, 'library', 'cuda_runtime', 'cudaMemcpyAsync', 9, 90000, 90000, 0, 0, 9),
  (1, NULL, 7, NULL, 0, 'library', 'cuda_runtime', 'cudaDeviceSynchronize', 1, 900000, 900000, 0, 0, 0);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, device_ns, kernel_run_ns, source_run, matched)
VALUES (1, 0, 'a', 'aten::bmm', 20e3, 100e3, 20e3, 1, 'single');
