-- why: two streams that alternate; a third with little work does not count
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000, 1000, 0, 0, 0, 0, 0, 0, 0, 9),
  (1, NULL, 0, 3, 0, 500, 0, 500, 0, 0, 0, 0, 500, 500, 9);

INSERT INTO stream VALUES (1, NULL, 0, 7, 's', 9, 700, 690, 700, 0, 0, 0, 1000),
  (1, NULL, 0, 20, 't', 9, 310, 300, 310, 0, 0, 0, 1000),
  (1, NULL, 0, 21, 'u', 9, 1, 1, 1, 0, 0, 0, 1000);
