-- why: the mean step comes first, kinds by their time with their names below; names under half a percent are left out; steps have kinds only; a rank without steps is one row set
INSERT INTO point (point_id, model, backend, device, precision, settings, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'imported');
INSERT INTO critical_path (run_id, rank, step, kind, name, segments, duration_ns) VALUES
  (1, 0, 7, 'host', 'aten::mm', 3, 500),
  (1, 0, 7, 'host', 'aten::t', 1, 2),
  (1, 0, 7, 'compute', 'gemm', 2, 498),
  (1, 0, 8, 'host', 'aten::mm', 1, 300),
  (1, 0, 8, 'compute', 'gemm', 4, 600),
  (1, 0, 8, 'launch', 'gemm', 1, 100),
  (1, 1, NULL, 'copy', 'Memcpy HtoD', 1, 250),
  (1, 1, NULL, 'gap', '(nothing recorded)', 1, 750);
