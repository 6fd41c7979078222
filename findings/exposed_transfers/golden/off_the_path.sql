-- why: where a late host is what the step waits for, hidden copies gain nothing
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000, 2);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 600, 400, 300, 0, 300, 0, 0, 300, 9);
INSERT INTO critical_path VALUES (1, NULL, NULL, 'host', 'aten::mm', 9, 990),
  (1, NULL, NULL, 'synchronisation', 'cudaDeviceSynchronize', 1, 10);
