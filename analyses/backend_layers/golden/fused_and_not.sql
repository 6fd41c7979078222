-- why: the reference names the segment; what is over the best is per segment; a segment without a counterpart has none
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'net', 'A', 'cpu', 'float32', 1, '{}', 4000, 'done'), (2, 'net', 'B', 'cpu', 'float32', 1, '{}', 2000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, samples) VALUES (1, 1, 'model', 'done', 'a', 30), (2, 2, 'model', 'done', 'b', 30);
INSERT INTO comparison VALUES (1, 2, 2, 1.9, 2.1, 0.001, 1, 'large', 2, 'slower'), (2, 1, 0.5, 0.47, 0.53, 0.001, -1, 'large', 2, 'faster');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, matched) VALUES
  (1, 0, 'c', 'aten::conv2d', 300, 'all'), (2, 0, 'd', 'Conv', 200, 'all');
INSERT INTO aligned_layer VALUES
  (1, 1, 1, 'conv #0', 'aten::conv2d', '[1,8]', 0, 3, 300), (1, 2, 1, 'linear #3', 'aten::linear', '[1,4]', 3, 1, 100),
  (1, 0, 2, '(before)', '', NULL, 0, 1, 20), (1, 1, 2, 'node', 'FusedConv', '[1,8]', 1, 1, 180),
  (1, NULL, 2, 'odd', 'MatMul', '[1,9]', 2, 1, 50), (1, 2, 2, 'last', 'Gemm', '[1,4]', 3, 1, 150);
