-- why: at most 300 of 1000 ns, if the second stream ran beside the first, which is busy for 700
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'imported', 'done', 'a', 1000, 2);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 1000, 0, 0, 0, 0, 0, 0, 0, 9);
INSERT INTO stream VALUES (1, NULL, 0, 7, 's', 9, 700, 690, 700, 0, 0, 0, 1000),
  (1, NULL, 0, 20, 't', 9, 310, 300, 310, 0, 0, 0, 1000);
INSERT INTO critical_path VALUES (1, NULL, NULL, 'compute', 'a', 9, 700), (1, NULL, NULL, 'compute', 'b', 9, 300);
