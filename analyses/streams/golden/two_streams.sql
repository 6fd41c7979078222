-- why: shares of one device's time, whose rows of steps must not multiply the streams
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'float32', NULL, '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'run');
INSERT INTO device_time VALUES
  (1, 0, 0, NULL, 0, 1000, 600, 400, 500, 200, 0, 100, 100, 0, 9),
  (1, 0, 0, 1, 0, 500, 300, 200, 300, 0, 0, 0, 0, 0, 4);
INSERT INTO stream VALUES
  (1, 0, 0, 20, 'stream 20', 3, 200, 100, 0, 210, 0, 50, 900),
  (1, 0, 0, 7, 'stream 7', 6, 500, 400, 490, 0, 10, 0, 1000),
  (1, 0, 0, 9, 'stream 9', 1, 0, 0, 0, 0, 0, 10, 10);
