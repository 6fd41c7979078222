-- why: copies of 300 ns are on the path of a step, beside which 200 ns of computation could run
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000, 2);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 2000, 1600, 400, 600, 0, 600, 0, 0, 600, 9),
  (1, NULL, 0, 1, 0, 1000, 800, 200, 250, 0, 300, 50, 0, 300, 4), (1, NULL, 0, 2, 0, 1000, 800, 200, 250, 0, 300, 50, 0, 300, 5);
INSERT INTO critical_path VALUES (1, NULL, 1, 'copy', 'Memcpy', 9, 300), (1, NULL, 1, 'compute', 'k', 1, 700),
  (1, NULL, 2, 'copy', 'Memcpy', 9, 300), (1, NULL, 2, 'compute', 'k', 1, 700);
