-- why: rank 1 comes 1 us late to nine of ten collectives, whose time is on the path of rank 0
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO device_time VALUES (1, 0, 0, NULL, 0, 100000, 0, 0, 0, 0, 0, 0, 0, 0, 9),
  (1, 1, 0, NULL, 0, 100000, 0, 0, 0, 0, 0, 0, 0, 0, 9);
INSERT INTO collective VALUES (1, 0, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 0, 0, 5000, 0, 1000, 500),
  (1, 1, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 0, 1000, 4000, 0, 0, 500),
  (1, 0, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 1, 10000, 5000, 0, 1000, 500),
  (1, 1, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 1, 11000, 4000, 0, 0, 500),
  (1, 0, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 2, 20000, 5000, 0, 1000, 500),
  (1, 1, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 2, 21000, 4000, 0, 0, 500),
  (1, 0, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 3, 30000, 5000, 0, 1000, 500),
  (1, 1, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 3, 31000, 4000, 0, 0, 500),
  (1, 0, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 4, 40000, 5000, 0, 1000, 500),
  (1, 1, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 4, 41000, 4000, 0, 0, 500),
  (1, 0, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 5, 50000, 5000, 0, 1000, 500),
  (1, 1, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 5, 51000, 4000, 0, 0, 500),
  (1, 0, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 6, 60000, 5000, 0, 1000, 500),
  (1, 1, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 6, 61000, 4000, 0, 0, 500),
  (1, 0, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 7, 70000, 5000, 0, 1000, 500),
  (1, 1, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 7, 71000, 4000, 0, 0, 500),
  (1, 0, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 8, 80000, 5000, 0, 1000, 500),
  (1, 1, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 8, 81000, 4000, 0, 0, 500),
  (1, 0, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 9, 91000, 4000, 0, 0, 500),
  (1, 1, 0, 40, NULL, 'all_reduce', 'k', '0', 2, NULL, NULL, 9, 90000, 5000, 0, 1000, 500);
UPDATE device_time SET busy_ns = 50000;
INSERT INTO critical_path VALUES (1, 0, NULL, 'communication', 'k', 10, 50000), (1, 0, NULL, 'host', 'h', 10, 50000),
  (1, 1, NULL, 'compute', 'm', 10, 50000), (1, 1, NULL, 'host', 'h', 10, 50000);
