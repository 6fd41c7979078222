-- why: among several backends the sentence names the one where the share is largest
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, cores, status)
VALUES (1, 'm', 'PyTorch', 'cpu', 'float32', 8, '{}', 10e6, 1, 'done'),
  (2, 'm', 'OpenVINO', 'cpu', 'float32', 8, '{}', 5e6, 1, 'done');
INSERT INTO comparison (point_id, against_point_id, ratio, ratio_low, ratio_high, verdict)
VALUES (1, 2, 0.5, 0.4, 0.6, 'slower'), (2, 1, 2, 1.9, 2.1, 'faster');
INSERT INTO run (run_id, point_id, rung, status, path)
VALUES (1, 1, 'model', 'done', 'a'), (2, 2, 'model', 'done', 'b');
INSERT INTO sample (run_id, iteration, latency_ns, disturbed, system_ns, page_faults, rung)
VALUES (1, 0, 10e6, false, 2e6, 1000, NULL),
  (2, 0, 5e6, false, 0.1e6, 1000, NULL);
