-- why: a run on a CPU has no path: the host waits for nobody
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 100, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'kernel-1');
