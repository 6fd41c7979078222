-- why: only the first steps are left out; that the device waits in every fourth one is a finding
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 10e6, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES (1, 1, 'imported', 'done', 'a', 10e6);
INSERT INTO device_time SELECT 1, NULL, 0, i, i * 20e6, CASE WHEN i % 4 = 3 THEN 30e6 ELSE 10e6 END, 10e6,
  CASE WHEN i % 4 = 3 THEN 20e6 ELSE 0 END, 10e6, 0, 0, 0, 0, 0, 1 FROM range(8) t(i);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 120e6, 80e6, 40e6, 80e6, 0, 0, 0, 0, 0, 8);
INSERT INTO idle VALUES (1, NULL, 0, NULL, 3, 'host', 1, 20e6, 0, 20e6, 'a', 'b'), (1, NULL, 0, NULL, 7, 'host', 1, 20e6, 0, 20e6, 'a', 'b');
INSERT INTO critical_path SELECT 1, NULL, i, 'compute', 'b', 1, 10e6 FROM range(8) t(i);
INSERT INTO critical_path SELECT 1, NULL, i, 'host', 'next', 1, 20e6 FROM (VALUES (3), (7)) t(i);
