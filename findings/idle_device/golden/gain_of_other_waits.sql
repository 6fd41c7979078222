-- why: of 500 ns 450 waited after their launch for something else: 50 + 400, less gaps of 10 ns, in two steps
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000, 2);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 2000, 1000, 1000, 0, 0, 0, 0, 0, 0, 9),
  (1, NULL, 0, 1, 0, 1000, 500, 500, 0, 0, 0, 0, 0, 0, 4), (1, NULL, 0, 2, 0, 1000, 500, 500, 0, 0, 0, 0, 0, 0, 5);
INSERT INTO idle VALUES (1, NULL, 0, NULL, 1, 'host', 5, 500, 450, 200, 'a', 'b'),
  (1, NULL, 0, NULL, 2, 'host', 5, 400, 0, 200, 'a', 'b'), (1, NULL, 0, NULL, 2, 'kernel', 10, 100, 100, 10, 'a', 'b');
INSERT INTO critical_path VALUES (1, NULL, 1, 'host', 'aten::mm', 9, 900), (1, NULL, 1, 'compute', 'k', 1, 100),
  (1, NULL, 2, 'host', 'aten::mm', 9, 800), (1, NULL, 2, 'host', 'aten::add', 1, 100), (1, NULL, 2, 'compute', 'k', 1, 100);
