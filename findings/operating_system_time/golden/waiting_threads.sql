-- why: with more threads than cores the waiting is the model's own, and stays: the gain is 20 % of the call
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, cores, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 10e6, 1, 'done'),
  (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 1, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, threads) VALUES (1, 2, 'model', 'done', 'a', 4),
  (2, 2, 'layer', 'done', 'b', 1), (3, 1, 'model', 'done', 'c', 1);
INSERT INTO sample (run_id, iteration, latency_ns, disturbed, system_ns, page_faults, rung)
VALUES (1, 0, 40e6, false, 8e6, 5000, NULL),
  (1, 1, 90e6, false, 18e6, 5000, 'model'),
  (2, 0, 40e6, false, 80e6, 90000, 'layer'),
  (2, 0, 40e6, false, 80e6, 90000, 'model'),
  (3, 0, 10e6, false, 0.1e6, 10, 'model');
UPDATE sample SET waited_ns = latency_ns / 2;
