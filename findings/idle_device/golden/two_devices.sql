-- why: two devices are counted together; without gaps in the trace there is no cause
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 900, 100, 0, 0, 0, 0, 0, 0, 9),
  (1, NULL, 1, NULL, 0, 1000, 700, 300, 0, 0, 0, 0, 0, 0, 9);
