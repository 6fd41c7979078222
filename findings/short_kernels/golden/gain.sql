-- why: the device waits 300 ns for launches of k, of which 4 in 10 are longer than their kernels: 60 ns in each of two steps
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000, 2);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 2000, 1600, 400, 0, 0, 0, 0, 0, 0, 9),
  (1, NULL, 0, 1, 0, 1000, 800, 200, 0, 0, 0, 0, 0, 0, 4), (1, NULL, 0, 2, 0, 1000, 800, 200, 0, 0, 0, 0, 0, 0, 5);
INSERT INTO launch VALUES (1, NULL, 0, 'k', 'kernel', 10, 0, 4, 0, 5, 300, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
INSERT INTO critical_path VALUES (1, NULL, 1, 'host', 'aten::mm', 9, 900), (1, NULL, 1, 'compute', 'k', 1, 100),
  (1, NULL, 2, 'host', 'aten::mm', 9, 900), (1, NULL, 2, 'compute', 'k', 1, 100);
INSERT INTO idle VALUES (1, NULL, 0, NULL, 1, 'host', 2, 150, 0, 100, 'k', 'k'), (1, NULL, 0, NULL, 2, 'host', 3, 150, 0, 80, 'k', 'k');
